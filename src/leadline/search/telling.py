"""How the wrappers of searches say what they do."""

from collections.abc import Awaitable, Callable

Tell = Callable[[str], Awaitable[None]]
"""Tells whoever follows the run a sentence."""


async def tell_nobody(sentence: str) -> None:
    """Keep it to oneself, where nobody follows."""
