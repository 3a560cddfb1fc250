"""Recovery of tournaments: a crash at every crash point costs the running hands only, and no money."""

from dataclasses import dataclass

import pytest

from casino.poker.tournament.state import Status
from casino.poker_room import hand_store
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import Join
from casino.poker_room.tournament import journal_store
from tests.deep import DEEP
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import HouseOpened

TWO, FIVE = "sng-2-1000-eur", "sng-5-1000-eur"
POINTS = (
    *("poker_hands_begun", "poker_hands_complete", "poker_hands_committed"),
    *("tournament_begun", "tournament_posted", "tournament_complete", "tournament_committed"),
)


class Crash(BaseException):
    """The process is gone."""


@dataclass
class CrashAt:
    """Ends the process when it reaches the point for the n-th time."""

    point: str
    number: int
    reached: int = 0

    def __call__(self, name: str) -> None:
        self.reached += name == self.point
        if name == self.point and self.is_dead():
            raise Crash

    def is_dead(self) -> bool:
        return self.reached >= self.number


async def test_a_running_hand_is_void_and_the_same_big_blind_is_due(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go(FIVE)
    await game.register(running, "p1", "p2", "p3", "p4", "p5")
    await game.play(lambda: running.tables[1].hand_no == 3 and running.tables[1].phase is Phase.PLAYING)
    table = running.tables[1]
    assert table.live is not None
    due, root = table.live.hand.positions, table.live.hand.root
    chips = {entry.player_id: entry.chips for entry in running.state.entries.values()}
    banks = {player: seat.bank_ms for player, seat in table.seats.seats.items()}
    after = await game.crash(after_ms=90_000)
    again = after.room.tournaments.running[running.tournament_id]
    assert {entry.player_id: entry.chips for entry in again.state.entries.values()} == chips
    assert {player: seat.bank_ms for player, seat in again.tables[1].seats.seats.items()} == banks
    assert again.state.running_ms(after.clock.now_ms) == pytest.approx(running.state.running_ms(0) or 0, abs=60_000)
    await after.play(lambda: again.tables[1].phase is Phase.PLAYING)
    live = again.tables[1].live
    assert live is not None
    hand = live.hand
    assert hand.positions == due
    assert hand.root != root
    state = await after.play_out(again)
    assert state.status is Status.FINISHED
    await after.checked()
    await after.verified()
    await after.close()


async def test_tables_wait_for_their_players_after_a_restart(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go(TWO)
    await game.register(running, "p1", "p2")
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    after = await game.crash()
    table = after.room.tournaments.running[running.tournament_id].tables[1]
    await after.advance(59_000)
    assert not table.is_dealt_in("p1")
    for player in ("p1", "p2"):
        await after.ask(Join(sender(player), table.terms.table_id))
    await after.advance(3_000)
    assert table.is_dealt_in("p1")
    await after.close()


async def test_a_tournament_that_stood_still_for_too_long_is_cancelled(house: HouseOpened) -> None:
    """Case 53: own fees, and the pool in two halves."""
    game = await house()
    running = game.sit_and_go(FIVE)
    await game.register(running, "p1", "p2", "p3", "p4", "p5")
    await game.play(lambda: running.tables[1].hand_no == 2)
    after = await game.crash(after_ms=31 * 60_000)
    await after.settle()
    balances = await after.checked()
    assert running.tournament_id not in after.room.tournaments.running
    assert sum(balances[f"player:p{number}:cash"] for number in range(1, 6)) == 5_000_000 - 50 * running.state.out
    await after.verified()
    await after.close()


@pytest.mark.parametrize("point", POINTS)
async def test_a_crash_at_each_point_costs_one_hand_and_no_money(
    house: HouseOpened, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """The process dies when it reaches the point for the n-th time, and another one takes over."""
    game = await house(seed=3)
    running = game.sit_and_go(FIVE)
    await game.register(running, "p1", "p2", "p3", "p4", "p5")
    for number in (2, 1, 3) if DEEP else (2,):
        crash = CrashAt(point, number)
        game.is_dead = crash.is_dead
        with monkeypatch.context() as patched:
            for module in (hand_store, journal_store):
                patched.setattr(module, "crash_point", crash)
            await game.play(crash.is_dead)
        game = await game.crash(after_ms=5_000)
        running = game.room.tournaments.running[running.tournament_id]
        assert sum(entry.chips for entry in running.state.entries.values()) == running.state.chips
    assert (await game.play_out(running)).status is Status.FINISHED
    balances = await game.checked()
    won = sorted(balances[f"player:p{number}:cash"] for number in range(1, 6))
    assert won == [999_000, 999_000, 999_000, 1_000_662, 1_002_088]
    await game.verified()
    await game.close()
