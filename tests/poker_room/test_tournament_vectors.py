"""Vectors of drawn pools and of refunds, as money in the ledger of a running room.

Stacks are reported to the director in place of the hand that is played, so `casino verify` is no part of these tests.
"""

import pytest

from casino.poker.tournament.commands import HandDone, SeatChips
from casino.poker.tournament.state import Status
from casino.poker_room.hand_runner import Phase
from casino.poker_room.tournament.hexapro_store import CommittedDraw
from casino.poker_room.tournament.messages import RegisterHexa
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.staff_messages import CancelTournament
from casino.settings.poker import PUBLISHED, PokerSettings, load_poker
from casino.settings.poker.products import Products
from casino.users.roles import Person
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import PURSE, HouseOpened, TournamentHouse, published

MIA = Person("mia-id", "Mia", "manager")
TRIO = ("p1", "p2", "p3")


def offering(product_id: str, buy_in: int) -> PokerSettings:
    """The shipped configuration with one HexaPro line."""
    products = load_poker(PUBLISHED)._part(Products)
    chosen = next(row for row in products.product if row.id == product_id)
    few = products.model_copy(update={"product": [chosen.model_copy(update={"buy_ins": [buy_in]})]})
    return published(**{"hexapro.toml": few})


async def hexapro_game(game: TournamentHouse, product: str, buy_in: int, number: int) -> RunningTournament:
    """A game with this draw, in its first hand."""
    line = game.room.tournaments.hexapro.lines[f"{product}-{buy_in}-eur"]
    line.draws[0] = CommittedDraw(line.draws[0].no, number, line.draws[0].secret)
    for player in TRIO:
        await game.ask(RegisterHexa(sender(player), product, buy_in, 1, f"key-{player}"))
    [running] = [one for one in game.room.tournaments.running.values() if one.reveal is not None]
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    return running


async def report(game: TournamentHouse, running: RunningTournament, stacks: list[int]) -> None:
    """The players have these stacks after the hand, in order of their names; those with none are out."""
    table = running.state.tables[1]
    players = sorted(((running.state.entries[entry_id].player_id, seat_no) for seat_no, entry_id in table.seats))
    chips = tuple(SeatChips(seat_no, stack) for (_, seat_no), stack in zip(players, stacks, strict=True))
    await running.director.post(HandDone(1, tuple(sorted(chips))))
    await game.settle()


async def refunded(game: TournamentHouse, running: RunningTournament, players: tuple[str, ...]) -> list[int]:
    before = await game.checked()
    await game.ask(CancelTournament(running.tournament_id, MIA, "a fault"))
    after = await game.checked()
    assert running.state.status is Status.CANCELLED
    return [after[f"player:{player}:cash"] - before[f"player:{player}:cash"] for player in players]


@pytest.mark.parametrize(
    ("product", "buy_in", "number", "won"),
    [
        pytest.param("extreme", 50, 1, [5000, 1000, 250], id="V11.3"),
        pytest.param("highroller", 2500, 3, [20_000, 2500, 2500], id="V11.4"),
    ],
)
async def test_drawn_pools_are_paid_by_place(
    house: HouseOpened, product: str, buy_in: int, number: int, won: list[int]
) -> None:
    game = await house(settings=offering(product, buy_in))
    running = await hexapro_game(game, product, buy_in, number)
    assert running.state.prizes == tuple(won)
    await game.play_out(running)
    balances = await game.checked()
    paid = sorted((balances[f"player:{player}:cash"] - PURSE + buy_in for player in TRIO), reverse=True)
    assert paid == won


@pytest.mark.parametrize(
    ("buy_in", "number", "stacks", "refunds"),
    [
        pytest.param(1000, 6, [900, 400, 200], [5200 + 69, 2867 + 69, 1933 + 69], id="V12.7"),
        pytest.param(100, 1, [900, 400, 200], [4671 + 7, 3027 + 7, 2302 + 7], id="V12.8"),
        pytest.param(100, 1, [1000, 500], [5507 + 7, 3693 + 7], id="V12.9"),
    ],
)
async def test_a_cancelled_hexapro_game_is_refunded(
    house: HouseOpened, buy_in: int, number: int, stacks: list[int], refunds: list[int]
) -> None:
    game = await house(settings=offering("classic", buy_in))
    running = await hexapro_game(game, "classic", buy_in, number)
    players = len(stacks)
    await game.play(lambda: running.state.left == players and running.tables[1].phase is Phase.PLAYING)
    await report(game, running, stacks)
    left = tuple(player for player in TRIO if player in running.seats)
    for player in set(TRIO) - set(left):
        assert (await game.checked())[f"player:{player}:cash"] == PURSE - buy_in + 800, (
            "the third prize is paid already"
        )
    assert await refunded(game, running, left) == refunds


async def test_v12_4_a_sit_and_go_before_the_money_is_refunded(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go("sng-5-1000-eur")
    await game.register(running, "p1", "p2", "p3", "p4", "p5")
    await game.play(lambda: running.state.left == 3 and running.tables[1].phase is Phase.PLAYING)
    await report(game, running, [4000, 2500, 1000])
    assert await refunded(game, running, tuple(sorted(running.seats))) == [2109, 1634, 1157]
