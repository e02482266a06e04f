"""What a model writes beside what it says: marks of citations in any style, links, addresses, HTML, lists of sources.

Numbers and references are made by code, so all of this is taken out, and the marks are read as labels.
"""

import re
from collections.abc import Collection

_NUMBER = r"\d{1,3}(?:\.\d{1,4})?"
_PREFIX = r"(?:\^|-|(?:cite|citation|source|sources|ref|reference|来源|來源|资料|資料|参考|參考|文献|文獻)\s*[:：]?\s*)?"
_LIST = rf"{_PREFIX}{_NUMBER}(?:\s*[,，、;；–—~-]\s*{_PREFIX}{_NUMBER})*"
_MARK = re.compile(
    rf"\s?(?:\\?[\[［【]{{1,2}}\s*(?P<list>{_LIST})\s*(?:†[^\]］】]*)?\\?[\]］】]{{1,2}})(?P<link>\((?:https?:|#|mailto:)[^)\s]*\))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?<=\d)\\?[\]］】]\s*[–—-]\s*\\?[\[［【](?=\d)")
_RANGE = re.compile(rf"(?P<first>{_NUMBER})\s*[–—~-]\s*(?P<last>{_NUMBER})")
_LONGEST_RANGE = 30
_INDEXED = re.compile(r"[A-Za-z0-9_)\]]$")
_PLAIN_WORD = re.compile(r"(?:^|[^\w.])[A-Za-z]{4,}$")
_CLAUSE_END = re.compile(r"\s*(?:[.,;:!?。，；：！？、）)]|$|\\?[\[［【])")

_CODE = re.compile(r"(`+[^`]+`+)")
_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]]*)\]\(\s*<?(?:[a-z][a-z+.-]*:|//|/|#|www\.)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*>?"
    r"(?:\s+[\"'][^\"']*[\"'])?\s*\)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)[A-Za-z0-9\-._~:/?#@!$&'+,;=%()]*[A-Za-z0-9/_=%)-]", re.IGNORECASE)
_EMPTY = re.compile(r"\s*[(（【\[<]\s*(?:来源|source|see|见)?[:：]?\s*[)）】\]>]", re.IGNORECASE)
_HTML = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1>|$)|</?[a-zA-Z][^<>]*>", re.DOTALL | re.IGNORECASE)
_DEFINITION = re.compile(r"^\s{0,3}\[\^?[^\]\n]+\]:\s.*$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(?:```+|~~~+).*$", re.MULTILINE)
_LIST_OF_SOURCES = re.compile(
    r"^\s*(?:#{1,6}\s*|\*\*\s*)?"
    r"(?:参考文献|參考文獻|参考资料|參考資料|资料来源|資料來源|来源|來源|references?|bibliography|sources?|works cited)"
    r"\s*(?:\*\*)?\s*(?:[:：]\s*(?:\*\*)?\s*(?=\[|【|\d|http|$|\n)|\s*$).*\Z",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


def take_citations(text: str, sources: int) -> tuple[str, tuple[str, ...]]:
    """Return a sentence without its citation marks, and the labels that they hold, in order and each once.

    `[1]`, `【1】`, `［1，2］`, `[1-3]`, `[1]–[3]`, `[^1]`, `[来源1]`, `[cite: 3]`, `[3.2]`, `[1](https://…)` are marks; code,
    `arr[0]`, `[x]`, `[2024]` and `[1950-2020]` are not.

    Args:
        text: one sentence.
        sources: how many sources there are; a mark of a higher number goes without a label.
    """
    labels: list[str] = []

    def take(match: re.Match[str]) -> str:
        before, behind = match.string[: match.start()], match.string[match.end() :]
        if not match.group()[0].isspace() and _INDEXED.search(before):
            is_end_of_clause = _PLAIN_WORD.search(before) and _CLAUSE_END.match(behind)
            if not (is_end_of_clause or before.endswith(("]", "］", "】"))):
                return match.group()
        labels.extend(_read_labels(match["list"], sources))
        return ""

    parts = _CODE.split(text)
    said = "".join(part if number % 2 else _MARK.sub(take, _BETWEEN.sub("-", part)) for number, part in enumerate(parts))
    return said, tuple(dict.fromkeys(labels))


def clean_statement(text: str, pages: Collection[str]) -> str:
    """Return what a model's text says, on one line: no list of sources, definition, HTML, fence, link or foreign address.

    Args:
        text: as the model wrote it.
        pages: texts and addresses of the pages that it cites: an address that none of them holds goes.
    """
    for gone in (_LIST_OF_SOURCES, _DEFINITION, _FENCE):
        text = gone.sub(" ", text)
    parts = _CODE.split(text)
    said = "".join(part if number % 2 else _clean_prose(part, pages) for number, part in enumerate(parts))
    return " ".join(said.split())


def find_addresses(text: str) -> list[tuple[int, int]]:
    """Return start and end of each web address in a text, without the punctuation behind it, of whatever width."""
    return [_trim(text, *match.span()) for match in _ADDRESS.finditer(text)]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while text[start:end].count(")") > text[start:end].count("(") or text[end - 1] in ".,;:!?'*":
        end -= 1
    return start, end


def _clean_prose(text: str, pages: Collection[str]) -> str:
    text = _HTML.sub(" ", text)
    text = _LINK.sub(lambda link: "" if link.group().startswith("!") else link["text"], text)
    for start, end in reversed(find_addresses(text)):
        address = text[start:end]
        if not any(address in page for page in pages):
            text = f"{text[:start]}{text[end:]}"
    return _EMPTY.sub("", text)


def _read_labels(marks: str, sources: int) -> list[str]:
    if marks.startswith("-"):
        return []
    expanded = _RANGE.sub(_expand, marks)
    return [label for label in re.findall(_NUMBER, expanded) if 1 <= int(label.split(".")[0]) <= sources]


def _expand(match: re.Match[str]) -> str:
    first, last = match["first"], match["last"]
    if "." in first or "." in last or not int(first) <= int(last) <= int(first) + _LONGEST_RANGE:
        return match.group()
    return ",".join(map(str, range(int(first), int(last) + 1)))
