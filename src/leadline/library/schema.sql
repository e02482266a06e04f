CREATE TABLE files (
    root INTEGER NOT NULL,
    path BLOB NOT NULL,          -- relative to the root, as the file system has it: not every name is UTF-8
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,      -- nanoseconds
    document INTEGER,            -- NULL: skipped, see failure
    failure TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (root, path)
) WITHOUT ROWID;

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,     -- SHA-256 of the bytes
    title TEXT NOT NULL,
    authors TEXT NOT NULL,       -- JSON array
    site TEXT NOT NULL,
    date TEXT NOT NULL,
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    pages TEXT NOT NULL,         -- JSON array: offsets in the text at which pages start
    part TEXT NOT NULL,
    identifiers TEXT NOT NULL    -- JSON array
);

CREATE TABLE windows (
    number INTEGER PRIMARY KEY,  -- the row in words
    document INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL
);
CREATE INDEX windows_by_document ON windows (document);

CREATE VIRTUAL TABLE words USING fts5 (text, context, tokenize = 'porter unicode61');
