"""Player limits: checked at the ANTE for the maximum loss of a round, by day, week and month, over several tables."""

import asyncio

import pytest

from casino.clock import NO_END_MS
from casino.errors import Code
from casino.responsible_gaming.play_sessions import PlaySessions
from casino.responsible_gaming.player_limits import DAY_MS, Kind, Period
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import CancelRound, CorrectRound
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.responsible_gaming.evening import HOUR_MS, LOSING, MINUTE_MS, WINNING, Evening, finish, here
from tests.uth.tabletop import NOON_MS  # a Tuesday, the 14th of November 2023

pytestmark = pytest.mark.req("RGP")

MIDNIGHT_MS = NOON_MS + 12 * HOUR_MS
MONDAY_MS = MIDNIGHT_MS + 5 * DAY_MS
DECEMBER_MS = MIDNIGHT_MS + 16 * DAY_MS


@pytest.fixture
async def evening(database: Database) -> Evening:
    await fill_purses(database)
    return Evening(database)


async def test_most_a_round_can_cost_must_fit_the_loss_limit(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 3_100)
    assert await evening.refusal(NOON_MS, 500, 200) == (
        "Your loss limit of 31.00 EUR leaves you 31.00 EUR until 15 November 2023, 00:00 UTC, "
        "and this round could cost more."
    )
    assert await evening.may_bet(NOON_MS + MINUTE_MS, 500, 100)


async def test_limits_are_asked_after_chips_and_before_funds(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 100)
    table = await evening.table(NOON_MS)
    codes = []
    for ante in (100, 10_100, 250, 10_000):
        refusal = await table.refusal(table.bet("ann", ante, 5_000))
        codes.append(refusal.code if refusal else None)
    assert codes == [Code.BELOW_MINIMUM, Code.ABOVE_MAXIMUM, Code.NOT_A_CHIP_MULTIPLE, Code.LIMIT_REACHED]


async def test_nobody_is_stranded_in_a_hand(evening: Evening) -> None:
    """A limit lowered, used up or excluded during the round never refuses a PLAY."""
    table = await evening.table(NOON_MS)
    await table.do(table.bet("ann", 500))
    await table.time_out()
    await table.deal("As Kd")
    await evening.limit(Kind.LOSS, Period.DAY, 0)
    await evening.limit(Kind.SESSION, Period.DAY, 1)
    await evening.exclude(Kind.SELF_EXCLUSION, NO_END_MS)
    await table.do(table.answer("ann", Action.PLAY_4X))
    assert table.round.seats["ann"].bets.play == 2_000


async def test_losses_of_two_days(evening: Evening) -> None:
    """A loss reduces the allowance of the day only."""
    await evening.limit(Kind.LOSS, Period.DAY, 3_000)
    await evening.fold(NOON_MS, 500)
    assert await evening.lost(Period.DAY, NOON_MS + HOUR_MS) == 1_000
    assert not await evening.may_bet(NOON_MS + HOUR_MS, 400)
    await evening.fold(NOON_MS + 2 * HOUR_MS, 300)
    assert not await evening.may_bet(MIDNIGHT_MS - 16_000, 300), "1,600 are lost, and 1,800 might be"
    assert await evening.may_bet(MIDNIGHT_MS, 500)
    await evening.fold(MIDNIGHT_MS + HOUR_MS, 500)
    assert await evening.lost(Period.DAY, MIDNIGHT_MS + 2 * HOUR_MS) == 1_000
    assert not await evening.may_bet(MIDNIGHT_MS + 2 * HOUR_MS, 500)
    assert await evening.may_bet(MIDNIGHT_MS + DAY_MS, 500)


async def test_week_begins_on_monday_and_month_on_the_first(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.WEEK, 4_000)
    await evening.limit(Kind.LOSS, Period.MONTH, 6_900)
    await evening.fold(NOON_MS, 600)
    await evening.fold(MONDAY_MS - HOUR_MS, 400)
    assert not await evening.may_bet(MONDAY_MS - 16_000, 400), "2,000 of the week are lost"
    assert await evening.may_bet(MONDAY_MS, 600)
    await evening.fold(MONDAY_MS + MINUTE_MS, 500)
    assert await evening.lost(Period.WEEK, MONDAY_MS + HOUR_MS) == 1_000
    assert await evening.lost(Period.MONTH, MONDAY_MS + HOUR_MS) == 3_000
    await evening.fold(DECEMBER_MS - DAY_MS, 500)
    refusal = str(await evening.refusal(DECEMBER_MS - HOUR_MS, 600))
    assert "69.00 EUR leaves you 29.00 EUR until 1 December" in refusal, "the month ends in the middle of a week"
    await evening.fold(DECEMBER_MS + HOUR_MS, 400)
    assert await evening.lost(Period.MONTH, DECEMBER_MS + 2 * HOUR_MS) == 800
    assert await evening.lost(Period.WEEK, DECEMBER_MS + 2 * HOUR_MS) == 1_800


async def test_smallest_limit_counts(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.MONTH, 2_000)
    await evening.limit(Kind.LOSS, Period.DAY, 5_000)
    await evening.limit(Kind.LOSS, Period.WEEK, 3_000)
    assert "limit of 20.00 EUR leaves you 20.00 EUR until 1 December" in str(await evening.refusal(NOON_MS, 500))
    await evening.fold(NOON_MS + HOUR_MS, 300)
    await evening.limit(Kind.LOSS, Period.DAY, 1_500, NOON_MS + 2 * HOUR_MS)
    assert "leaves you 9.00 EUR" in str(await evening.refusal(NOON_MS + 3 * HOUR_MS, 300))
    assert "limit of 15.00 EUR" in str(await evening.refusal(NOON_MS + 4 * HOUR_MS, 300))


async def test_winnings_make_room_and_cancelled_rounds_cost_nothing(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 3_000)
    table = await evening.table(NOON_MS)
    await table.do(table.bet("ann", 500))
    await finish(table, WINNING, table.answer("ann", Action.PLAY_4X))
    assert await evening.lost(Period.DAY, NOON_MS + HOUR_MS) == -2_500
    assert await evening.may_bet(NOON_MS + HOUR_MS, 900)
    assert not await evening.may_bet(NOON_MS + HOUR_MS + MINUTE_MS, 1_000)
    cancelled = await evening.table(NOON_MS + 2 * HOUR_MS)
    await cancelled.do(cancelled.bet("ann", 900))
    await cancelled.time_out()
    assert await evening.lost(Period.DAY, cancelled.now_ms) == -2_500 + 5_400, "as long as it might"
    await cancelled.do(CancelRound("fire alarm", "mia"))
    assert await evening.lost(Period.DAY, cancelled.now_ms) == -2_500


async def test_correction_changes_what_the_round_cost_on_its_day(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 50_000)
    table = await evening.table(NOON_MS)
    await table.do(table.bet("ann", 500), table.bet("bob", 500))
    await finish(table, WINNING, table.answer("ann", Action.PLAY_4X))
    table.now_ms = MIDNIGHT_MS + HOUR_MS
    await table.do(CorrectRound((("dealer_1", "Ac"), ("dealer_2", "Ad")), "misread", "mia"))
    assert await evening.lost(Period.DAY, NOON_MS) == 3_000
    assert await evening.lost(Period.DAY, MIDNIGHT_MS + HOUR_MS) == 0


async def test_round_counts_on_the_day_it_began(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 10_000)
    table = await evening.fold(MIDNIGHT_MS - 10_000, 500)
    assert table.now_ms > MIDNIGHT_MS
    assert await evening.lost(Period.DAY, MIDNIGHT_MS - 1) == 1_000
    assert await evening.lost(Period.DAY, MIDNIGHT_MS) == 0


@pytest.mark.parametrize(
    ("period", "new_ms"), [(Period.DAY, MIDNIGHT_MS), (Period.WEEK, MONDAY_MS), (Period.MONTH, DECEMBER_MS)]
)
@pytest.mark.parametrize("is_set_late", [False, True])
async def test_bet_after_midnight_spends_the_limit_of_the_day_its_round_began(
    evening: Evening, period: Period, new_ms: int, *, is_set_late: bool
) -> None:
    """Otherwise what the old day has used up could be lost once more, and the new day would not count it either."""
    if not is_set_late:
        await evening.limit(Kind.LOSS, period, 3_500, new_ms - 2 * HOUR_MS)
    await evening.fold(new_ms - HOUR_MS, 500)
    table = await evening.table(new_ms - 5_000)
    table.now_ms = new_ms + 2_000
    if is_set_late:
        await evening.limit(Kind.LOSS, period, 3_500, new_ms + 1_000)
    assert await table.refusal(table.bet("ann", 500)) is not None
    await table.do(table.bet("ann", 400))
    await finish(table, LOSING)
    assert await evening.lost(period, new_ms) == 0
    assert await evening.may_bet(new_ms + MINUTE_MS, 500), "the new one begins whole"


async def test_limit_that_is_set_late_counts_what_was_lost_before(evening: Evening) -> None:
    """The whole month, from the ledger; a round that is being played counts when it is over, once."""
    await evening.fold(NOON_MS - 9 * DAY_MS, 300)
    table = await evening.table(NOON_MS)
    await table.do(table.bet("ann", 500))
    await finish(table, WINNING, table.answer("ann", Action.PLAY_4X))
    await table.do(CorrectRound((("dealer_1", "Ac"), ("dealer_2", "Ad")), "misread", "mia"))
    await evening.fold(NOON_MS + HOUR_MS, 400)
    running = await evening.table(NOON_MS + 2 * HOUR_MS)
    await running.do(running.bet("ann", 200))
    await running.time_out()
    for period in Period:
        await evening.limit(Kind.LOSS, period, 50_000, running.now_ms)
    assert await evening.lost(Period.DAY, running.now_ms) == 3_000 + 800 + 1_200
    assert await evening.lost(Period.MONTH, running.now_ms) == 3_000 + 800 + 1_200 + 600
    await running.deal("2c 7d")
    await running.time_out()
    await running.deal("3h 8c Ts")
    await running.time_out()
    await running.deal("Jd Kc")
    await running.time_out()
    await running.deal("Kh Qd")
    assert await evening.lost(Period.DAY, running.now_ms) == 3_000 + 800 + 400


async def test_open_bets_at_other_tables_count_with_all_they_can_cost(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 6_000)
    first, second = await evening.table(NOON_MS), await evening.table(NOON_MS, "uth-2")
    await first.do(first.bet("ann", 600))
    assert await second.refusal(second.bet("ann", 500)) is not None
    await second.do(second.bet("ann", 400))
    assert await first.refusal(first.bet("ann", 700)) is not None, "600 of its own is replaced, 400 is not"
    await second.do(second.bet("ann", 0))
    await first.do(first.bet("ann", 1_000))
    await first.time_out()
    assert await second.refusal(second.bet("ann", 200)) is not None, "closed bets count as open ones do"


async def test_racing_tables_never_break_a_loss_limit(evening: Evening) -> None:
    """Eight tables at once want what is enough for three."""
    await evening.limit(Kind.LOSS, Period.DAY, 3_999)
    tables = [await evening.table(NOON_MS, f"uth-{number}") for number in range(8)]

    async def bet(table: BookedTable) -> bool:
        return await table.refusal(table.bet("ann", 200)) is None

    accepted = await asyncio.gather(*(bet(table) for table in tables))
    assert sum(accepted) == 3
    assert await evening.lost(Period.DAY, NOON_MS) == 3_600


async def test_racing_change_of_a_limit_holds_for_every_bet_after_it(evening: Evening) -> None:
    """Whoever came first: the bet was taken under the old limit, or refused under the new one."""
    tables = [await evening.table(NOON_MS, f"uth-{number}") for number in range(6)]

    async def bet(table: BookedTable) -> bool:
        return await table.refusal(table.bet("ann", 200)) is None

    change = evening.limit(Kind.LOSS, Period.DAY, 1_000)
    await asyncio.gather(*(bet(table) for table in tables[:3]), change, *(bet(table) for table in tables[3:]))
    assert not any(
        [await bet(table) for table in [*tables, await evening.table(NOON_MS, "uth-7")] if not table.round.seats]
    )


async def test_session_time_counts_once_for_all_devices_and_ends_with_the_day(evening: Evening) -> None:
    await evening.limit(Kind.SESSION, Period.DAY, 60)
    visits = PlaySessions(evening.database)
    start_ms = MIDNIGHT_MS - 30 * MINUTE_MS
    await visits.note(here("ann", "bob", at_ms=start_ms), start_ms)
    await visits.note(here("ann", at_ms=start_ms + 29 * MINUTE_MS), start_ms + 29 * MINUTE_MS)
    assert await evening.may_bet(start_ms + 29 * MINUTE_MS)
    await visits.note(here("ann", at_ms=MIDNIGHT_MS + 59 * MINUTE_MS), MIDNIGHT_MS + 59 * MINUTE_MS)
    assert await evening.may_bet(MIDNIGHT_MS + 59 * MINUTE_MS), "half an hour of it was yesterday"
    await visits.note(here("ann", at_ms=MIDNIGHT_MS + 60 * MINUTE_MS), MIDNIGHT_MS + 60 * MINUTE_MS)
    assert await evening.refusal(MIDNIGHT_MS + 60 * MINUTE_MS, 200) == (
        "Your time limit of 60 minutes is used up until 16 November 2023, 00:00 UTC."
    )
    await visits.note({}, MIDNIGHT_MS + 61 * MINUTE_MS)
    assert not await evening.may_bet(MIDNIGHT_MS + 23 * HOUR_MS)
    assert await evening.may_bet(MIDNIGHT_MS + DAY_MS)


async def test_short_break_belongs_to_the_session_and_a_long_one_does_not(evening: Evening) -> None:
    await evening.limit(Kind.SESSION, Period.DAY, 60)
    visits = PlaySessions(evening.database)
    await visits.note(here("ann", at_ms=NOON_MS), NOON_MS)
    await visits.note({}, NOON_MS + 10 * MINUTE_MS)
    await visits.note(here("ann", at_ms=NOON_MS + 14 * MINUTE_MS), NOON_MS + 14 * MINUTE_MS)
    await visits.note({}, NOON_MS + 20 * MINUTE_MS)
    after_a_restart = PlaySessions(evening.database)
    await after_a_restart.note(here("ann", at_ms=NOON_MS + 30 * MINUTE_MS), NOON_MS + 30 * MINUTE_MS)
    await after_a_restart.note(here("ann", at_ms=NOON_MS + 35 * MINUTE_MS), NOON_MS + 35 * MINUTE_MS)
    used = (await evening.safeguard(Kind.SESSION, Period.DAY, NOON_MS + 35 * MINUTE_MS)).used
    assert used == 25 * MINUTE_MS


async def test_running_round_is_settled_after_the_time_is_over(evening: Evening) -> None:
    await evening.limit(Kind.SESSION, Period.DAY, 1)
    visits = PlaySessions(evening.database)
    await visits.note(here("ann", at_ms=NOON_MS), NOON_MS)
    table = await evening.table(NOON_MS + 50_000)
    await table.do(table.bet("ann", 500))
    await visits.note(here("ann", at_ms=NOON_MS + 60_000), NOON_MS + 60_000)
    refusal = await table.refusal(table.bet("ann", 600))
    assert refusal is not None
    await finish(table, WINNING, table.answer("ann", Action.PLAY_4X))
    assert table.round.phase == "settled"


async def test_reality_check_stops_the_next_bet_until_it_was_seen(evening: Evening) -> None:
    await evening.reality_check(30)
    visits = PlaySessions(evening.database)
    await visits.note(here("ann", at_ms=NOON_MS), NOON_MS)
    due_ms = NOON_MS + 30 * MINUTE_MS
    await visits.note(here("ann", at_ms=due_ms), due_ms)
    table = await evening.table(due_ms - 5_000)
    await table.do(table.bet("ann", 500))
    table.now_ms = due_ms
    await table.do(table.bet("ann", 600))  # in the middle of a round nothing is asked
    await table.do(table.bet("ann", 0))
    assert "reality check" in str(await evening.refusal(due_ms + MINUTE_MS, 200))
    await evening.seen(due_ms + 2 * MINUTE_MS)
    assert await evening.may_bet(due_ms + 3 * MINUTE_MS)
    await visits.note(here("ann", at_ms=due_ms + 31 * MINUTE_MS), due_ms + 31 * MINUTE_MS)
    assert await evening.may_bet(due_ms + 31 * MINUTE_MS), "the next comes a whole interval after it was seen"
    await visits.note(here("ann", at_ms=due_ms + 32 * MINUTE_MS), due_ms + 32 * MINUTE_MS)
    assert not await evening.may_bet(due_ms + 32 * MINUTE_MS)
    await evening.reality_check(None, due_ms + 33 * MINUTE_MS)
    assert await evening.may_bet(due_ms + 33 * MINUTE_MS)


async def test_reality_check_restarts_with_a_session(evening: Evening) -> None:
    await evening.reality_check(30)
    visits = PlaySessions(evening.database)
    await visits.note(here("ann", at_ms=NOON_MS), NOON_MS)
    await visits.note({}, NOON_MS + 29 * MINUTE_MS)
    await visits.note(here("ann", at_ms=NOON_MS + 50 * MINUTE_MS), NOON_MS + 50 * MINUTE_MS)
    await visits.note(here("ann", at_ms=NOON_MS + 60 * MINUTE_MS), NOON_MS + 60 * MINUTE_MS)
    assert await evening.may_bet(NOON_MS + 60 * MINUTE_MS)


@pytest.mark.parametrize("kind", [Kind.TIME_OUT, Kind.SELF_EXCLUSION])
async def test_excluded_player_bets_no_more_until_it_is_over(evening: Evening, kind: Kind) -> None:
    until_ms = NOON_MS + DAY_MS
    await evening.exclude(kind, until_ms)
    assert "until 15 November 2023, 12:00 UTC" in str(await evening.refusal(until_ms - 16_000, 200))
    assert await evening.may_bet(until_ms)


async def test_players_without_safeguards_are_not_limited_by_those_of_others(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 0)
    table = await evening.table(NOON_MS)
    answers = await table.ask(table.bet("ann", 200), table.bet("bob", 10_000), table.bet("gus", 200))
    assert [answer.refusal is None for answer in answers] == [False, True, True]
