from collections.abc import Callable, Sequence

import pytest
from bench.misbehaviour import (
    ASKS,
    BEGIN,
    END,
    KINDS,
    PAGE,
    PASSAGES,
    TODO,
    TOPIC,
    Ask,
    NoAccount,
    Replies,
    judge,
    make_table,
    text_of,
)

from leadline.analysts.extractive import ExtractiveAnalyst
from leadline.analysts.model.analyst import ModelAnalyst
from leadline.analysts.model.asking import Prompt
from leadline.analysts.model.conversation import Conversation
from leadline.analysts.model.shapes import read_quotes, read_repair, read_statements, read_todos
from leadline.errors import ModelFailed
from leadline.models import Manner

CASES = [(ask, kind) for ask in ASKS for kind in KINDS]


@pytest.mark.parametrize(("ask", "kind"), CASES)
def test_a_bad_reply_is_survived(ask: Ask, kind: str) -> None:
    outcome, once, twice = judge(ask, kind)
    for seen in (once, twice):
        assert seen.calls <= 2
        assert "HIDDEN" not in " ".join((*seen.said, *seen.told))
    assert once.said
    assert not once.told or ask == "plan"
    assert outcome == "used" or twice.said or twice.told


READERS: dict[str, Callable[[str], Sequence[object]]] = {
    "plan": lambda text: read_todos(text, "VACUUM"),
    "points": read_statements,
    "quotes": read_quotes,
    "repair": read_repair,
}


async def read(pieces: Sequence[str], ask: str) -> tuple[object, ...]:
    """Return all that is read of a reply, each thing once, in the order of its reading; of a plan, what counts in the end."""
    found: dict[object, None] = {}
    prompt = Prompt("", "", "plan", 100)
    try:
        async for some in Conversation().ask(Replies([pieces]), prompt, "en", lambda text, again: READERS[ask](text) or None):
            found = dict.fromkeys(some) if ask == "plan" else found | dict.fromkeys(some)
    except ModelFailed as error:
        return (str(error),)
    return tuple(found)


@pytest.mark.parametrize("ask", READERS)
@pytest.mark.parametrize("kind", KINDS)
async def test_what_a_reply_gives_does_not_hang_on_where_it_is_cut(ask: Ask, kind: str) -> None:
    reply = KINDS[kind](ask)[:500]
    whole = await read([reply], ask)
    assert await read(list(reply), ask) == whole
    for place in range(1, len(reply)):
        assert await read([reply[:place], reply[place:]], ask) == whole, place


async def test_points_are_shown_before_the_reply_ends() -> None:
    reply = text_of("points")
    model = Replies([[reply[: len(reply) * 3 // 4], reply[len(reply) * 3 // 4 :]]])
    analyst = ModelAnalyst(model, model, NoAccount(), Manner(), ExtractiveAnalyst())
    points = analyst.summarise(TOPIC, TODO, PASSAGES, 6)
    assert (await anext(points)).text == "VACUUM reclaims the space of dead rows."
    assert model.given == 1


def test_the_page_has_the_table_as_it_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0].strip() == make_table()
