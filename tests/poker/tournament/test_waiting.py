"""Waitlists of games of fixed size: three different players, in order, with a limit of games at a time."""

from casino.poker.tournament.waiting import Waiting, next_game

LINE = [Waiting(f"e{number}", player) for number, player in enumerate("AABACB", start=1)]


def test_a_game_takes_the_first_entries_of_different_players() -> None:
    game = next_game(LINE, 3, {})
    assert game is not None
    assert [entry.entry_id for entry in game] == ["e1", "e3", "e5"]


def test_a_hexapro_line_without_enough_players_waits() -> None:
    assert next_game(LINE[:4], 3, {}) is None
    assert next_game([], 2, {}) is None


def test_entries_of_a_player_with_as_many_games_as_allowed_wait() -> None:
    assert next_game(LINE, 3, {"A": 8}) is None
    game = next_game([*LINE, Waiting("e7", "D")], 3, {"A": 8, "B": 7})
    assert game is not None
    assert [entry.entry_id for entry in game] == ["e3", "e5", "e7"]
    assert next_game(LINE, 2, {"B": 1}, games_max=1) == (LINE[0], LINE[4])
