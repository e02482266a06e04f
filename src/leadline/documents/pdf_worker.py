"""The process that opens PDFs: `python -m leadline.documents.pdf_worker`, started by `pdf_process` and by nobody else.

pdfium is not thread-safe and is written in C++: a file that crashes it, or sends it round in circles, takes this process along
and not the program. Requests come on stdin, replies go to stdout.
"""

import ctypes
import json
import math
import re
import sys
from functools import lru_cache

import pypdfium2
from pypdfium2 import raw

from leadline.documents.pdf_reply import MeasuredLine, Reply, read_frame, write_frame

MOST_PAGES = 500
"""Pages that are read of a document."""
MOST_CHARACTERS = 4_000_000
"""Characters after which no further page is read: what 20 MB of streams unpack to is bounded by nothing else."""
_MOST_TITLES = 5_000
_MOST_LINES = 2_000  # of a page: drawings can hold a letter a line
_MEMORY = 2 * 1024**3  # bytes of address space
_FIXED_PITCH = 1  # bit of a font's flags, PDF 32000-1:2008, table 123
_MONOSPACED = re.compile(rb"mono|courier|typewriter|consol|menlo|cmtt|lmtt|nimbusmon|monl", re.IGNORECASE)
_BOLD = re.compile(rb"bold|black|heavy|semib|demi|cmbx|medi$", re.IGNORECASE)
_NAME = 128
_HYPHEN = "\ufffe"  # what pdfium gives for a hyphen at the end of a line, and the line's end
_LINE_END = re.compile(f"\r\n|{_HYPHEN}")


def main() -> None:
    """Answer requests until stdin ends."""
    _bound_memory()
    while data := read_frame(sys.stdin.buffer):
        reply = json.dumps(read(data), ensure_ascii=True).encode("ascii")
        write_frame(sys.stdout.buffer, reply)


def read(data: bytes) -> Reply:
    """Return the lines and facts of a PDF."""
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        return {"error": "encrypted" if locked else "damaged"}
    try:
        return _read_document(document)
    except pypdfium2.PdfiumError:
        return {"error": "damaged"}
    finally:
        document.close()


def _read_document(document: pypdfium2.PdfDocument) -> Reply:
    heights: list[float] = []
    pages: list[list[MeasuredLine]] = []
    characters, pictures = 0, False
    for number in range(min(len(document), MOST_PAGES)):
        try:
            page = document[number]
        except pypdfium2.PdfiumError:  # a page that can't be loaded is an empty one: the others keep their numbers
            heights.append(0.0)
            pages.append([])
            continue
        heights.append(page.get_height())
        pages.append(_read_page(page, heights[-1]))
        pictures = pictures or (not pages[-1] and _has_picture(page))
        page.close()
        characters += sum(len(line[0]) for line in pages[-1])
        if characters > MOST_CHARACTERS:
            break
    return {
        "facts": {key: str(value) for key, value in document.get_metadata_dict(skip_empty=True).items()},
        "total": len(document),
        "heights": heights,
        "pages": pages,
        "titles": _read_titles(document),
        "pictures": pictures,
    }


def _read_page(page: pypdfium2.PdfPage, height: float) -> list[MeasuredLine]:
    sheet = page.get_textpage()
    try:
        lines: list[MeasuredLine] = []
        start = units = 0
        whole = sheet.get_text_range(errors="replace")
        for end in _LINE_END.finditer(f"{whole}\r\n"):
            text = whole[start : end.start()]
            if text.strip():
                first = units + _count_units(text[: len(text) - len(text.lstrip())])
                last = first + _count_units(text.strip()) - 1
                shown = f"{text}-" if end.group() == _HYPHEN else text
                lines.append((shown, *_measure(sheet.raw, first, last, height)))
            units += _count_units(whole[start : end.end()])
            start = end.end()
            if len(lines) == _MOST_LINES:
                break
        return lines
    finally:
        sheet.close()


def _count_units(text: str) -> int:
    """Units of UTF-16, which pdfium counts in."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _measure(sheet: raw.FPDF_TEXTPAGE, start: int, end: int, height: float) -> tuple[float, float, float, float, int]:
    """Return left, right, baseline, size and style of a line between two places in its page's text."""
    first, last = (raw.FPDFText_GetCharIndexFromTextIndex(sheet, place) for place in (start, end))
    left, _ = _find_edges(sheet, first)
    _, right = _find_edges(sheet, last)
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(sheet, first, x, y)
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(sheet, first, matrix)
    size = raw.FPDFText_GetFontSize(sheet, first) * (math.hypot(matrix.c, matrix.d) or 1.0)
    style = _find_style(sheet, first)
    if style and last > first:
        style &= _find_style(sheet, last)
    return round(left, 1), round(right, 1), round(height - y.value, 1), round(size, 1), style


def _find_edges(sheet: raw.FPDF_TEXTPAGE, index: int) -> tuple[float, float]:
    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(sheet, index, box)
    return box.left, box.right


def _find_style(sheet: raw.FPDF_TEXTPAGE, index: int) -> int:
    name, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    raw.FPDFText_GetFontInfo(sheet, index, name, _NAME, flags)
    return _judge_font(name.value, flags.value)


@lru_cache(maxsize=1024)
def _judge_font(name: bytes, flags: int) -> int:
    monospaced = bool(flags & _FIXED_PITCH) or bool(_MONOSPACED.search(name))
    return monospaced + 2 * bool(_BOLD.search(name))


def _has_picture(page: pypdfium2.PdfPage) -> bool:
    return any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3))


def _read_titles(document: pypdfium2.PdfDocument) -> list[tuple[int, str]]:
    titles = []
    for mark in document.get_toc(max_depth=6):
        titles.append((mark.level, mark.get_title()))
        if len(titles) == _MOST_TITLES:
            break
    return titles


def _bound_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    main()
