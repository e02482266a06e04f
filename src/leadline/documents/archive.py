"""Documents that are ZIP archives of XML: reading a member, within bounds."""

import zipfile
import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from leadline.errors import DocumentError

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST = 20 * 1024 * 1024
"""Bytes of all members together, after decompression, above which the document is not read."""
_MOST_MEMBERS = 10_000


class Archive:
    """An open archive. Every member that is read counts against one limit: a bomb stops there.

    Raises:
        DocumentError: `binary` when it can't be opened, `unreadable` when a member is damaged or encrypted, `too large` past
            the limit.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise DocumentError("binary", "The file is a damaged archive.") from error
        self._left = MOST
        self.names: Sequence[str] = self._zip.namelist()[:_MOST_MEMBERS]

    def read(self, name: str) -> bytes:
        """Return a member's bytes, b"" when there is no such member."""
        if name not in self.names:
            return b""
        try:
            with self._zip.open(name) as member:
                data = member.read(self._left + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as error:
            raise DocumentError("unreadable", "The archive is damaged.") from error
        except RuntimeError as error:  # what zipfile raises for want of a password
            raise DocumentError("unreadable", "There is no readable text (encrypted).") from error
        self._left -= len(data)
        if self._left < 0:
            raise DocumentError("too large", f"The document is larger than {MOST // 1024**2} MB.")
        return data

    def read_xml(self, name: str) -> "_Element | None":
        """Return the root of an XML member, None when there is no such member. Entities are not resolved."""
        from lxml import etree  # 20 ms, and most folders hold no such document

        data = self.read(name)
        if not data:
            return None
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)
        try:
            return etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise DocumentError("unreadable", "The document's XML is damaged.") from error
