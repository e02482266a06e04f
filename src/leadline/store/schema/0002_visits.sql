-- What servers said about saved pages. No reference to `pages`: a visit whose page is gone counts as none, and is replaced.

CREATE TABLE visits (
    address TEXT NOT NULL PRIMARY KEY,
    page TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX visits_page ON visits (page);
