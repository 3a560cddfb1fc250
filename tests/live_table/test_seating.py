"""Seating and waitlist: presence, seats, and the removal of inactive players."""

from collections.abc import Collection

from casino.live_table.seating import IDLE_ROUNDS_MAX, Seating


def test_names_of_departed_players_are_dropped_with_the_next_round() -> None:
    presence = Seating(seats=7)
    presence.join("ann", "Ann", None)
    presence.join("bob", "Bob", None)
    presence.leave("bob", keeps_seat=True)
    assert presence.names == {"ann": "Ann", "bob": "Bob"}, "who has left may still be in the round"
    assert presence.taken == [(1, "Ann"), (2, "Bob")]
    played(presence)
    presence.round_begins()
    assert presence.names == {"ann": "Ann"}
    assert presence.taken == [(1, "Ann")]


def full_table() -> Seating:
    presence = Seating(seats=7)
    for number in range(1, 8):
        assert presence.join(f"sitter-{number}", "Somebody", None) == number
    assert presence.join("ann", "Ann", None) is None
    assert presence.join("bob", "Bob", None) is None
    return presence


def played(presence: Seating, players: Collection[str] = (), *, counts: bool = True) -> list[str]:
    """A whole round; whose seat is another after it."""
    assert presence.round_begins() == []
    return presence.round_ends(players, counts=counts)


def test_seven_inactive_players_lose_their_seats_to_waiting_players() -> None:
    presence = full_table()
    playing = {"sitter-2", "sitter-5"}
    changed = [played(presence, playing) for _ in range(IDLE_ROUNDS_MAX)]
    assert changed == [[], [], ["sitter-1", "sitter-3", "ann", "bob"]]
    assert (presence.seat_of["ann"], presence.seat_of["bob"]) == (1, 3), "the first to come sits first"
    assert playing <= presence.seat_of.keys(), "who bets stays"
    assert len(presence.seat_of) == 7, "and so does who need not go"


def test_seats_are_kept_while_no_player_waits_or_a_seat_is_free() -> None:
    presence = full_table()
    presence.leave("ann", keeps_seat=False)
    presence.leave("sitter-7", keeps_seat=False)
    assert presence.round_begins() == ["bob"], "who waits has the free seat before the next round"
    assert presence.seat_of["bob"] == 7
    for _ in range(IDLE_ROUNDS_MAX):
        assert played(presence) == []


def test_occasional_bets_keep_the_seat_and_removed_players_are_first_in_the_waitlist() -> None:
    presence = full_table()
    everybody = set(presence.seat_of)
    for _ in range(3):
        for _ in range(IDLE_ROUNDS_MAX - 1):
            assert played(presence) == []
        assert played(presence, everybody) == []
    for _ in range(IDLE_ROUNDS_MAX):
        played(presence, everybody - {"sitter-4"})
    assert presence.seat_of["ann"] == 4
    presence.leave("sitter-6", keeps_seat=True)
    presence.leave("sitter-2", keeps_seat=True)
    assert played(presence, everybody) == ["bob", "sitter-4"], "each has one of the two seats left behind"
    assert {presence.seat_of["bob"], presence.seat_of["sitter-4"]} == {2, 6}


def test_waiting_players_are_never_overtaken() -> None:
    presence = full_table()
    presence.leave("sitter-3", keeps_seat=False)
    assert presence.join("newcomer", "New", 3) is None, "Ann and Bob were here first"
    assert presence.join("bob", "Bob", 3) is None, "and Ann before Bob"
    assert presence.join("ann", "Ann", 3) == 3
    presence.leave("sitter-5", keeps_seat=False)
    assert presence.round_begins() == ["bob"]


def test_two_players_alternating_on_a_seat_lose_it() -> None:
    presence = full_table()
    for turn in range(10):
        names = ("sitter-1", "twin") if turn % 2 == 0 else ("twin", "sitter-1")
        presence.leave(names[0], keeps_seat=False)
        presence.join(names[1], "Twin", 1)
        presence.round_begins()
        presence.round_ends({"ann", "bob"})
    assert {"ann", "bob"} <= presence.seat_of.keys()


def test_briefly_disconnected_player_keeps_the_seat_without_a_bet() -> None:
    presence = full_table()
    for _ in range(IDLE_ROUNDS_MAX):
        presence.leave("sitter-2", keeps_seat=False)
        assert presence.join("sitter-2", "Somebody", None) == 2
        lost = played(presence, {f"sitter-{number}" for number in (1, 3, 4, 5, 6, 7)})
    assert lost == ["sitter-2", "ann"]


def test_rounds_without_betting_time_do_not_count_as_inactive() -> None:
    presence = full_table()
    for _ in range(IDLE_ROUNDS_MAX):
        assert played(presence, counts=False) == [], "the house has cancelled it"
    presence.leave("sitter-1", keeps_seat=False)
    presence.round_begins()
    presence.leave("sitter-2", keeps_seat=False)
    assert presence.join("bob", "Bob", None) == 2, "in the middle of a round"
    presence.round_ends(())
    for _ in range(IDLE_ROUNDS_MAX - 1):
        presence.join("carl", "Carl", None)
        assert "bob" not in played(presence)


def test_seat_can_be_changed_for_a_free_one_unless_it_has_a_bet() -> None:
    presence = Seating(seats=7)
    assert presence.join("ann", "Ann", 2) == 2
    assert presence.join("bob", "Bob", 3) == 3
    assert presence.join("ann", "Ann", 3) == 2, "taken"
    assert presence.join("ann", "Ann", 5) == 5
    assert presence.join("ann", "Ann", 6, may_move=False) == 5


def test_departed_players_leave_nothing_in_memory() -> None:
    presence = full_table()
    played(presence)
    for player_id in tuple(presence.here):
        presence.leave(player_id, keeps_seat=False)
    presence.round_begins()
    presence.round_ends(())
    kept = (
        presence.seat_of,
        presence.names,
        presence._idle,
        presence._waitlist,
        presence._left,
        presence._seated_at_start,
    )
    assert not any(kept)
