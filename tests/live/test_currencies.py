"""Several currencies at one table: consoles show each separately."""

from tests.live.clients import Clients
from tests.live.service import PASSWORD


async def test_console_never_adds_play_money_to_real_money(clients: Clients) -> None:
    table_id, host, guest = clients.service.table("calm"), await clients.host(), await clients.player()
    signed_up = (await clients.ask("POST", "/api/register", None, {"name": "carla", "password": PASSWORD}))[1]
    await clients.ask("POST", "/api/cashier/deposit", signed_up["token"], {"amount": 50_000, "key": "first"})
    carla = await clients.device(signed_up)
    await host.take_over(table_id)
    for player in (guest, carla):
        await player.join(table_id)
    round_id = await host.start(table_id)
    await guest.bet(table_id, round_id, 500, 100)
    await carla.bet(table_id, round_id, 2000)
    both = await host.until("host", lambda view: len(view["totals_by_currency"]) == 2)
    assert both["totals_by_currency"] == [
        {"currency": "EUR", "ante": 2000, "blind": 2000, "trips": 0, "play": 0},
        {"currency": "FUN", "ante": 500, "blind": 500, "trips": 100, "play": 0},
    ]
    assert {seat["player_id"]: seat["currency"] for seat in both["seats"]} == {guest.id: "FUN", carla.id: "EUR"}
