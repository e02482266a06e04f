"""What sort of publication a web address belongs to, as far as its host tells; closed lists, so most have no kind."""

import re
from urllib.parse import urlsplit

from leadline.records import SourceKind

_HOSTS: tuple[tuple[SourceKind, str], ...] = (
    ("paper", r"arxiv\.org|doi\.org|pubmed|ncbi\.nlm|biorxiv|medrxiv|semanticscholar|sciencedirect|springer|nature\.com|science\.org|ieee"
              r"|acm\.org|plos|jstor|cnki|wiley\.com|aclanthology|openreview|ssrn"),
    ("forum", r"(?:^|\.)(?:forum|forums|discuss|community|answers|bbs|tieba)\.|stackoverflow|stackexchange|superuser|serverfault|reddit"
              r"|quora|zhihu|v2ex|news\.ycombinator|segmentfault"),
    ("social", r"(?:^|\.)(?:x|twitter|facebook|instagram|tiktok|youtube|weibo|bilibili|xiaohongshu|linkedin)\.com$|mastodon|t\.me$"),
    ("blog", r"(?:^|\.)blogs?\.|medium\.com|substack|wordpress|blogspot|dev\.to|hashnode|csdn|cnblogs|jianshu|juejin|mp\.weixin"),
    ("reference", r"wikipedia|wikidata|britannica|baike\.|(?:^|\.)(?:docs?|developer|manual|learn|wiki)\.|readthedocs"),
    ("official", r"\.gov(?:\.\w\w)?$|\.gob\.|\.gouv\.|\.edu(?:\.\w\w)?$|\.ac\.\w\w$|\.mil$|\.int$|europa\.eu|\.un\.org$|^un\.org$"),
    ("news", r"reuters|apnews|bbc\.|cnn\.|nytimes|washingtonpost|theguardian|wsj\.|ft\.com|bloomberg|economist|aljazeera|xinhua|people\.com\.cn"
             r"|caixin|thepaper|sina\.|163\.com|sohu|ifeng|chinadaily|cctv|nikkei|lemonde|spiegel|elpais|(?:^|\.)news\.|techcrunch|theverge"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(hosts)) for kind, hosts in _HOSTS)


def find_kind(address: str) -> SourceKind:
    """Return the kind of a web page by its host; "" for what is none and for hosts that tell nothing."""
    if not address.startswith(("http://", "https://")):
        return ""
    host = (urlsplit(address).hostname or "").lower()
    return next((kind for kind, pattern in _PATTERNS if pattern.search(host)), "")
