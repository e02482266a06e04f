"""What a PDF says about itself, in its metadata and on its first page; never what its file is called."""

import re
from collections.abc import Mapping, Sequence

from leadline.documents.blocks import clean_line, squeeze
from leadline.documents.dates import normalise_date
from leadline.documents.pdf_lines import Line

_JUNK_TITLE = re.compile(
    r"(?:untitled|title|document\d*|microsoft (?:word|powerpoint)\b.*|powerpoint presentation|slide 1|无标题|"
    r"[\d\W_]+|\S*[\d_]\S*|.*\.(?:docx?|tex|dvi|pdf|pptx?|indd|ps|rtf|odt|qxd|fm|wpd|html?))",
    re.IGNORECASE,
)
_JUNK_AUTHOR = re.compile(
    r"(?:admin\w*|user\w*|root|owner|unknown|anonymous|author|microsoft.*|.*@.*|\d+|作者|用户)", re.IGNORECASE
)
_SPLIT = re.compile(r"\s*[;；、]\s*|\s*,\s*(?:and\s+)?|\s+(?:and|und|et)\s+|\s*&\s*|\s*，\s*")
_NAME = re.compile(r"(?:[A-ZÀ-ÞŠŽČ][\w'’\-]*\.?|de|van|von|der|den|la|di|da|del|bin|al)(?:\s+|$)")
_CHINESE_NAME = re.compile(r"[\u4e00-\u9fff](?:\s?[\u4e00-\u9fff]){1,3}")
_AFFILIATION = re.compile(r"[\d*†‡§¶∗⋆,\s]+$|(?<=[^\W\d_])[\d*†‡§¶∗⋆]+")
_ORGANISATION = re.compile(
    r"universi|institut|department|college|school|laborator|research|google|microsoft|inc\b|corp|abstract|journal|conference|"
    r"proceedings|version|release|manual|draft|大学|学院|研究|公司|摘要|第.+[期卷]",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
_ARXIV = re.compile(r"arxiv\s*:\s*((?:\d{4}\.\d{4,5}|[a-z\-]+(?:\.[a-z]{2})?/\d{7}))(?:v\d+)?", re.IGNORECASE)
_STAMP = re.compile(r"arxiv:\S+\s*\[[^\]]+\]\s*(\d{1,2} \w{3,9} \d{4})", re.IGNORECASE)
_DATED = re.compile(
    r"(?:published|accepted|received|issued|dated?|released?|发布|出版|收稿|日期)[^.]{0,40}?"
    r"((?:\d{1,2} \w{3,9} |\w{3,9}\.? (?:\d{1,2}, )?)?(?:19|20)\d\d(?:[-/.年]\d{1,2}(?:[-/.月]\d{1,2})?)?)",
    re.IGNORECASE,
)
_CREATED = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
_HEAD_LINES = 12
_LONGEST_TITLE = 250
_MOST_AUTHORS = 20


def find_title(facts: Mapping[str, str], first: Sequence[Line]) -> str:
    """Return the title of the metadata if it is one, or else what is printed largest on the first page with text."""
    title = clean_line(facts.get("Title", ""))
    if title and len(title) <= _LONGEST_TITLE and not _JUNK_TITLE.fullmatch(title):
        return title
    return clean_line(" ".join(line.text for line in _find_title_lines(first)))[:_LONGEST_TITLE]


def find_authors(facts: Mapping[str, str], first: Sequence[Line]) -> tuple[str, ...]:
    """Return the authors of the metadata, or else the names below the title; () when those lines are no names."""
    stated = _split_names(clean_line(facts.get("Author", "")))
    if stated and not any(_JUNK_AUTHOR.fullmatch(name) for name in stated):
        return stated
    title = _find_title_lines(first)
    below = first[first.index(title[-1]) + 1 :][:3] if title else ()
    names: list[str] = []
    for line in below:
        found = _split_names(line.text)
        if not found or _ORGANISATION.search(line.text) or not all(map(_is_name, found)):
            break
        names += found
    return tuple(dict.fromkeys(names))[:_MOST_AUTHORS]


def find_date(facts: Mapping[str, str], first: Sequence[Line]) -> str:
    """Return the date that the first page names as that of the document, or else when the file was made."""
    text = squeeze(" ".join(line.text for line in first))
    for form in (_STAMP, _DATED):
        if (match := form.search(text)) and (found := normalise_date(match.group(1))):
            return found
    for line in first[:_HEAD_LINES]:
        found = normalise_date(line.text)
        if len(found) > 4 and len(line.text) <= 30:  # a line that is a date and little else
            return found
    made = _CREATED.match(facts.get("CreationDate", ""))
    return normalise_date("-".join(filter(None, made.groups()))) if made else ""


def find_identifiers(facts: Mapping[str, str], first: Sequence[Line]) -> tuple[str, ...]:
    """Return `doi:…` and `arxiv:…` of the document, in lower case.

    A DOI counts when the first page names no other: a page that cites several says nothing about its own.
    """
    stated = " ".join((facts.get("Subject", ""), facts.get("Keywords", ""), facts.get("Title", ""), facts.get("doi", "")))
    text = " ".join(line.text for line in first)
    dois = _find_dois(stated) or _find_dois(text)
    arxiv = {match.lower() for match in _ARXIV.findall(f"{stated} {text}")}
    found = [f"doi:{doi}" for doi in dois if len(dois) == 1]
    return (*found, *(f"arxiv:{number}" for number in arxiv if len(arxiv) == 1))


def _find_dois(text: str) -> list[str]:
    return sorted({match.lower().rstrip(".,;)]}") for match in _DOI.findall(text)})


def _find_title_lines(first: Sequence[Line]) -> list[Line]:
    """The lines of the largest size in the head of the page, as far as they follow each other."""
    head = [line for line in first[:_HEAD_LINES] if sum(map(str.isalpha, line.text)) > 3 and not _ARXIV.search(line.text)]
    if not head:
        return []
    size = max(line.size for line in head)
    start = next(number for number, line in enumerate(head) if line.size == size)
    end = start
    while end < len(head) and head[end].size == size:
        end += 1
    # set in one size throughout, the first line alone may be a title
    return head[start:end] if end - start < len(head) else head[:1]


def _split_names(text: str) -> tuple[str, ...]:
    names = (_AFFILIATION.sub("", part).strip(" .,") for part in _SPLIT.split(text))
    return tuple(dict.fromkeys(name for name in names if len(name) > 1))[:_MOST_AUTHORS]


def _is_name(text: str) -> bool:
    if _CHINESE_NAME.fullmatch(text):
        return True
    words = text.split()
    return 2 <= len(words) <= 5 and all(_NAME.fullmatch(word) for word in words)
