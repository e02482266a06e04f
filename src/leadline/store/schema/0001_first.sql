-- The SQL of both databases: SQLite takes any type name and stores what it is given.

CREATE TABLE runs (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    created TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX runs_created ON runs (created, id);

-- TEXT and not JSONB: JSONB refuses the escape of NUL, and answers must come back byte for byte.
CREATE TABLE journal (
    run TEXT NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    created TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run, key)
);

CREATE TABLE events (
    run TEXT NOT NULL,
    seq BIGINT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq),
    UNIQUE (run, key)
);

CREATE TABLE signals (
    run TEXT NOT NULL,
    seq BIGINT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq),
    UNIQUE (run, key)
);

CREATE TABLE pages (
    id TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
);

CREATE TABLE run_pages (
    run TEXT NOT NULL,
    page TEXT NOT NULL REFERENCES pages (id),
    PRIMARY KEY (run, page)
);

CREATE INDEX run_pages_page ON run_pages (page);

CREATE TABLE notes (
    id TEXT NOT NULL PRIMARY KEY,
    run TEXT NOT NULL,
    created TEXT NOT NULL,
    words TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX notes_created ON notes (created, id);

CREATE INDEX notes_run ON notes (run);
