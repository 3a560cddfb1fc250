"""Proofs of whole tournaments: crashes at every point, refunds in the money, and HexaPro games in great number."""

import random
from collections import Counter

import pytest

from casino.poker.tournament.cancel import Case
from casino.poker.tournament.state import Status
from casino.poker_room import hand_store
from casino.poker_room.tournament import journal_store
from casino.poker_room.tournament.messages import RegisterHexa
from casino.poker_room.tournament.staff_messages import CancelTournament, PreviewCancellation
from casino.storage.database import Database
from casino.users.roles import Person
from tests.deep import DEEP
from tests.poker_room.running_room import sender
from tests.poker_room.test_multi_table import begin, places_of
from tests.poker_room.test_tournament_recovery import POINTS, CrashAt
from tests.poker_room.tournament_house import PURSE, HouseOpened, published

MIA = Person("mia-id", "Mia", "manager")
SEEDS = range(500) if DEEP else range(1)
CRASHES = 4
HEXAPRO_GAMES = 300 if DEEP else 6
CHI_SQUARE_MAX = 27.88
"""99.9 % of chi-square with nine degrees of freedom; the rarest multipliers count as one."""


@pytest.mark.parametrize("seed", SEEDS)
async def test_27_players_and_crashes_at_random_points(
    house: HouseOpened, database: Database, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Places are 1 to 27 without a gap, prizes are the pool, and no chip is made or lost."""
    chance = random.Random(seed)
    game = await house(27, seed=seed)
    running = await begin(game, 27, structure="hyper", late_levels=0, guarantee=30_000)
    for _ in range(CRASHES):
        crash = CrashAt(chance.choice(POINTS), chance.randint(1, 20))
        game.is_dead = crash.is_dead
        with monkeypatch.context() as patched:
            for module in (hand_store, journal_store):
                patched.setattr(module, "crash_point", crash)
            await game.play(lambda: crash.is_dead() or running.state.status is Status.FINISHED)  # noqa: B023
        if not crash.is_dead():
            break
        game = await game.crash(after_ms=chance.randint(0, 60_000))
        if running.tournament_id not in game.room.tournaments.running:
            break
        running = game.room.tournaments.running[running.tournament_id]
        assert sum(entry.chips for entry in running.state.entries.values()) == running.state.chips == 27 * 5000
    if running.tournament_id in game.room.tournaments.running:
        await game.play_out(running)
    assert await places_of(database, running) == [*range(1, 28)]
    balances = await game.checked()
    assert sum(balances[f"player:p{number}:cash"] - PURSE for number in range(1, 28)) == 30_000 - 27_000
    await game.verified()
    await game.close()


@pytest.mark.parametrize(("most_left", "case"), [(6, Case.IN_THE_MONEY), (2, Case.FINAL_TABLE)])
async def test_a_tournament_in_the_money_is_refunded_with_the_heads_of_players(
    house: HouseOpened, most_left: int, case: Case
) -> None:
    """Tables of two, and six of nine places are paid: the bubble is played hand-for-hand, the money at many tables."""
    settings = published()
    payouts = settings.payouts.model_copy(update={"share_percent": 60})
    game = await house(9, seed=11, settings=published(**{"payouts.toml": payouts}))
    running = await begin(game, 9, seats=2, structure="hyper", late_levels=0, bounty={"kind": "progressive"})
    was_hand_for_hand = False

    def is_there() -> bool:
        nonlocal was_hand_for_hand
        was_hand_for_hand = was_hand_for_hand or running.state.is_hand_for_hand
        return running.state.left <= most_left

    await game.play(is_there)
    assert was_hand_for_hand
    left = running.state.left
    before = await game.checked()
    heads = {entry.player_id: entry.head for entry in running.state.entries.values() if entry.out_no is None}
    preview = await game.ask(PreviewCancellation(running.tournament_id))
    assert preview["case"] == case.value
    assert {refund["player_id"]: refund["bounty"] for refund in preview["refunds"]} == heads
    assert all(heads.values())
    await game.ask(CancelTournament(running.tournament_id, MIA, "a fault"))
    after = await game.checked()
    for refund in preview["refunds"]:
        cash = f"player:{refund['player_id']}:cash"
        assert after[cash] - before[cash] == refund["fees"] + refund["share"] + refund["bounty"]
    shares = sum(refund["share"] for refund in preview["refunds"])
    assert shares == sum(running.state.prizes[:left])
    assert running.state.status is Status.CANCELLED
    await game.verified()


async def test_hexapro_games_pay_the_drawn_pools(house: HouseOpened) -> None:
    """What players have won and what the house has paid agree with the draws, which have the published odds."""
    game = await house(3, seed=9)
    drawn: Counter[int] = Counter()
    played = 0
    while played < HEXAPRO_GAMES:
        for player in ("p1", "p2", "p3"):
            await game.ask(RegisterHexa(sender(player), "classic", 100, 3, game.key()))
        running = [one for one in game.room.tournaments.running.values() if one.reveal is not None]
        assert len(running) == 3
        for one in running:
            assert one.reveal is not None
            drawn[one.reveal["multiplier"]] += 1
        played += len(running)
        await game.play(lambda: not any(one.reveal for one in game.room.tournaments.running.values()))
    balances = await game.checked()
    pools = 100 * sum(multiplier * games for multiplier, games in drawn.items())
    assert sum(balances[f"player:p{number}:cash"] - PURSE for number in (1, 2, 3)) == pools - 300 * played
    assert balances["promo:EUR"] == 300 * played - pools
    if DEEP:
        odds = game.settings.products["classic"].odds
        common = [multiplier for multiplier, chances in odds.items() if chances >= 2500]
        rare = [multiplier for multiplier in odds if multiplier not in common]
        groups = [[multiplier] for multiplier in common] + [rare]
        expected = [played * sum(odds[one] for one in group) / 100_000 for group in groups]
        found = [sum(drawn[one] for one in group) for group in groups]
        chi = sum((one - other) ** 2 / other for one, other in zip(found, expected, strict=True))
        assert chi < CHI_SQUARE_MAX
    await game.verified()
