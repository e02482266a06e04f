"""Signs of life, by lock files and by advisory locks."""

import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest

from leadline.engine import Place
from leadline.engine.advisory import AdvisoryLocks, key_of
from leadline.engine.signs import LockFiles, Signs, taken
from leadline.errors import StoreError

Make = Callable[[], Signs]


@pytest.fixture
def make(place: Place) -> Iterator[Make]:
    """Return a function that makes the signs of one more process."""
    made: list[Signs] = []

    def make_one() -> Signs:
        place.folder.mkdir(parents=True, exist_ok=True)
        made.append(AdvisoryLocks(place.database_url) if place.database_url else LockFiles(place.folder))
        return made[-1]

    yield make_one
    for signs in made:
        signs.release()


def ignore() -> None:
    pass


def test_who_holds_its_lock_lives(make: Make) -> None:
    one, other = make(), make()
    one.hold("e1", ignore)
    with taken(other, "e1") as dead:
        assert not dead


def test_who_has_let_go_is_dead(make: Make) -> None:
    one, other = make(), make()
    one.hold("e1", ignore)
    one.release()
    with taken(other, "e1") as dead:
        assert dead


def test_only_one_looks_after_the_dead_and_it_may_ask_again(make: Make) -> None:
    one, other = make(), make()
    with taken(one, "e1") as dead, taken(one, "e1") as again:
        assert dead
        assert again
        assert not other.take("e1")
    assert other.take("e1")
    other.bury("e1")
    other.drop("e1")
    with taken(one, "e1") as dead:
        assert dead


def test_an_id_in_use_cannot_be_held(make: Make) -> None:
    one, other = make(), make()
    one.hold("e1", ignore)
    with pytest.raises(StoreError):
        other.hold("e1", ignore)


def test_the_loss_of_the_connection_is_told(postgres_url: str) -> None:
    lost = threading.Event()
    signs, other = AdvisoryLocks(postgres_url), AdvisoryLocks(postgres_url)
    signs.hold("e1", lost.set)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    assert lost.wait(2)
    with taken(other, "e1") as dead:
        assert dead
    signs.release()
    other.release()


def test_keys_are_signed_numbers_of_64_bits() -> None:
    keys = {key_of(str(number)) for number in range(1000)}
    assert len(keys) == 1000
    assert all(-(2**63) <= key < 2**63 for key in keys)
    assert min(keys) < 0 < max(keys)
