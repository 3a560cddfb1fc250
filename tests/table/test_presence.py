"""Who is at the table, and who is forgotten."""

from casino.table.presence import Presence


def test_names_of_those_who_left_are_forgotten_with_the_next_round() -> None:
    presence = Presence(seats=7)
    presence.join("ann", "Ann", None)
    presence.join("bob", "Bob", None)
    presence.leave("bob", keeps_seat=True)
    assert presence.names == {"ann": "Ann", "bob": "Bob"}, "who has left may still be in the round"
    presence.clear_seats()
    presence.forget_gone()
    assert presence.names == {"ann": "Ann"}
    assert presence.seat_of == {"ann": 1}
