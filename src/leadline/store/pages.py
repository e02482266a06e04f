"""Saved pages as rows of a database, with the runs that use them."""

from collections.abc import Sequence

from leadline.errors import NotFound
from leadline.records import Page, Visit
from leadline.store.database import Connection, Database
from leadline.store.rows import check_name, is_name, to_record


class DatabaseSnapshots:
    """The pages of one run: see `leadline.ports.Snapshots`. A page is kept as long as a run that saved it."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        self._run = run

    async def save(self, page: Page, visit: Visit | None = None) -> None:
        """Keep a page for this run; saving the same id again changes nothing. A visit replaces the earlier one."""
        check_name("page", page.id)
        body = page.model_dump_json()
        await self._database.write(f"page {page.id}", lambda connection: _save(connection, self._run, page.id, body))
        if visit is not None:
            await self._database.write(f"visit {visit.address}", lambda connection: _note_visit(connection, visit))

    async def find_visit(self, address: str) -> Visit | None:
        """Return the latest visit of an address whose page is still kept."""
        sql = "SELECT visits.body FROM visits JOIN pages ON pages.id = visits.page WHERE visits.address = ?"
        rows = await self._database.read(lambda connection: connection.execute(sql, address))
        return to_record(Visit, rows[0][0], f"visit of {address}") if rows else None

    async def load(self, page: str) -> Page:
        """Return a saved page by id, whichever run saved it.

        Raises:
            NotFound: no such page.
        """
        sql = "SELECT body FROM pages WHERE id = ?"
        rows = await self._database.read(lambda connection: connection.execute(sql, page)) if is_name(page) else []
        if not rows:
            raise unsaved(page)
        return to_record(Page, rows[0][0], f"page {page}")

    async def list(self) -> Sequence[Page]:
        """Return the pages that this run has saved, by id."""
        sql = "SELECT pages.id, body FROM pages JOIN run_pages ON run_pages.page = pages.id WHERE run = ? ORDER BY pages.id"
        rows = await self._database.read(lambda connection: connection.execute(sql, self._run))
        return [to_record(Page, body, f"page {page}") for page, body in rows]


def unsaved(page: str) -> NotFound:
    """Return the error for a page that was not saved."""
    return NotFound(f"No saved page has the id {page!r}: the run that read it was deleted, or it was never read.")


def _save(connection: Connection, run: str, page: str, body: str) -> None:
    connection.execute("INSERT INTO pages (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", page, body)
    connection.execute("INSERT INTO run_pages (run, page) VALUES (?, ?) ON CONFLICT (run, page) DO NOTHING", run, page)


def _note_visit(connection: Connection, visit: Visit) -> None:
    sql = (
        "INSERT INTO visits (address, page, body) VALUES (?, ?, ?)"
        " ON CONFLICT (address) DO UPDATE SET page = excluded.page, body = excluded.body"
    )
    connection.execute(sql, visit.address, visit.page, visit.model_dump_json())
