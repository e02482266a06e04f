"""What a package offers to have a search backend of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from leadline.ports import SearchBackend

if TYPE_CHECKING:
    import httpx

LOCAL = "local"
"""The URL of a backend that stays on this machine."""

KeyNeed = Literal["none", "optional", "needed"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a backend is opened with.

    Attributes:
        client: for its requests: it keeps to `--offline`, and follows no redirect.
        key: of the user, "" when none is set. It must never be in a message.
        url: where the service is, "" for the backend's own.
        options: the rest of the table `[search.NAME]` of the settings.
        check: raises FetchFailed for a URL that may not be asked, for backends with a client of their own.
    """

    client: "httpx.AsyncClient"
    check: Callable[[str], None]
    key: str = field(default="", repr=False)
    url: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Provider:
    """A kind of search backend. An entry point in the group `leadline.search` names one.

    Attributes:
        name: as in `--search NAME`, and the settings `[search.NAME]`, `NAME_API_KEY` and `NAME_URL`.
        open: makes the backend.
        url: of the service; "" when the user must name it, `LOCAL` when the backend asks no host.
        key: whether the service asks for a key.
        longest: characters of a query that the service takes.
    """

    name: str
    open: Callable[[Setup], SearchBackend]
    url: str = ""
    key: KeyNeed = "none"
    longest: int = 400

    @property
    def variable(self) -> str:
        """The environment variable of the key."""
        return f"{name_variables(self.name)}_API_KEY"

    @property
    def url_variable(self) -> str:
        """The environment variable of the address."""
        return f"{name_variables(self.name)}_URL"


def name_variables(name: str) -> str:
    """Return what the environment variables of a backend begin with."""
    return name.upper().replace("-", "_").replace(".", "_")
