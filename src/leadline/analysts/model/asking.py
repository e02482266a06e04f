"""One request to a model, as all of this room sees it. Wrappers and wires are models; only a wire knows a protocol."""

import math
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from leadline.grounding.language import count_cjk
from leadline.models import Stage

SMALLEST = 4096
"""Tokens of a window of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked.

    Attributes:
        system: who the model is to be.
        user: the question with its material.
        stage: what the answer is for.
        reply: most tokens of the answer.
        todo: number of the todo that it belongs to; 0 for the run as a whole.
        key: what else makes it another question: the same text with another key is asked again.
    """

    system: str
    user: str
    stage: Stage
    reply: int
    todo: int = 0
    key: str = ""

    @property
    def tokens(self) -> int:
        """Estimated tokens of the prompt."""
        return count_tokens(self.system) + count_tokens(self.user) + 16


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of an answer. The last one has the tokens as the provider counts them."""

    text: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Model(Protocol):
    """Something that answers prompts."""

    name: str

    async def window(self) -> int:
        """Return how many tokens prompt and answer may have together."""
        ...

    def ask(self, prompt: Prompt) -> AsyncIterator[Piece]:
        """Yield the answer as it comes.

        Raises:
            ModelFailed: there is none.
        """
        ...


def count_tokens(text: str) -> int:
    """Return an estimate of a text's tokens that is rather too high: one a CJK character, one for 3.5 others.

    Tokenisers of 2024 and later need 0.6 to 0.9 tokens a Han character and one for about four Latin letters.
    """
    cjk = count_cjk(text)
    return cjk + math.ceil((len(text) - cjk) / 3.5)
