"""Codec of versioned events: stored bytes never change, and invalid data is refused."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import orjson
import pytest

from casino.event_codec import EventCodec
from casino.poker import events as poker
from casino.poker.tournament import events as tournament
from casino.uth import events as uth

STORED = (Path(__file__).parent / "vectors" / "uth_events.jsonl").read_bytes().splitlines()


@dataclass(frozen=True, slots=True)
class Opened:
    at_ms: int
    note: str = ""
    kind: Literal["opened"] = "opened"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class Closed:
    cards: tuple[str, ...]
    kind: Literal["closed"] = "closed"
    version: Literal[1] = 1


CODEC = EventCodec[Opened | Closed](Opened | Closed)


@pytest.mark.parametrize("stored", STORED, ids=lambda line: orjson.loads(line)["kind"])
def test_stored_uth_events_keep_every_byte(stored: bytes) -> None:
    """The journal chains hashes of these bytes: one changed byte would break every chain."""
    event = uth.load_event(orjson.loads(stored))
    assert orjson.dumps(uth.dump_event(event), option=orjson.OPT_SORT_KEYS) == stored


def test_every_kind_of_uth_event_is_among_the_stored_ones() -> None:
    kinds = {event.__dataclass_fields__["kind"].default for event in get_args(uth.Event)}
    assert {orjson.loads(line)["kind"] for line in STORED} == kinds


def test_an_event_is_read_back_by_its_kind() -> None:
    for event in (Opened(5, "x"), Opened(5, version=1), Closed(("As",))):
        assert CODEC.load(orjson.loads(orjson.dumps(CODEC.dump(event)))) == event


@pytest.mark.parametrize(
    "plain",
    [
        {"kind": "shut", "version": 1},
        {"version": 1, "at_ms": 5},
        {"kind": "opened", "version": 3, "at_ms": 5},
        {"kind": "opened", "at_ms": "soon"},
        {"kind": "closed", "at_ms": 5},
    ],
    ids=str,
)
def test_other_kinds_versions_and_fields_are_refused(plain: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        CODEC.load(plain)


def test_two_classes_cannot_share_a_kind() -> None:
    @dataclass(frozen=True)
    class Again:
        kind: Literal["opened"] = "opened"
        version: Literal[1] = 1

    with pytest.raises(TypeError, match="'opened' for discriminator"):
        EventCodec[Opened | Again](Opened | Again)


@pytest.mark.parametrize("module", [uth, poker, tournament], ids=lambda module: module.__name__)
def test_every_event_has_a_kind_and_a_version(module: object) -> None:
    for event in get_args(getattr(module, "Event")):  # noqa: B009  one name in three modules
        assert {"kind", "version"} <= {*event.__dataclass_fields__}
