"""Entry point to a round: opening, numbering, a whole round, and its stored events."""

import pytest

from casino.uth.bets import Action
from casino.uth.commands import OpenBetting
from casino.uth.events import BetPlaced, BettingOpened, dump_event, load_event
from casino.uth.phases import Phase
from casino.uth.results import results, showdown
from casino.uth.round import begin, decide, evolve, game_number, open_round
from tests.uth.tabletop import NOON_MS, SHARED, Tabletop, table_in


@pytest.mark.parametrize(
    ("at_ms", "number"),
    [
        (0, "00:00:00"),
        (NOON_MS, "12:00:00"),
        (NOON_MS + 999, "12:00:00"),
        (86_399_999, "23:59:59"),
        (3_661_000, "01:01:01"),
    ],
)
def test_game_number_is_the_gmt_time_the_round_began(at_ms: int, number: str) -> None:
    assert game_number(at_ms) == number


def test_opened_round_has_its_betting_time_and_terms() -> None:
    opened = open_round(OpenBetting("r1", "uth-1", SHARED, commitment="ab" * 32), NOON_MS)
    round_ = begin(opened)
    assert (round_.phase, round_.due_ms) == (Phase.BETTING, NOON_MS + 15_000)
    assert (round_.game_number, round_.terms, round_.commitment) == ("12:00:00", SHARED, "ab" * 32)


def test_whole_round_from_first_bet_to_payout() -> None:
    table = Tabletop()
    table.bet("ann", 500, 100)
    table.bet("bob", 1000)
    table.time_out()
    table.deal("As Ad")
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.CHECK, "bob")
    table.deal("7h 7c 2s")
    table.decide(Action.PLAY_2X, "bob")
    table.deal("Jd 3c")
    table.deal("Qh Qd")
    assert table.phase is Phase.SETTLED
    paid = results(table.round)
    assert (paid["ann"].staked, paid["ann"].returned) == (3100, 1000 + 500 + 0 + 4000)
    assert (paid["bob"].staked, paid["bob"].returned) == (4000, 2000 + 1000 + 4000)


def test_unfinished_round_pays_nothing() -> None:
    with pytest.raises(AssertionError):
        results(table_in(Phase.SHOWDOWN).round)
    assert showdown(table_in(Phase.SHOWDOWN).round, None) is None


def test_opening_event_survives_the_journal() -> None:
    opened = open_round(OpenBetting("r1", "uth-1", SHARED, commitment="ab" * 32), NOON_MS)
    plain = dump_event(opened)
    assert (plain["kind"], plain["version"]) == ("betting_opened", 2)
    assert load_event(plain) == opened


@pytest.mark.parametrize("change", [{"kind": "card_burnt"}, {"version": 2}, {"ante": "many"}])
def test_invalid_events_are_not_read(change: dict[str, object]) -> None:
    plain = dump_event(BetPlaced("ann", 500, 0, None, NOON_MS))
    with pytest.raises(ValueError, match=r".+"):
        load_event(plain | change)


def test_round_begins_only_once() -> None:
    table = Tabletop()
    with pytest.raises(ValueError, match="BettingOpened"):
        evolve(table.round, table.opened)
    assert isinstance(table.opened, BettingOpened)


def test_unknown_commands_raise_type_error() -> None:
    with pytest.raises(TypeError):
        decide(Tabletop().round, "deal", NOON_MS)  # type: ignore[arg-type]


def test_equal_bets_on_the_shared_hand_are_paid_alike() -> None:
    table = Tabletop()
    for player in ("ann", "bob", "cid"):
        table.bet(player, 500, 100)
    table.time_out()
    table.deal("As Ad")
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.PLAY_4X, "bob")
    table.time_out()
    table.deal("7h 7c 2s")
    table.time_out()
    table.deal("Jd 3c")
    table.time_out()
    table.deal("Qh Qd")
    paid = results(table.round)
    assert paid["ann"] == paid["bob"]
    assert paid["ann"].returned == 5500
    assert paid["cid"].returned == 0
