"""HexaPro: lines of three different players, committed draws, payouts from drawn pools, and recovery."""

import pytest

from casino.errors import Code, Refusal
from casino.poker.tournament.hexapro import draw_commitment
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.tournament.hexapro_lines import Line
from casino.poker_room.tournament.hexapro_store import CommittedDraw
from casino.poker_room.tournament.messages import CancelHexa, RegisterHexa
from casino.poker_room.tournament.running_tournament import RunningTournament
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import PURSE, HouseOpened, TournamentHouse

LINE = "classic-100-eur"
FEE = 7


def line_of(house: TournamentHouse) -> Line:
    return house.room.tournaments.hexapro.lines[LINE]


async def register(house: TournamentHouse, player: str, games: int = 1, key: str = "") -> list[str]:
    reply = await house.ask(RegisterHexa(sender(player), "classic", 100, games, key or house.key()))
    return list(reply["entries"])


def games_of(house: TournamentHouse) -> list[RunningTournament]:
    return [game for game in house.room.tournaments.running.values() if game.spec.source == LINE]


def fix_draw(house: TournamentHouse, number: int) -> None:
    """The next draw of the line, which no player can know."""
    line = line_of(house)
    line.draws[0] = CommittedDraw(line.draws[0].no, number, line.draws[0].secret)


async def play(house: TournamentHouse) -> None:
    await house.play(lambda: not games_of(house))


async def test_three_different_players_make_a_game(house: HouseOpened) -> None:
    game = await house()
    await register(game, "p1", games=3)
    await register(game, "p2")
    assert games_of(game) == []
    assert (await game.checked())[f"mtt:{LINE}:pool:EUR"] == 400
    line = line_of(game)
    published = line.draws[0].commitment
    await register(game, "p3", games=2)
    [running] = games_of(game)
    assert {entry.player_id for entry in running.state.entries.values()} == {"p1", "p2", "p3"}
    [reveal] = [payload for name, payload in game.sent.to_players["p2"] if name == "hexa"]
    assert reveal["commitment"] == published == draw_commitment(reveal["secret"], reveal["number"])
    assert reveal["first_hand_at"] == game.clock() + 8_000
    assert [entry.player_id for entry in line.waiting] == ["p1", "p1", "p3"]
    assert len(line.draws) > len(line.waiting), "the draw of a waiting entry is committed to already"
    await game.checked()
    await game.verified()


@pytest.mark.parametrize(
    ("number", "house_pays", "won"), [(0, 99_700, (80_000, 12_000, 8_000)), (6, 700, (1000,)), (99_999, -100, (200,))]
)
async def test_prizes_are_the_drawn_multiple_of_one_buy_in(
    house: HouseOpened, number: int, house_pays: int, won: tuple[int, ...]
) -> None:
    game = await house()
    # The stored draw is another one: `verify` would notice.
    fix_draw(game, number)
    for player in ("p1", "p2", "p3"):
        await register(game, player)
    assert len(games_of(game)) == 1
    await play(game)
    balances = await game.checked()
    assert -balances["promo:EUR"] == house_pays
    purses = sorted(balances[f"player:{player}:cash"] - PURSE + 100 for player in ("p1", "p2", "p3"))
    assert purses == sorted((*won, *(0,) * (3 - len(won))))


async def test_a_waiting_entry_comes_back_in_full_once(house: HouseOpened) -> None:
    game = await house()
    entries = await register(game, "p1", games=2, key="both")
    assert await register(game, "p1", games=2, key="both") == entries
    back = CancelHexa(sender("p1"), entries[0], "back")
    assert (await game.ask(back))["available"] == (await game.ask(back))["available"] == PURSE - 100
    with pytest.raises(Refusal) as refusal:
        await game.ask(CancelHexa(sender("p2"), entries[1], "not mine"))
    assert refusal.value.code is Code.NOT_REGISTERED
    await game.checked()
    await game.verified()


async def test_lines_and_games_come_back_after_a_crash(house: HouseOpened) -> None:
    game = await house()
    await register(game, "p1", games=2)
    for player in ("p2", "p3"):
        await register(game, player)
    published = line_of(game).draws[0].commitment
    [before] = games_of(game)
    game = await game.crash(after_ms=10_000)
    assert line_of(game).draws[0].commitment == published
    [after] = games_of(game)
    assert before.reveal is not None
    assert after.reveal is not None, "the draw is shown again to players who come back"
    assert {**after.reveal, "first_hand_at": 0} == {**before.reveal, "first_hand_at": 0}
    assert [entry.player_id for entry in line_of(game).waiting] == ["p1"]
    await play(game)
    await game.checked()
    await game.verified()
    await game.close()


async def test_a_game_that_stood_still_for_five_minutes_follows_case_55(house: HouseOpened) -> None:
    """Own fee back, a tenth of the pool each, the rest by ICM."""
    game = await house()
    fix_draw(game, 99_999)
    for player in ("p1", "p2", "p3"):
        await register(game, player)
    game = await game.crash(after_ms=5 * 60_000 + 1)
    assert games_of(game) == []
    balances = await game.checked()
    assert sorted(balances[f"player:{player}:cash"] - PURSE + 100 for player in ("p1", "p2", "p3")) == [
        66 + FEE,
        67 + FEE,
        67 + FEE,
    ]
    await game.close()


async def test_a_player_has_eight_games_at_most(house: HouseOpened) -> None:
    game = await house()
    for _ in range(2):
        await register(game, "p1", games=5)
    for player in ("p2", "p3"):
        await register(game, player, games=8)
    for player in ("p4", "p5"):
        await register(game, player, games=2)
    playing = [entry.player_id for running in games_of(game) for entry in running.state.entries.values()]
    assert max(playing.count(player) for player in set(playing)) == 8
    await game.checked()


async def test_entries_play_with_a_new_draw_when_the_key_of_the_old_ones_is_lost(
    house: HouseOpened, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await house(3)
    for player in ("p1", "p2"):
        await game.ask(RegisterHexa(sender(player), "classic", 100, 1, f"{player}-1"))
    old = [draw.no for draw in game.room.tournaments.hexapro.lines[LINE].draws]
    monkeypatch.setattr("tests.poker_room.tournament_house.SEAL", ShoeSeal("another key"))
    game = await game.crash()
    line = game.room.tournaments.hexapro.lines[LINE]
    assert [entry.player_id for entry in line.waiting] == ["p1", "p2"]
    assert min(draw.no for draw in line.draws) > max(old)
    await game.ask(RegisterHexa(sender("p3"), "classic", 100, 1, "p3-1"))
    [running] = [one for one in game.room.tournaments.running.values() if one.reveal is not None]
    assert running.spec.draw_no is not None
    assert running.spec.draw_no > max(old)
    await game.play_out(running)
    await game.checked()
    await game.verified()
    await game.close()
