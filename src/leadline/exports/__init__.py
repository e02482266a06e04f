"""Files made from a run: what the store holds, for people and programs. The store stays the truth.

`formats` makes one file of a report in any format; it loads more than the rest and is imported where it is used.
"""

from leadline.exports.data import report_json
from leadline.exports.files import prepare, write_file
from leadline.exports.folder import note_markdown, prepare_folder, slug, write

__all__ = ["note_markdown", "prepare", "prepare_folder", "report_json", "slug", "write", "write_file"]
