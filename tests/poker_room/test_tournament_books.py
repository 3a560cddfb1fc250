"""Tournaments in the books of finance: figures and their postings, HexaPro against its odds, open tickets."""

import math
from collections import Counter
from typing import Any

import pytest
from scipy import stats
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.finance.drilldown import posted_rows
from casino.finance.hexapro_draws import chance_beyond, chi_square, hexapro_draws, hexapro_games, lines_of
from casino.finance.open_tickets import open_tickets
from casino.finance.period import Period, day_at
from casino.finance.tournament_money import FIGURES, tournament_money
from casino.poker.tournament.entries import DAY_MS
from casino.poker_room.tournament.messages import RegisterHexa
from casino.storage.database import Database
from casino.users.credit import Credit
from casino.users.promotion_tickets import issue_ticket
from casino.users.roles import Actor, Role
from casino.users.users import User
from tests.poker_room.running_room import sender
from tests.poker_room.test_multi_table import begin
from tests.poker_room.tournament_house import HouseOpened

FAY = Actor("Fay", "finance")
ANN = User("p1", "p1", Role.PLAYER, "EUR", is_disabled=False, created_ms=0)
GAMES = 4


async def assert_postings_agree(connection: AsyncConnection, period: Period, shown: list[dict[str, Any]]) -> None:
    """The sum of the postings behind each figure is the figure; tickets belong to no event."""
    for line in shown:
        for figure in FIGURES:
            asked = {"figure": figure, "currency": "EUR"}
            if line.get("source"):
                asked["event"] = line["source"]
            elif "source" in line:
                continue
            rows = await posted_rows(connection, period, asked, 0)
            assert rows["totals"].get("EUR", {}).get("amount", 0) == line[figure], figure


async def test_figures_lead_to_postings_and_agree_with_the_ledger(house: HouseOpened, database: Database) -> None:
    game = await house()
    today = Period.of_day(day_at(game.clock()))
    async with database.writing() as connection:
        for _ in range(2):  # the same key again issues nothing
            await issue_ticket(connection, ANN, Credit(1000, "a prize", "draw-1"), FAY, game.clock())
    for number in range(GAMES):
        for player in ("p1", "p2", "p3"):
            await game.ask(RegisterHexa(sender(player), "classic", 100, 1, f"hexa-{player}-{number}"))
        await game.play(lambda: not [one for one in game.room.tournaments.running.values() if one.reveal])
    await game.ask(RegisterHexa(sender("p4"), "classic", 100, 1, "waits"))
    running = await begin(game, 5, structure="hyper", late_levels=0, guarantee=9000)
    await game.play_out(running)
    balances = await game.checked_with("classic-100-eur")
    lines = lines_of(game.settings.products.values(), ["EUR"])
    async with database.reading() as connection:
        money = await tournament_money(connection, today)
        await assert_postings_agree(connection, today, [*map(dict, money["rows"]), *map(dict, money["events"])])
        with pytest.raises(Refusal) as refusal:
            await posted_rows(connection, today, {"figure": "rake"}, 0)
        assert refusal.value.code is Code.BAD_REQUEST
        [total] = money["rows"]
        draws = await hexapro_draws(connection, today, lines)
        games = await hexapro_games(connection, today, lines, {"product": "classic"}, 0)
        open_ones = await open_tickets(connection, game.clock() + 3 * DAY_MS)
    assert total["fees"] == balances["fees:EUR"]
    house_pays = total["paid_by_house"] + total["tickets_issued"] - total["kept_by_house"] - total["tickets_lapsed"]
    assert house_pays == -balances["promo:EUR"]
    assert total["tickets_issued"] == 1000
    [hexa] = [one for one in money["events"] if one["source"] == "classic-100-eur"]
    assert hexa["entries"] == (3 * GAMES + 1) * 100
    [drawn] = draws["rows"]
    assert (drawn["games"], drawn["entries"]) == (GAMES, 3 * GAMES * 100)
    assert drawn["pools"] == hexa["prizes"] == sum(row["pool"] for row in games["rows"])
    assert drawn["entries"] - drawn["pools"] == hexa["kept_by_house"] - hexa["paid_by_house"]
    counts = Counter(row["multiplier"] for row in games["rows"])
    assert {one["multiplier"]: one["drawn"] for one in drawn["multipliers"] if one["drawn"]} == dict(counts)
    [rare] = [one for one in drawn["multipliers"] if one["multiplier"] == 10]
    assert rare["expected"] == round(GAMES * 0.03, 1)
    odds = lines["classic-100-eur"].odds
    mean = sum(one * chances for one, chances in odds.items()) / 100_000
    deviation = math.sqrt(GAMES * sum(chances * (one - mean) ** 2 for one, chances in odds.items()) / 100_000) * 100
    assert (drawn["expected"], drawn["deviation"]) == (round(mean * GAMES * 100), round(deviation))
    assert drawn["z"] == round((drawn["pools"] - mean * GAMES * 100) / deviation, 2)
    [ticket] = open_ones["rows"]
    assert (ticket["player_id"], ticket["value"], ticket["age_days"]) == ("p1", 1000, 3)
    assert open_ones["totals"]["EUR"]["value"] == open_ones["totals"]["EUR"]["balance"] == balances["tickets:EUR"]
    await game.verified()


def test_chi_square_is_that_of_scipy() -> None:
    odds = {100: 0.05, 10: 30, 5: 25, 4: 60, 3: 344.5, 2: 540.45}
    drawn = {100: 1, 10: 38, 5: 20, 4: 70, 3: 330, 2: 541}
    found = chi_square(drawn, odds)
    assert found is not None
    observed, expected = [21, 38, 70, 330, 541], [25.05, 30, 60, 344.5, 540.45]  # the rarest with the next one
    wanted = stats.chisquare(observed, expected)
    assert found[0] == pytest.approx(wanted.statistic)
    assert found[1] == 4
    assert found[2] == pytest.approx(wanted.pvalue)
    for degrees in range(1, 8):
        assert chance_beyond(7.5, degrees) == pytest.approx(stats.chi2.sf(7.5, degrees))
    assert chi_square({2: 1, 3: 1}, {2: 1.2, 3: 0.8}) is None, "too few games"
