"""What is kept: runs, their journal, events and signals, pages and notes; in memory, on SQLite or on PostgreSQL.

Read in this order: store (the one way in), journal, database (how SQL is run), then the rest.
"""

from leadline.store.store import Runs, Store, open_store

__all__ = ["Runs", "Store", "open_store"]
