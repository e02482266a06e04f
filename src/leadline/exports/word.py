"""A report as a Word document, by python-docx: a citation leads to its evidence, evidence to its source."""

import io
import re

from docx import Document
from docx.document import Document as DocxDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from leadline.exports.material import Material
from leadline.pipeline.reference import split_end
from leadline.rendering import ReportView
from leadline.rendering.views import Exhibit, Line, Mark, Reference

_FONT, _CJK = "Georgia", {"zh": "SimSun", "zh-Hant": "PMingLiU", "en": "SimSun"}
_ACCENT, _INK, _SOFT = RGBColor(0x0F, 0x5C, 0x7A), RGBColor(0x1D, 0x24, 0x30), RGBColor(0x5D, 0x66, 0x75)
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no place for."""


def to_docx(material: Material) -> bytes:
    """Return the report with its evidence as an appendix."""
    document, view = Document(), material.view
    _set_fonts(document, view)
    document.core_properties.title = _clean(material.report.title)[:255]
    document.core_properties.author = "Leadline"
    document.core_properties.created = document.core_properties.modified = material.run.created
    _write_report(document, view)
    _write_references(document, view)
    document.add_heading(view.words.say("evidence"), 1)
    sides = [side for part in view.parts for pair in part.differing for side in pair]
    said = {line.anchor: line.text for line in (*(line for part in view.parts for line in part.lines), *sides)}
    for exhibit in view.exhibits:
        _write_evidence(document, view, exhibit, said[exhibit.point])
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def _set_fonts(document: DocxDocument, view: ReportView) -> None:
    """Let every style use a reading serif, and the letters of the report's language come from a font of that language."""
    for name, size in (("Normal", 11), ("Title", 22), ("Heading 1", 14), ("List Bullet", 11), ("Quote", 10)):
        style = document.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = _FONT, Pt(size), _INK
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        fonts.set(qn("w:eastAsia"), _CJK[view.words.language])


def _write_report(document: DocxDocument, view: ReportView) -> None:
    words, report = view.words, view.report
    document.add_heading(_clean(report.title), 0)
    _soften(document.add_paragraph(_clean(view.head.striptags())))
    for notice in report.notices:
        document.add_paragraph(_clean(notice))
    _write_prose(document, view, words.say("overview"), view.overview)
    for part, section in zip(view.parts, report.sections, strict=True):
        document.add_heading(f"{part.number}. {_clean(section.todo.title)}", 1)
        for line in part.lines:
            _write_line(document.add_paragraph(style="List Bullet"), view, line)
        for pair in part.differing:
            document.add_paragraph().add_run(words.say("differ")).bold = True
            for line in pair:
                _write_line(document.add_paragraph(style="List Bullet"), view, line)
        for said in (*part.above, part.warning.striptags()):
            if said:
                _soften(document.add_paragraph(_clean(said)))
        if section.reason and not section.points:
            _soften(document.add_paragraph(_clean(section.reason)))
        if part.missing:
            _soften(document.add_paragraph(_clean(part.missing.striptags())))
    _write_prose(document, view, words.say("summary"), view.summary)


def _write_prose(document: DocxDocument, view: ReportView, heading: str, lines: tuple[Line, ...]) -> None:
    if not lines:
        return
    document.add_heading(heading, 1)
    paragraph = document.add_paragraph()
    for line in lines:
        _write_line(paragraph, view, line)
        paragraph.add_run(view.words.say("space"))


def _write_line(paragraph: Paragraph, view: ReportView, line: Line) -> None:
    """Write a sentence as Markdown has it: its marks before the full stop, "see also" in brackets."""
    body, end = split_end(line.text)
    paragraph.add_run(_clean(body))
    _write_marks(paragraph, line.firm or line.near)
    opening, closing = view.words.say("in_brackets", text="\n").split("\n")
    for word, marks in (("also", line.near if line.firm else ()), ("not_in", line.failed)):
        if marks:
            paragraph.add_run(f"{opening}{view.words.say(word)}")
            _write_marks(paragraph, marks)
            paragraph.add_run(closing)
    if line.remark:
        paragraph.add_run(f"{opening}{_clean(line.remark.striptags())}{closing}").italic = True
    paragraph.add_run(_clean(end))


def _write_marks(paragraph: Paragraph, marks: tuple[Mark, ...]) -> None:
    for mark in marks:
        paragraph.add_run(" ")
        _link(paragraph, f"[{mark.number}]", anchor=mark.anchor)


def _write_references(document: DocxDocument, view: ReportView) -> None:
    document.add_heading(view.words.say("references"), 1)
    for reference in view.references:
        paragraph = document.add_paragraph()
        _bookmark(paragraph, reference.anchor)
        said = [part for part in (reference.who, reference.source.title, reference.source.date) if part]
        paragraph.add_run(_clean(f"[{reference.source.number}] {''.join(f'{part}. ' for part in said)}"))
        _write_address(paragraph, reference, reference.href)
    if not view.references:
        document.add_paragraph(view.words.say("no_references"))
    _soften(document.add_paragraph(_clean(view.tally.striptags())))


def _write_evidence(document: DocxDocument, view: ReportView, exhibit: Exhibit, said: str) -> None:
    head = document.add_paragraph()
    head.paragraph_format.keep_with_next = True
    _bookmark(head, exhibit.anchor)
    _link(head, f"[{exhibit.reference.source.number}]", anchor=exhibit.reference.anchor)
    head.add_run(f" {view.words.say(f'label_{exhibit.evidence.verdict}')}").bold = True
    head.add_run(f" · {exhibit.how} · ")
    _write_address(head, exhibit.reference, exhibit.href)
    if exhibit.evidence.verdict != "verbatim":
        document.add_paragraph(_clean(said)).paragraph_format.keep_with_next = True
    place = exhibit.place
    quote = document.add_paragraph(style="Quote")
    quote.add_run(_clean(place.before)).font.color.rgb = _SOFT
    quote.add_run(_clean(place.quote)).bold = True
    quote.add_run(_clean(place.after)).font.color.rgb = _SOFT


def _write_address(paragraph: Paragraph, reference: Reference, href: str) -> None:
    if href:
        _link(paragraph, reference.source.address, url=href)
    else:
        paragraph.add_run(_clean(reference.source.address))
    if reference.remark:
        paragraph.add_run(f" · {_clean(reference.remark.striptags())}")


def _link(paragraph: Paragraph, text: str, *, anchor: str = "", url: str = "") -> None:
    """Add a link to a bookmark or an address; python-docx has none of its own."""
    link = OxmlElement("w:hyperlink")
    if url:
        link.set(qn("r:id"), paragraph.part.relate_to(_clean(url), RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    else:
        link.set(qn("w:anchor"), _name(anchor))
    run = Run(OxmlElement("w:r"), paragraph)
    run.text, run.font.color.rgb = _clean(text), _ACCENT
    link.append(run._r)
    paragraph._p.append(link)


def _bookmark(paragraph: Paragraph, anchor: str) -> None:
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    number = str(len(paragraph.part.element.xpath("//w:bookmarkStart")))
    start.set(qn("w:name"), _name(anchor))
    for mark in (start, end):
        mark.set(qn("w:id"), number)
        paragraph._p.append(mark)


def _name(anchor: str) -> str:
    """Return an anchor as the name of a bookmark, which has no hyphens."""
    return anchor.replace("-", "_")


def _soften(paragraph: Paragraph) -> None:
    for run in paragraph.runs:
        run.font.size, run.font.color.rgb = Pt(9), _SOFT


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
