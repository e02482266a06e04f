"""Small documents of every kind, made on the spot."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A line of a PDF: where it starts, in points from the left and the top, and its font (F2 is bold, F3 monospaced)."""

    text: str
    x: float = 72
    y: float = 100
    size: float = 10
    font: str = "F1"


def set_paragraph(text: str, y: float, width: int = 80, x: float = 72) -> list[Text]:
    """Break a text into lines of `width` characters, a line 12 points below the other."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [Text(line, x, y + 12 * number) for number, line in enumerate(lines)]


def make_pdf(
    pages: Sequence[Sequence[Text]], facts: Mapping[str, str] | None = None, *, image: bool = False, locked: bool = False
) -> bytes:
    """Return a PDF of A4 pages in the standard fonts."""
    fonts = "".join(
        f"/F{n} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >> "
        for n, name in enumerate(("Helvetica", "Helvetica-Bold", "Courier"), 1)
    )
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\n"
        b"stream\n\x80\nendstream"
    )
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{5 + 2 * n} 0 R' for n in range(len(pages)))}] >>".encode(),
        "<< {} >>".format(" ".join(f"/{key} ({value})" for key, value in (facts or {}).items())).encode(),
        picture,
    ]
    for number, page in enumerate(pages):
        drawn = "\n".join(_draw(text) for text in page) + ("\nq 500 0 0 700 40 40 cm /I1 Do Q" if image else "")
        stream = drawn.encode("cp1252")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {6 + 2 * number} 0 R "
            f"/Resources << /Font << {fonts} >> /XObject << /I1 4 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return _write_pdf(objects, locked)


def _draw(text: Text) -> str:
    escaped = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{text.font} {text.size} Tf {text.x} {842 - text.y} Td ({escaped}) Tj ET"


def _write_pdf(objects: Sequence[bytes], locked: bool) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = (
        f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'5a' * 32}> /U <{'a5' * 32}> >> /ID [<00> <00>]" if locked else ""
    )
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R {lock} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def make_zip(members: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def make_docx(body: str, core: str = "", styles: str = "") -> bytes:
    """Return a Word document with this body of WordprocessingML."""
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return make_zip(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f"<w:document {w}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {w}>{styles}</w:styles>",
            "docProps/core.xml": (
                '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/" '
                f'xmlns:dcterms="http://purl.org/dc/terms/">{core}</cp:coreProperties>'
            ),
        }
    )


def make_epub(chapters: Mapping[str, str], metadata: str = "") -> bytes:
    """Return a book whose spine lists the chapters in the order given, its manifest in the order of their names."""
    container = '<container xmlns="urn:c"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    items = "".join(f'<item id="{name}" href="text/{name}.xhtml"/>' for name in sorted(chapters))
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    return make_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OPS/book.opf": (
                '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
                f"{metadata}</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
            ),
            **{f"OPS/text/{name}.xhtml": body for name, body in chapters.items()},
        }
    )
