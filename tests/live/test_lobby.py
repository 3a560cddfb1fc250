"""Lobby feed, several tables over one connection, and tables that allow no other table."""

from tests.live.clients import Clients, Player
from tests.live.hands import WAYS, Hand, deal, place
from tests.live.service import Json

HAND = Hand.of("As Kd | 7h 7c 2s Jd 3c | Qh Qd")


def changes_of(table_id: str, **facts: object) -> object:
    def is_it(update: Json) -> bool:
        return any(view["table_id"] == table_id and facts.items() <= view.items() for view in update["tables"])

    return is_it


async def receives_lobby(player: Player, table_id: str, **facts: object) -> None:
    await player.until("lobby", changes_of(table_id, **facts))  # type: ignore[arg-type]


async def test_lobby_is_what_the_http_route_says_and_then_every_change(clients: Clients) -> None:
    table_id = clients.service.table("lasting")
    ann, ben = await clients.players(2)
    followed = await ann.ok("lobby", {})
    _, listed = await clients.ask("GET", "/api/tables")
    assert [set(view) for view in followed["tables"]] == [set(view) for view in listed["tables"]]
    assert [view["table_id"] for view in followed["tables"]] == [view["table_id"] for view in listed["tables"]]
    mine = next(view for view in followed["tables"] if view["table_id"] == table_id)
    assert (mine["status"], mine["players"], mine["presenter"]) == ("closed", 0, None)
    host = await clients.host()
    await host.take_over(table_id)
    await receives_lobby(ann, table_id, status="open", presenter="paula")
    await ben.join(table_id)
    await receives_lobby(ann, table_id, players=1)
    await ben.close()
    await receives_lobby(ann, table_id, players=0)
    assert ben.all("lobby") == [], "only followers receive it"
    assert all(len(update["tables"]) < len(listed["tables"]) for update in ann.all("lobby")[1:]), (
        "only what has changed"
    )


async def test_lobby_takes_no_fields_and_can_be_asked_for_again(clients: Clients) -> None:
    ann = await clients.player()
    assert await ann.refused("lobby", {"table_id": "lasting-1"}) == "bad_request"
    assert await ann.refused("lobby", []) == "bad_request"
    for _ in range(2):
        await ann.ok("lobby", {})


async def test_two_tables_are_played_over_one_connection_and_left_one_by_one(clients: Clients) -> None:
    tables = [clients.service.table("calm"), clients.service.table("calm")]
    host = await clients.host()
    ann = await clients.player()
    rounds = {}
    for table_id in tables:
        await host.take_over(table_id)
        await ann.join(table_id)
        rounds[table_id] = await host.start(table_id)
        await place([ann], table_id, rounds[table_id], 500)
    for table_id in tables:
        await deal(host, table_id, rounds[table_id], HAND, {ann: WAYS["play_4x"]})
        assert (await ann.result(rounds[table_id]))["table_id"] == table_id
    await ann.ok("leave", {"table_id": tables[0]})
    assert await ann.refused("chat", {"table_id": tables[0], "text": "Hello"}) == "not_in_round"
    await ann.ok("chat", {"table_id": tables[1], "text": "Hello"})


async def test_leaving_one_table_returns_only_its_bets(clients: Clients) -> None:
    tables = [clients.service.table("lasting"), clients.service.table("lasting")]
    host = await clients.host()
    ann = await clients.player()
    for table_id in tables:
        await host.take_over(table_id)
        await ann.join(table_id)
        await ann.bet(table_id, await host.start(table_id), 500)
    assert await ann.money() == (100_000, 98_000)
    await ann.ok("leave", {"table_id": tables[0]})
    assert await ann.money() == (100_000, 99_000)


async def test_single_table_cannot_be_joined_with_another(clients: Clients) -> None:
    alone, other, third = (
        clients.service.table("alone"),
        clients.service.table("lasting"),
        clients.service.table("alone"),
    )
    ann = await clients.player()
    await ann.join(other)
    answer = await ann.call("join", {"table_id": alone})
    assert answer["error"]["code"] == "forbidden"
    assert answer["error"]["params"]["reason"] == "table_alone"
    assert answer["error"]["params"]["table"] in answer["error"]["message"]
    elsewhere = await clients.device(ann.signed_in)
    assert await elsewhere.refused("join", {"table_id": alone}) == "forbidden"
    await ann.ok("leave", {"table_id": other})
    await ann.join(alone)
    for table_id in (other, third):
        assert await ann.refused("join", {"table_id": table_id}) == "forbidden"
    await elsewhere.join(alone)  # the same table on another device is one seat
    await ann.until("moved")
    await ann.join(alone)
    await ann.ok("leave", {"table_id": alone})
    await ann.join(other)
