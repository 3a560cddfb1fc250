"""Practice table of the real service: simulated players, planted faults, and no real money."""

from collections.abc import AsyncIterator, Iterator

import pytest
from sqlalchemy import select

from casino.settings import load_settings
from casino.settings.service import PRACTICE_CURRENCY
from casino.storage import schema
from casino.storage.database import Database
from tests.live.clients import Clients, Host, clients_of
from tests.live.service import Json, Kind, LiveService, started_service

SHORT = {"betting": 2.0, "decide_preflop": 1.5, "decide_flop": 1.5, "decide_river": 1.5}
KINDS = {"practice": Kind(1, seconds=SHORT, more="practice = true"), "calm": Kind(1, seconds=SHORT)}
STREETS = {
    "dealing_hole": "As Kd",
    "dealing_flop": "7h 7c 2s",
    "dealing_river": "Jd 3c",
    "showdown": "Qh Qd",
}


@pytest.fixture(scope="module")
def practice_service() -> Iterator[LiveService]:
    with started_service(KINDS, staff=("paula",)) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


@pytest.fixture
async def practice_clients(practice_service: LiveService) -> AsyncIterator[Clients]:
    async with clients_of(practice_service) as opened:
        yield opened


async def play(host: Host, round_id: str) -> str:
    """Deal what is expected until the round is over or something happens; its last phase."""
    for phase, cards in STREETS.items():
        await host.phase("practice-1", round_id, phase)
        if any(drill["situation"] for drill in host.all("drill")):
            return phase
        await host.scan("practice-1", round_id, cards)
    await host.phase("practice-1", round_id, "settled")
    return "settled"


async def test_presenter_trains_with_simulated_players_until_something_goes_wrong(practice_clients: Clients) -> None:
    host = await practice_clients.host()
    await host.take_over("practice-1")
    assert (await host.until("host"))["practice"] is True
    for _ in range(12):
        round_id = await host.start("practice-1")
        seated = await host.phase("practice-1", round_id, "dealing_hole")
        assert len(seated["seats"]) == 5, "everybody of the crowd has bet"
        if await play(host, round_id) != "settled" or any(drill["situation"] for drill in host.all("drill")):
            break
    drill = await host.until("drill", lambda payload: payload["situation"] is not None)
    _, procedure = await practice_clients.ask(
        "GET", "/api/host/incidents", (await practice_clients.sign_in("paula"))["token"]
    )
    (known,) = [one for one in procedure["incidents"] if one["situation"] == drill["situation"]]
    assert drill["expected"] is None, "what it is called is for the presenter to know"
    report = {"table_id": "practice-1", "reason": "Practice", "incident_class": known["incident_class"]}
    answer: Json = await host.call("report_problem", report)
    if not answer["ok"]:  # the round was over before it could be stopped
        missed = await host.until("drill", lambda payload: payload["expected"] is not None)
        assert missed["reported"] is None
        return
    judged = await host.until("drill", lambda payload: payload["expected"] is not None)
    assert (judged["expected"], judged["reported"]) == (known["incident_class"], known["incident_class"])
    assert judged["text"].startswith("Right:")
    ends = ("resumed",) if "resume" in known["resolutions"] else ("round_cancelled",)
    await host.until("notice", lambda notice: notice["code"] in ends)  # the simulated manager answers


async def test_practice_tables_are_hidden_and_without_money(practice_clients: Clients) -> None:
    player = await practice_clients.player()
    bet: Json = {"round_id": "r", "ante": 100, "trips": 0}
    for message, more in {"join": {}, "leave": {}, "bet": bet, "chat": {"text": "hello"}}.items():
        assert await player.refused(message, {"table_id": "practice-1"} | more) == "no_such_table"
    _, lobby = await practice_clients.ask("GET", "/api/tables")
    assert [table["id"] for table in lobby["tables"]] == ["calm-1"]
    for path in ("/api/tables/practice-1", "/api/tables/practice-1/results"):
        status, payload = await practice_clients.ask("GET", path, player.signed_in["token"])
        assert (status, payload["error"]["code"]) == (404, "no_such_table")
    followed = await player.ok("lobby", {})
    assert [table["id"] for table in followed["tables"]] == ["calm-1"]


async def test_everything_of_practice_is_in_a_currency_of_its_own(practice_clients: Clients) -> None:
    assert load_settings(practice_clients.service.config).casino.service.currency != PRACTICE_CURRENCY
    database = await Database.open(practice_clients.service.database)
    async with database.reading() as connection:
        seats, rounds = schema.seats, schema.rounds
        query = select(seats.c.currency).join(rounds, rounds.c.id == seats.c.round_id)
        used = set((await connection.execute(query.where(rounds.c.table_id == "practice-1"))).scalars())
        others = set((await connection.execute(query.where(rounds.c.table_id != "practice-1"))).scalars())
    await database.close()
    assert used == {PRACTICE_CURRENCY}
    assert PRACTICE_CURRENCY not in others
