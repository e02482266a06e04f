"""The evidence of a run in one ZIP file: the report, what it was made from, and the hash of everything."""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from leadline.errors import UsageError
from leadline.exports.data import report_json
from leadline.exports.folder import name_notes, note_markdown
from leadline.exports.material import Material
from leadline.pipeline.rendering import to_markdown
from leadline.records import Page, Record, Report, Run
from leadline.rendering import render_page

MANIFEST, RUN, REPORT, PAGES = "manifest.json", "run.json", "report.md", "pages/"

LARGEST = 1 << 30
"""Bytes of all files together that are read of a bundle: a thousand times what a run of a hundred pages takes."""

_MADE = (1980, 1, 1, 0, 0, 0)
"""The date of every file inside, lest the same run gives other bytes: the first that ZIP knows."""

_README = """\
The evidence of a report made by Leadline.

report.md, report.html   the report
report.json              its points with their evidence: page, quote, offsets, verdict
run.json                 the whole run as data
pages/                   the saved pages that the report cites. THEY HOLD THE FULL TEXTS OF THE SOURCES:
                         mind the rights of their authors before you hand this file on
notes/, events.jsonl     what was noted and said on the way
manifest.json            the SHA-256 of each file

To check it, without a network: leadline verify FILE.zip
"""


class Bundle(Record):
    """What a bundle holds, unchecked: its files by name, and the hashes that its manifest gives for them."""

    files: dict[str, bytes]
    hashes: dict[str, str]
    run: Run
    report: Report
    pages: dict[str, Page]


def to_bundle(material: Material) -> bytes:
    """Return the ZIP file. The same run gives the same bytes."""
    texts = {
        "README.txt": _README,
        REPORT: to_markdown(material.report),
        "report.html": render_page(material.view),
        "report.json": report_json(material.run),
        RUN: material.run.model_dump_json(indent=2),
        "events.jsonl": "".join(f"{event.model_dump_json()}\n" for event in material.events),
        **{f"{PAGES}{name}.json": page.model_dump_json(indent=2) for name, page in material.pages.items()},
        **{f"notes/{name}": note_markdown(note) for name, note in name_notes(material.notes, material.run).items()},
    }
    files = {name: text.encode("utf-8", "replace") for name, text in texts.items()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    files[MANIFEST] = json.dumps({"version": 1, "run": material.run.id, "sha256": hashes}, indent=2).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MADE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def read_bundle(path: Path) -> Bundle:
    """Return what a file holds that `to_bundle` has written, or that somebody has changed since.

    Raises:
        UsageError: it is no bundle, or cannot be read.
    """
    try:
        files = _unpack(path)
        pages = [Page.model_validate_json(content) for name, content in files.items() if name.startswith(PAGES)]
        run = Run.model_validate_json(files[RUN])
        hashes = json.loads(files[MANIFEST])["sha256"]
        if run.report is None or REPORT not in files:
            raise ValueError("it has no report")
        return Bundle(files=files, hashes=hashes, run=run, report=run.report, pages={page.id: page for page in pages})
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read ({error.strerror or error}).") from error
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, NotImplementedError, RuntimeError) as error:
        kind = "its records have another shape" if isinstance(error, ValidationError) else str(error) or type(error).__name__
        raise UsageError(f"{str(path)!r} is not a bundle of this release, or is damaged ({kind}).") from error


def _unpack(path: Path) -> Mapping[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        if sum(info.file_size for info in archive.infolist()) > LARGEST:
            raise ValueError(f"more than {LARGEST >> 20} MiB inside")
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
