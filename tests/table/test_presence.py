"""Who is at the table, and who is forgotten."""

from casino.table.presence import IDLE_ROUNDS_MAX, Presence


def test_names_of_those_who_left_are_forgotten_with_the_next_round() -> None:
    presence = Presence(seats=7)
    presence.join("ann", "Ann", None)
    presence.join("bob", "Bob", None)
    presence.leave("bob", keeps_seat=True)
    assert presence.names == {"ann": "Ann", "bob": "Bob"}, "who has left may still be in the round"
    presence.round_ends(())
    presence.forget_gone()
    assert presence.names == {"ann": "Ann"}
    assert presence.seat_of == {"ann": 1}


def full_table() -> Presence:
    presence = Presence(seats=7)
    for number in range(1, 8):
        assert presence.join(f"sitter-{number}", "Somebody", None) == number
    assert presence.join("ann", "Ann", None) is None
    assert presence.join("bob", "Bob", None) is None
    return presence


def test_seven_who_never_bet_make_room_for_those_who_wait() -> None:
    presence = full_table()
    playing = {"sitter-2", "sitter-5"}
    changed = [presence.round_ends(playing) for _ in range(IDLE_ROUNDS_MAX)]
    assert changed == [[], [], ["ann", "bob", "sitter-1", "sitter-3"]]
    assert (presence.seat_of["ann"], presence.seat_of["bob"]) == (1, 3), "the first to come sits first"
    assert playing <= presence.seat_of.keys(), "who bets stays"
    assert len(presence.seat_of) == 7, "and so does who need not go"


def test_nobody_makes_room_while_nobody_waits_or_a_seat_is_free() -> None:
    presence = full_table()
    presence.leave("ann", keeps_seat=False)
    presence.leave("sitter-7", keeps_seat=False)
    for _ in range(IDLE_ROUNDS_MAX):
        assert set(presence.round_ends(())) <= {"bob"}
    assert presence.seat_of["bob"] == 7
    assert [presence.seat_of[f"sitter-{number}"] for number in range(1, 7)] == [1, 2, 3, 4, 5, 6]


def test_a_bet_now_and_then_keeps_the_seat_and_who_lost_one_is_next_in_line() -> None:
    presence = full_table()
    everybody = set(presence.seat_of)
    for _ in range(3):
        for _ in range(IDLE_ROUNDS_MAX - 1):
            assert presence.round_ends(()) == []
        assert presence.round_ends(everybody) == []
    for _ in range(IDLE_ROUNDS_MAX):
        presence.round_ends(everybody - {"sitter-4"})
    assert presence.seat_of["ann"] == 4
    presence.leave("sitter-6", keeps_seat=True)
    presence.leave("sitter-2", keeps_seat=True)
    assert presence.round_ends(everybody) == ["bob", "sitter-4"], "each has one of the two seats left behind"
    assert {presence.seat_of["bob"], presence.seat_of["sitter-4"]} == {2, 6}
