"""Folders of documents, indexed; also a search backend and a reader."""
