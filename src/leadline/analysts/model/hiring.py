"""From a choice of models to an analyst. The model stack is loaded here, when it is first needed: it takes over a second."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from leadline.analysts.model.analyst import ModelAnalyst
from leadline.analysts.model.asking import Model
from leadline.analysts.model.providers import Endpoint, find_url, read_name
from leadline.analysts.model.wrappers import FallingBack, InTurn, Metered, Paced, Remembered, Retrying
from leadline.errors import UsageError
from leadline.models import Manner, ModelChoice
from leadline.pace import find_pace
from leadline.ports import Account, Analyst, Clock, Journal

if TYPE_CHECKING:
    from leadline.analysts.model.wire import Wire

_AT_ONCE = 16
"""Requests to one provider at once, for all todos of a run."""


FindKey = Callable[[str, Sequence[str]], str]
"""Returns the key of a provider by its name and variables; "" where there is none."""


def find_endpoint(name: str, url: str, find_key: FindKey) -> Endpoint:
    """Return where a model is asked.

    Args:
        name: `PROVIDER:NAME`.
        url: of its server; "" for the provider's own.
        find_key: finds its key.

    Raises:
        UsageError: the name or the URL cannot be used.
    """
    provider, model = read_name(name)
    return Endpoint(provider, model, find_url(provider, url), find_key(provider.name, provider.keys))


def find_endpoints(choice: ModelChoice, find_key: FindKey) -> list[Endpoint]:
    """Return where the models of a run are asked: the first, the fast one, the fall-back. The URL is that of the first.

    Raises:
        UsageError: a name, URL or key is missing.
    """
    first = read_name(choice.name)[0]
    names = [choice.name, choice.fast or choice.name, *([choice.fallback] if choice.fallback else [])]
    found = [find_endpoint(name, choice.url if read_name(name)[0] == first else "", find_key) for name in names]
    for endpoint in found:
        if endpoint.provider.needs_key and not endpoint.key and not endpoint.is_local:
            raise UsageError(
                f"{endpoint.name} needs a key: set {' or '.join(endpoint.provider.keys)},"
                f" or: leadline config set keys.{endpoint.provider.name} KEY"
            )
    return found


@dataclass(slots=True)
class Staff:
    """The models of a run, and what they share. `per_minute` are requests to each provider, of all runs of this process."""

    account: Account
    journal: Journal
    clock: Clock
    silence: float
    choice: ModelChoice
    per_minute: int | None = None
    wires: "dict[Endpoint, Wire]" = field(default_factory=dict)
    turns: dict[str, asyncio.Semaphore] = field(default_factory=dict)

    def hire(self, *endpoints: Endpoint) -> Remembered:
        """Return the first model, with the others to fall back on."""
        return Remembered(
            FallingBack([self._wrap(endpoint) for endpoint in dict.fromkeys(endpoints)], self.account), self.journal
        )

    async def close(self) -> None:
        """Close all connections."""
        for wire in self.wires.values():
            await wire.close()

    def _wrap(self, endpoint: Endpoint) -> Retrying:
        from leadline.analysts.model.prices import find_cost

        if endpoint not in self.wires:
            self.wires[endpoint] = connect(endpoint, self.silence, self.choice)
        at_once = self.choice.parallel or 1 if endpoint.is_local else _AT_ONCE
        turns = self.turns.setdefault(endpoint.host, asyncio.Semaphore(at_once))
        model: Model = Metered(self.wires[endpoint], self.account, partial(find_cost, endpoint))
        if self.per_minute:
            model = Paced(model, find_pace(endpoint.host, self.per_minute), self.clock)
        return Retrying(InTurn(model, turns), self.account, self.clock)


def connect(endpoint: Endpoint, silence: float, choice: ModelChoice) -> "Wire":
    """Return the wire to a model."""
    if endpoint.provider.native:
        from leadline.analysts.model.ollama import OllamaModel

        return OllamaModel(endpoint, silence, choice.context)
    from leadline.analysts.model.compatible import CompatibleModel

    return CompatibleModel(endpoint, silence, choice.context)


def hire_analyst(staff: Staff, endpoints: list[Endpoint], manner: Manner, stand_in: Analyst) -> ModelAnalyst:
    """Return the analyst whose models are at these endpoints (`find_endpoints`)."""
    first, fast, *others = endpoints
    return ModelAnalyst(staff.hire(first, *others), staff.hire(fast, *others), staff.account, manner, stand_in)
