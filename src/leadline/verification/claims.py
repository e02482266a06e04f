"""Pure: the cited sentences of a Markdown text, whoever wrote it, and what each of them cites."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from leadline.grounding import sentences

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")

_LABELS = r"\^?\d{1,3}(?:\s*[,，、;；]\s*\^?\d{1,3}|\s*[-–—]\s*\d{1,3})*"  # [2024] is a year
_MARK = re.compile(rf"[\[【［]\s*({_LABELS})\s*(?:†[^\]】］]*)?[\]】］]")
_NUMBER = re.compile(r"(\d{1,3})(?:\s*[-–—]\s*(\d{1,3}))?")
_URL = re.compile(r"https?://[^\s<>\[\]（）【】「」，。；、\"”]+")
_ENTRY = re.compile(r"^\s{0,3}(?:[-*+]\s+)?[\[【［]\^?(\d{1,3})[\]】］]:?\s+(\S.*)$")
_NUMBERED = re.compile(r"^\s{0,3}(\d{1,3})[.)]\s+(\S.*)$")
_REFERENCES = re.compile(
    r"^#{1,6}\s+(?:\d+[.)]?\s*)?(?:references|sources|bibliography|works cited|notes|citations"
    r"|参考文献|参考资料|引用来源|资料来源|来源|參考文獻|參考資料|來源)\s*[:：]?\s*#*\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^((?:\s*(?:[-*+>]|\d+[.)])\s)*\s*)\*\*[^*\n\[\]]{1,60}(?:[:：]\*\*|\*\*[:：])\s*", re.MULTILINE)
"""A label only names what follows: `**Speed:** It is fast.`"""

_HEADING = re.compile(r"^#{1,6}\s")
_SEE = r"(?:see(?:\s+also)?|cf\.?|source|sources|not found in|在|另见|另見|参见|參見|见|來源|来源)"
_OPEN, _CLOSE, _NAME, _NAMED = "\ue000", "\ue001", "\ue002", "\ue003"  # signs of the private use area, around what is marked
_CITED = re.compile(rf"\s*{_OPEN}(\d+){_CLOSE}")
_SIGNS = rf"((?:{_OPEN}\d+{_CLOSE}[\s,，、;；]*)+)"
_AROUND = re.compile(rf"\s*[(（]\s*(?:{_SEE}\s*[:：]?)?\s*{_SIGNS}(?:中未找到\s*)?[)）]", re.IGNORECASE)
_ALSO = r"(?:see\s+also|cf\.?|另见|另見|参见|參見)\s*[:：]?"
_PARTLY = r"[(（][^()（）]*(?:in part|部分)[^()（）]*[)）]"
_ASIDE = re.compile(rf"[(（]\s*{_ALSO}\s*{_SIGNS}[)）]|{_SIGNS}{_PARTLY}", re.IGNORECASE)
_REMARKED = re.compile(rf"({_CLOSE})\s*[(（][^()（）{_OPEN}]{{1,40}}[)）](?=\s*(?:[.。!！?？]|$))")
_SIGN = re.compile(rf"{_OPEN}(\d+){_CLOSE}")
_PART = re.compile(r"[.。?？!！]\s+")
_REMARK = re.compile(r"(?:,\s+pp?\.\s+\d[\d, ]*)?(?:\s+\([^()]*\))*$")
_BEHIND = ".,;:!?"
_NAMED_ALONE = re.compile(rf"[(（\[]\s*{_NAME}[^{_NAMED}]*{_NAMED}({_OPEN}\d+{_CLOSE})\s*[)）\]]")
_LONGEST_RANGE = 50


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with what it cites: addresses in the order of mention, "" for a number that stands for nothing.

    `line` counts from 1; `cites` is empty for a sentence that cites nothing. `aside` are the marks of pages of which it says no
    more than that they speak of the same: "see also", "only in part".
    """

    line: int
    text: str
    cites: tuple[str, ...]
    marks: tuple[str, ...]
    aside: frozenset[str] = frozenset()


def read_claims(text: str) -> list[Claim]:
    """Return every sentence of the prose, lists and tables of a Markdown text; headings, code and references are none."""
    body, entries = _split_references(text)
    return [
        claim for token in _find_prose(_MARKDOWN.parse(_LABEL.sub(r"\1", body))) for claim in _read_sentences(token, entries)
    ]


def _split_references(text: str) -> tuple[str, Mapping[str, str]]:
    """Take the list of references out, each of its lines left blank, and return what each number stands for."""
    kept: list[str] = []
    entries: dict[str, str] = {}
    listed = False
    for line in text.splitlines():
        if _HEADING.match(line):
            listed = bool(_REFERENCES.match(line))
        entry = _ENTRY.match(line) or (_NUMBERED.match(line) if listed else None)
        if entry:
            entries.setdefault(entry[1], _find_address(entry[2]))
        kept.append("" if entry or listed else line)
    return "\n".join(kept), entries


def _find_address(entry: str) -> str:
    """Return where a reference leads: its first link; else what stands behind its last full stop, or its last word."""
    (token,) = _MARKDOWN.parseInline(entry)
    links = [str(child.attrs["href"]) for child in token.children or () if child.type == "link_open"]
    plain = _REMARK.sub("", "".join(child.content for child in token.children or ()).strip())
    if links or (found := _URL.search(plain)) is None:
        return links[0] if links else (_PART.split(plain) if _PART.search(plain) else plain.split())[-1].strip()
    return found.group().rstrip(_BEHIND)


def _find_prose(tokens: list[Token]) -> Iterator[Token]:
    before = ""
    for token in tokens:
        if token.type == "inline" and before != "heading_open":
            yield token
        before = token.type


def _read_sentences(token: Token, entries: Mapping[str, str]) -> Iterator[Claim]:
    cites: list[tuple[str, str]] = []
    linked = _NAMED_ALONE.sub(r"\1", _mark(token.children or [], entries, cites))
    named = linked.replace(_NAME, "").replace(_NAMED, "")
    aside = {int(number) for found in _ASIDE.finditer(named) for number in _SIGN.findall(found[0])}
    marked = _AROUND.sub(r" \1", _REMARKED.sub(r"\1", named))
    plain, places = _take_out(marked)
    first = (token.map or [0])[0] + 1
    spans = sentences.split(plain)
    for start, end in spans:
        numbers = [number for place, number in places if start <= place < end]
        found = dict(cites[number] for number in numbers)
        yield Claim(
            first + plain.count("\n", 0, start),
            " ".join(plain[start:end].split()),
            tuple(found.values()),
            tuple(found),
            frozenset(cites[number][0] for number in aside & {*numbers}),
        )


def _mark(children: list[Token], entries: Mapping[str, str], cites: list[tuple[str, str]]) -> str:
    """Return the text of a block in which each citation is a sign; what they stand for goes to `cites`, as mark and address."""

    def put(mark: str, address: str) -> str:
        cites.append((mark, address))
        return f"{_OPEN}{len(cites) - 1}{_CLOSE}"

    def put_numbers(found: re.Match[str]) -> str:
        labels = _expand(found[1])
        return "".join(put(f"[{label}]", entries.get(label, "")) for label in labels)

    def put_bare(found: re.Match[str]) -> str:
        url = found[0].rstrip(_BEHIND)
        return put(url, url) + found[0][len(url) :]

    pieces: list[str] = []
    href = ""
    for child in children:
        match child.type:
            case "link_open":
                href = str(child.attrs["href"])
                pieces.append(_NAME)
            case "link_close":
                pieces.append(_NAMED + (put(href, href) if _is_page(href) else ""))
                href = ""
            case "softbreak" | "hardbreak":
                pieces.append("\n")
            case "text" if href:
                pieces.append("" if _is_mark(child.content) else child.content)
            case "text":
                bare = _URL.sub(put_bare, child.content)
                pieces.append(_MARK.sub(put_numbers, bare))
            case _:
                pieces.append(child.content)
    return "".join(pieces)


def _is_page(href: str) -> bool:
    """Say whether a link leads to a page or file: not within the text, nor to a program."""
    return href.startswith(("http://", "https://")) or not re.match(r"#|[a-z][a-z0-9+.-]*:", href, re.IGNORECASE)


def _is_mark(text: str) -> bool:
    """Say whether the text of a link only names it, and is no part of the sentence."""
    return bool(re.fullmatch(rf"\s*\[?{_LABELS}\]?\s*|{_SEE}|link|https?://\S+", text, re.IGNORECASE))


def _expand(labels: str) -> list[str]:
    numbers: list[str] = []
    for first, last in _NUMBER.findall(labels):
        end = int(last) if last else int(first)
        numbers += map(str, range(int(first), min(end, int(first) + _LONGEST_RANGE) + 1))
    return numbers


def _take_out(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its signs, and for each sign the place of the letter before it and what it stands for."""
    plain, places = "", []
    last = 0
    for found in _CITED.finditer(marked):
        plain += marked[last : found.start()]
        places.append((max(len(plain.rstrip()) - 1, 0), int(found[1])))
        last = found.end()
    return plain + marked[last:], places
