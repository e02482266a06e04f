"""Research as tools for agents, over the Model Context Protocol: on stdio, or under the address of a server.

Needs the package `mcp` (extra `leadline[mcp]`). A library goes by its name; no tool takes a path.
"""

import asyncio
import functools
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, Field
from starlette.requests import Request as HttpRequest
from starlette.types import ASGIApp

from leadline.desk import Desk
from leadline.errors import LeadlineError, UsageError
from leadline.events import PlanEvent, TaskEvent
from leadline.library import Library
from leadline.pipeline.check import rank
from leadline.pipeline.rendering import to_markdown
from leadline.records import NotRead, Page, Query, Request, Run, Source, Verdict
from leadline.standing import Board, Standing, fold, judge
from leadline.verification.markdown import find_evidence

LONGEST_WAIT = 45.0
"""Seconds that `research` waits at most: clients give a call up after 60."""

READ = 5
"""Documents that `verify` looks into."""

INSTRUCTIONS = """\
Leadline researches a question over libraries of documents and writes a report whose every cited sentence was checked against a
saved copy of its source. `research` begins a run and returns its id; `get_run` says how far it is; `get_report` reads the
report, a section at a time."""

P = ParamSpec("P")
T = TypeVar("T")


class RunSummary(BaseModel):
    """Where a run stands. `address` is where a person can read it."""

    id: str
    state: Standing
    address: str
    topic: str
    todos: list[str]
    points: int
    reason: str


class ReportPart(BaseModel):
    """A part of a report in Markdown. `sections` are the headings that can be asked for, by number from 1."""

    title: str
    section: int
    text: str
    references: list[Source]
    sections: list[str]


class FoundDocument(BaseModel):
    """A document of a library, and the place that matched."""

    address: str
    title: str
    snippet: str


class Proof(BaseModel):
    """The place of a document that says most about a sentence, and whether it says the same."""

    verdict: Verdict
    address: str
    title: str
    quote: str
    score: float


class Verification(BaseModel):
    """Whether the documents say what a sentence says; `proofs` has the best place of each, best first."""

    verdict: Verdict
    proofs: list[Proof]


RunName = Annotated[str, Field(description="The id of a run, or the start of it.", max_length=100)]
LibraryName = Annotated[str, Field(description="The name of a library.", max_length=64)]


def _told(tool: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Let a tool tell its caller what is wrong, instead of only that something is."""

    @functools.wraps(tool)
    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await tool(*args, **kwargs)
        except LeadlineError as error:
            raise ToolError(str(error)) from error

    return call


class Tools:
    """The tools, over the runs and libraries of a desk. Their docstrings are what an agent reads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def make_server(self) -> MCPServer:
        """Return the server that offers them."""
        server = MCPServer("leadline", instructions=INSTRUCTIONS, version=version("leadline"), log_level="ERROR")
        for tool in (self.research, self.get_run, self.cancel_run, self.get_report, self.search_library, self.verify):
            server.add_tool(_told(tool), description=inspect.getdoc(tool))
        return server

    async def research(
        self,
        topic: Annotated[str, Field(description="The question, as a person would ask it.", min_length=1, max_length=2000)],
        ctx: Context,
        libraries: Annotated[tuple[str, ...], Field(description="Names of libraries to research.", max_length=20)] = (),
        search: Annotated[tuple[str, ...], Field(description="Names of search backends to ask.", max_length=20)] = (),
        todos: Annotated[int | None, Field(description="How many parts; at most 5 when left out.", ge=1, le=12)] = None,
        language: Annotated[str | None, Field(description="Language of the report, as en or zh.", max_length=35)] = None,
        wait: Annotated[float, Field(description="Seconds to wait for the end.", ge=0, le=LONGEST_WAIT)] = 0,
    ) -> RunSummary:
        """Begin to research a question over libraries, search backends or both; over the web when neither is named.

        Returns at once, or when `wait` seconds are over or the run has ended. The run goes on by itself.
        """
        sources = tuple(f"@{name.removeprefix('@')}" for name in libraries)
        run = await self._desk.begin(
            Request(topic=topic, sources=sources, search=tuple(search), todos=todos, language=language)
        )
        if wait:
            await self._follow(run, ctx, wait)
        return await self._summarise(await self._desk.store.runs.load(run.id), ctx)

    async def get_run(self, run: RunName, ctx: Context) -> RunSummary:
        """Say where a run stands."""
        return await self._summarise(await self._desk.store.runs.load(run), ctx)

    async def cancel_run(self, run: RunName, ctx: Context) -> RunSummary:
        """Cancel a run. What it has found is kept, and can be read."""
        found = await self._desk.store.runs.load(run)
        await self._desk.cancel(found)
        return await self._summarise(await self._desk.store.runs.load(found.id), ctx)

    async def get_report(
        self, run: RunName, section: Annotated[int, Field(description="0 for title and overview.", ge=0)] = 0
    ) -> ReportPart:
        """Read the report of a run, a section at a time, with the sources that it cites."""
        found = await self._desk.store.runs.load(run)
        if found.report is None:
            raise UsageError(f"Run {found.id} has no report yet ({found.status}); ask again when it has ended.")
        head, *parts = re.split(r"^## ", to_markdown(found.report), flags=re.MULTILINE)
        if section > len(parts):
            raise UsageError(f"The report of run {found.id} has sections 1 to {len(parts)}, and 0 for its head; not {section}.")
        text = f"## {parts[section - 1]}" if section else head + (f"## {parts[0]}" if found.report.overview else "")
        cited = set(map(int, re.findall(r"(?<!\\)\[(\d+)\]", text)))
        return ReportPart(
            title=found.report.title,
            section=section,
            text=text.strip(),
            references=[source for source in found.report.references if source.number in cited],
            sections=[part.partition("\n")[0] for part in parts],
        )

    async def search_library(
        self,
        library: LibraryName,
        query: Annotated[str, Field(min_length=1, max_length=1000)],
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
    ) -> list[FoundDocument]:
        """Search a library of documents, without a run. Best first."""
        hits = await (await self._open(library)).search(Query(text=query, limit=limit))
        return [FoundDocument(address=hit.address, title=hit.title, snippet=hit.snippet) for hit in hits]

    async def verify(
        self, sentence: Annotated[str, Field(min_length=1, max_length=2000)], library: LibraryName
    ) -> Verification:
        """Check whether the documents of a library say what a sentence says, and show where."""
        opened = await self._open(library)
        pages = [await opened.read(hit) for hit in await opened.search(Query(text=sentence, limit=READ))]
        readable = [page for page in pages if not isinstance(page, NotRead)]
        proofs = await asyncio.to_thread(_prove, sentence, readable)
        return Verification(verdict=proofs[0].verdict if proofs else "unsupported", proofs=proofs)

    async def _open(self, library: str) -> Library:
        return await Library.open([f"@{library.removeprefix('@')}"], self._desk.settings.home)

    async def _follow(self, run: Run, ctx: Context, seconds: float) -> None:
        """Tell of each todo that begins or ends, until the run has ended or the time is up."""
        board = Board()
        try:
            async with asyncio.timeout(seconds):
                async for envelope in self._desk.store.runs.watch(run.id):
                    board.take(envelope.event)
                    if isinstance(envelope.event, PlanEvent | TaskEvent):
                        await ctx.report_progress(board.ended, len(board.lines), board.message)
        except TimeoutError:
            pass

    async def _summarise(self, run: Run, ctx: Context) -> RunSummary:
        state = judge(run, await self._desk.state(run) if run.status == "running" else None)
        board = fold(await self._desk.store.runs.events(run.id))
        return RunSummary(
            id=run.id,
            state=state,
            address=_find_address(run, ctx),
            topic=run.topic.text,
            todos=[f"{line.title}: {line.status}" for line in board.lines.values()],
            points=sum(line.points for line in board.lines.values()),
            reason=run.reason,
        )


def _prove(sentence: str, pages: Iterable[Page]) -> list[Proof]:
    """Return the best evidence that each page has for a sentence, best first."""
    found = [(evidence, page) for page in pages if (evidence := find_evidence(sentence, page))]
    found.sort(key=lambda each: rank(each[0]))
    return [
        Proof(verdict=each.verdict, address=page.address, title=page.title, quote=each.quote, score=each.score)
        for each, page in found
    ]


def _find_address(run: Run, ctx: Context) -> str:
    """Return the address of a run's page where a server has one, else the command that opens its report."""
    request = ctx.request_context.request
    return f"{request.base_url}runs/{run.id}" if isinstance(request, HttpRequest) else f"leadline open {run.id}"


async def serve_stdio(desk: Desk) -> None:
    """Answer on stdin and stdout until stdin ends."""
    await Tools(desk).make_server().run_stdio_async()


@asynccontextmanager
async def served_over_http(desk: Desk) -> AsyncIterator[ASGIApp]:
    """Yield what answers at `/mcp`; whoever lets requests through to it has checked them. Nothing is kept between requests."""
    server = Tools(desk).make_server()
    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(stateless_http=True, transport_security=checked)
    async with server.session_manager.run():
        yield app
