"""Export of tournament hands: chips, the tournament with its flags, and one name for an opponent at all its tables."""

import json
import tomllib
from typing import Any

import pytest

from casino.history.poker_export import DAY_MS, Exporter, Notation, Period, export_hands
from casino.poker_room.tournament.messages import RegisterHexa
from casino.storage.database import Database
from tests.poker_room.running_room import sender
from tests.poker_room.stored_tables import SEAL
from tests.poker_room.test_multi_table import begin
from tests.poker_room.tournament_house import TournamentHouse

READER = Exporter("p1", "Ann", b"a key", SEAL.open)


async def exported(house: TournamentHouse, notation: Notation, after_ms: int = DAY_MS + 1) -> str:
    return await export_hands(house.database, READER, notation, Period(0, 2**62), house.clock() + after_ms)


async def ohh(house: TournamentHouse) -> list[dict[str, Any]]:
    return [json.loads(line)["ohh"] for line in (await exported(house, Notation.OHH)).splitlines() if line]


async def test_hands_of_a_tournament_with_several_tables(database: Database) -> None:
    house = await TournamentHouse.open(database, 8, seed=3)
    fields: dict[str, Any] = {"structure": "hyper", "late_levels": 1, "seats": 4, "reentries_max": 1}
    running = await begin(house, 8, bounty={"kind": "progressive"}, **fields)
    await house.play_out(running)
    assert await exported(house, Notation.OHH, after_ms=DAY_MS - 60 * 60_000) == "", "they may still be in play"
    hands = await ohh(house)
    assert hands
    opponents: set[str] = set()
    for hand in hands:
        info = hand["tournament_info"]
        assert (hand["tournament"], hand["currency"], hand["table_size"]) == (True, "", 4)
        assert (info["type"], info["flags"]) == ("MTT", ["Progressive-Bounty", "Re-Entry"])
        assert (info["buyin_amount"], info["fee_amount"], info["bounty_fee_amount"]) == (4.5, 1, 4.5)
        assert (info["name"], info["currency"], info["initial_stack"]) == ("The Event", "EUR", 5000)
        names = {player["name"] for player in hand["players"]}
        assert "Ann" in names
        assert not {f"P{number}" for number in range(2, 9)} & names
        opponents |= names - {"Ann"}
        assert all("??" in action["cards"] for action in _dealt(hand) if action["player_id"] != hand["hero_player_id"])
    assert len(opponents) <= 7, "an opponent has one name at all tables"
    written = tomllib.loads(await exported(house, Notation.PHH))
    assert len(written) == len(hands)
    assert all(hand["event"] == "The Event" and "currency" not in hand for hand in written.values())
    await house.close()


def _dealt(hand: dict[str, Any]) -> list[dict[str, Any]]:
    return [action for action in hand["rounds"][0]["actions"] if action["action"] == "Dealt Cards"]


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        ({"rebuy": {"levels": 2}}, ["Rebuy"]),
        ({"bounty": {"kind": "regular"}}, ["Bounty"]),
        ({"satellite_to": "sunday-109", "total": 3000, "seats_guaranteed": 1}, ["Satellite"]),
    ],
)
async def test_flags_name_the_kind_of_tournament(database: Database, fields: dict[str, Any], flags: list[str]) -> None:
    house = await TournamentHouse.open(database, 3, seed=3)
    running = await begin(house, 3, structure="hyper", late_levels=0, **fields)
    await house.play(lambda: running.tables[1].hand_no > 1)
    assert {tuple(hand["tournament_info"]["flags"]) for hand in await ohh(house)} == {tuple(flags)}
    await house.close()


async def test_sit_and_gos_and_drawn_games_are_single_tables(database: Database) -> None:
    house = await TournamentHouse.open(database, 3, seed=3)
    sit_and_go = house.sit_and_go("sng-2-1000-eur")
    await house.register(sit_and_go, "p1", "p2")
    await house.play_out(sit_and_go)
    for player in ("p1", "p2", "p3"):
        await house.ask(RegisterHexa(sender(player), "classic", 100, 1, f"hexa-{player}"))
    await house.play(lambda: not any(one.reveal for one in house.room.tournaments.running.values()))
    found = {(hand["tournament_info"]["type"], *hand["tournament_info"]["flags"]) for hand in await ohh(house)}
    assert found == {("STT", "SNG"), ("STT", "SNG", "Lottery")}
    await house.close()
