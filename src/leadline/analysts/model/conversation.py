"""Asking a model until it has answered in a form that can be read: once, and once again."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from leadline.analysts.model.asking import Model, Prompt
from leadline.analysts.model.prompting import name_language, neutralise, render
from leadline.analysts.model.thinking import hides_reasoning, is_open, visible
from leadline.errors import ModelFailed
from leadline.grounding.language import count_cjk, detect

T = TypeVar("T")

Read = Callable[[str, bool], Sequence[T] | None]
"""Reads an answer, and says None where it cannot be used. The second argument is true when it was asked for again: what is
merely not as it should be then has to do."""

_SHOWN = 400
"""Characters of an unusable answer that the model gets to see again."""

_ENDS = re.compile("[\"'”}｝\\]]")
"""Signs with which a string, list or object may end."""

_CJK = ("zh", "ja", "ko")
_NAME = 16
"""Characters below which a text without CJK may be a name that every language writes so."""


@dataclass(slots=True)
class Conversation:
    """What is said with the models of a run. It remembers which of them reason without saying so."""

    hiding: set[str] = field(default_factory=set)

    async def ask(
        self, model: Model, prompt: Prompt, language: str, read: Read[T], hear: Callable[[str], None] | None = None
    ) -> AsyncIterator[Sequence[T]]:
        """Yield what can be read of the answer each time more of it has come; the last is all of it.

        Args:
            model: whom to ask.
            prompt: what.
            language: of the answer.
            read: reads it.
            hear: gets to see what has come with every string that ends, before an object does.

        Raises:
            ModelFailed: nothing could be read, even when asked again.
        """
        text = ""
        for again in (False, True):
            async for text in self._follow(model, prompt, hear):
                if found := read(text, again):
                    yield found
            if read(text, again) is not None:
                return
            prompt = _ask_again(prompt, text, language)
        raise ModelFailed("unusable", model.name, " ".join(text.split())[:120] or "the answer was empty")

    async def _follow(self, model: Model, prompt: Prompt, hear: Callable[[str], None] | None) -> AsyncIterator[str]:
        """Yield what is openly said so far whenever an object may have ended, and in the end.

        While it might still turn out to be reasoning, nothing is said.
        """
        raw = ""
        async for piece in model.ask(prompt):
            raw += piece.text
            if not _ENDS.search(piece.text) or model.name in self.hiding or not is_open(said := visible(raw)):
                continue
            if hear:
                hear(said)
            if "}" in piece.text or "｝" in piece.text:
                yield said
        if hides_reasoning(raw):
            self.hiding.add(model.name)
        yield visible(raw)


def _ask_again(prompt: Prompt, text: str, language: str) -> Prompt:
    """Return the prompt with what was wrong with the answer, within the same room."""
    spoken = "the language of the passages" if prompt.stage == "locate" else name_language(language)
    _, words = render("again", answer=neutralise(text)[:_SHOWN], language=spoken)
    return replace(prompt, user=f"{prompt.user}\n\n{words}")


def speaks(text: str, language: str) -> bool:
    """Say whether a text may be in a language, as far as its script tells; a short text without CJK may be a name."""
    wanted = language.split("-")[0]
    if not count_cjk(text):
        return wanted not in _CJK or len(text) < _NAME
    spoken = detect(text).split("-")[0]
    return spoken == wanted if wanted in _CJK or spoken in _CJK else True
