"""When two addresses are of the same page."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|spm|mkt_tok|ref_src|vero_id"
)
_ARXIV = re.compile(r"/(?:abs|pdf|html|ps|format)/([a-z.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/?", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?", re.IGNORECASE)
_DOI = re.compile(r"/(10\.\d{4,9}/\S+)")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ARXIV_HOSTS = frozenset({"arxiv.org", "export.arxiv.org", "browse.arxiv.org"})
_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org"})


def address_key(address: str) -> str:
    """Return what all addresses of one page have in common; fetch the address itself, not this.

    Scheme, `www.`, a slash at the end, the fragment and parameters that only tell where a reader came from make no other
    page; a fragment that begins with `/` or `!/` does, for such sites choose the page by it. arXiv's pages, files and versions
    are one paper, and a DOI is itself wherever it is resolved.

    Args:
        address: a URL; anything else is its own key.
    """
    if not address.lower().startswith(("http://", "https://")):
        return address
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return address
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    if paper := _find_paper(host, unquote(parts.path)):
        return paper
    place = host if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"
    path = unquote(parts.path).rstrip("/")
    pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(pair[0].lower())]
    query = "&".join(f"{name}={value}" for name, value in pairs)
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!/")) else ""
    return f"{place}{path}{'?' if query else ''}{query}{route}"


def _find_paper(host: str, path: str) -> str:
    if host in _ARXIV_HOSTS and (match := _ARXIV.fullmatch(path)):
        return f"arxiv:{match[1].lower()}"
    if host in _DOI_HOSTS and (match := _DOI.fullmatch(path)):
        doi = match[1].rstrip("/").lower()
        arxiv = _ARXIV_DOI.fullmatch(doi)
        return f"arxiv:{arxiv[1]}" if arxiv else f"doi:{doi}"
    return ""
