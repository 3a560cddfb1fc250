"""Data to attack: tokens of every role, and rounds that were played, paused, cancelled, corrected and paid."""

from dataclasses import dataclass
from typing import Final

from tests.live.clients import Clients, clients_of
from tests.live.hands import Hand, deal
from tests.live.service import PASSWORD, LiveService

HAND: Final = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")
STAFF: Final = {"presenter": "paula", "manager": "max", "finance": "fiona", "admin": "adam"}
ROLES: Final = ("nobody", "guest", "player", *STAFF)


@dataclass(frozen=True)
class Scene:
    tokens: dict[str, str | None]
    round_id: str
    cancelled_id: str
    correction_id: str
    table_id: str


async def play(service: LiveService) -> Scene:
    async with clients_of(service) as clients:
        table_id = service.table("quick")
        host, manager = await clients.host(), await clients.host("max")
        guest, player = await clients.player(), await clients.device(await registered(clients, "Rosa Real"))
        money = {"amount": 500_000, "key": "first"}
        assert (await clients.ask("POST", "/api/cashier/deposit", player.signed_in["token"], money))[0] == 200
        await host.take_over(table_id)
        await manager.ok("watch", {"table_id": table_id})
        for one in (guest, player):
            await one.join(table_id)
        round_id = await host.start(table_id)
        for one in (guest, player):
            await one.bet(table_id, round_id, 500, 100)
            await one.ok("chat", {"table_id": table_id, "text": f"Hello from {one.name}"})
        await player.ok("tip", {"table_id": table_id, "amount": 100, "key": "thanks"})
        await deal(host, table_id, round_id, HAND, {guest: ("play_4x",), player: ("check", "play_2x")})
        for one in (guest, player):
            await one.result(round_id)
        cancelled_id = await host.start(table_id)
        for one in (guest, player):
            await one.bet(table_id, cancelled_id, 500)
        await host.phase(table_id, cancelled_id, "dealing_hole")
        await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell on the floor."})
        await manager.ok("cancel_round", {"table_id": table_id, "reason": "It cannot go on."})
        await player.result(cancelled_id)
        tokens = {role: str((await clients.sign_in(name))["token"]) for role, name in STAFF.items()}
        proposal = {"round_id": round_id, "cards": {"dealer_1": "Ac"}, "reason": "It was the ace of clubs."}
        status, proposed = await clients.ask("POST", "/api/host/corrections", tokens["manager"], proposal)
        assert status == 200, proposed
        people = {"nobody": None, "guest": guest.signed_in["token"], "player": player.signed_in["token"]}
        return Scene(people | tokens, round_id, cancelled_id, proposed["id"], table_id)


async def registered(clients: Clients, name: str) -> dict[str, object]:
    status, signed_in = await clients.ask("POST", "/api/register", None, {"name": name, "password": PASSWORD})
    assert status == 200, signed_in
    return signed_in
