"""Unauthenticated pool: bounded, and idle connections make room."""

from dataclasses import dataclass, field

import pytest

from casino.security.unauthenticated_pool import IDLE_SECONDS_MIN, Pool, PoolLimits, Slot

pytestmark = pytest.mark.req("SEC-5")

LIMITS = PoolLimits(total=5, per_address=3, from_loopback=4, signed_in_per_address=2, signed_in_from_loopback=2)


@dataclass
class Scene:
    now: float = 0.0
    evicted: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pool = Pool(LIMITS, lambda: self.now)

    def enter(self, name: str, address: str = "192.0.2.1") -> Slot | None:
        return self.pool.enter(address, lambda: self.evicted.append(name))

    def entered(self, name: str, address: str = "192.0.2.1") -> Slot:
        slot = self.enter(name, address)
        assert slot is not None
        return slot


def test_address_has_bounded_places_and_idle_ones_are_not_evicted_early() -> None:
    scene = Scene()
    for name in "abc":
        scene.entered(name)
    assert scene.enter("d") is None
    scene.entered("e", "192.0.2.2")
    assert scene.evicted == []


@pytest.mark.parametrize(("address", "places"), [("192.0.2.1", 128), ("127.0.0.1", 512)])
def test_an_address_has_the_places_that_are_promised(address: str, places: int) -> None:
    pool = Pool(PoolLimits(), lambda: 0.0)
    entered = [pool.enter(address, lambda: None) for _ in range(places + 1)]
    assert [slot is not None for slot in entered] == [True] * places + [False]


def test_all_addresses_together_have_the_places_that_are_promised() -> None:
    pool = Pool(PoolLimits(), lambda: 0.0)
    entered = [pool.enter(f"192.0.2.{number % 100}", lambda: None) for number in range(1_001)]
    assert [slot is not None for slot in entered] == [True] * 1_000 + [False]


def test_the_longest_idle_makes_room_and_progress_counts() -> None:
    scene = Scene()
    first = scene.entered("a")
    for name in "bc":
        scene.entered(name)
    scene.now = IDLE_SECONDS_MIN
    first.touch()
    scene.entered("d")
    assert scene.evicted == ["b"]
    assert len(scene.pool) == 3


def test_the_machine_itself_has_more_places() -> None:
    scene = Scene()
    for name in "abcd":
        scene.entered(name, "127.0.0.1")
    assert scene.enter("e", "127.0.0.1") is None


def test_when_the_pool_is_full_the_most_crowded_address_makes_room() -> None:
    scene = Scene()
    for name in "abc":
        scene.entered(name)
    for name in "de":
        scene.entered(name, "192.0.2.2")
    assert scene.enter("f", "192.0.2.3") is None
    scene.now = IDLE_SECONDS_MIN
    scene.entered("f", "192.0.2.3")
    assert scene.evicted == ["a"]


def test_connection_under_verification_is_not_evicted_and_returns_if_refused() -> None:
    scene = Scene()
    slots = [scene.entered(name) for name in "abc"]
    scene.now = 10 * IDLE_SECONDS_MIN
    for slot in slots:
        slot.hold()
    assert len(scene.pool) == 0
    scene.entered("d")
    assert scene.evicted == []
    for slot in slots:
        slot.release()
    assert len(scene.pool) == 4
    for slot in slots:
        slot.leave()
        slot.leave()
    assert len(scene.pool) == 1


def test_signed_in_connections_use_no_place_and_are_bounded_by_themselves() -> None:
    scene = Scene()
    slots = [scene.entered(name) for name in "abc"]
    for slot in slots:
        slot.authenticate()
        slot.authenticate()
    assert [slot.is_signed_in for slot in slots] == [True, True, False]
    assert len(scene.pool) == 1
    slots[0].leave()
    slots[2].authenticate()
    assert slots[2].is_signed_in
    assert len(scene.pool) == 0


def test_authenticating_while_being_verified() -> None:
    scene = Scene()
    slot = scene.entered("a")
    slot.hold()
    slot.authenticate()
    slot.release()
    assert slot.is_signed_in
    assert len(scene.pool) == 0
    slot.leave()
    assert len(scene.pool) == 0
