"""Folders of documents, indexed; also a search backend and a reader."""

from leadline.library.library import Library
from leadline.library.registry import NamedLibrary, Registry
from leadline.library.roots import Root, find_path, find_roots, write_path
from leadline.library.skipping import summarise_skipped

__all__ = ["Library", "NamedLibrary", "Registry", "Root", "find_path", "find_roots", "summarise_skipped", "write_path"]
