"""Chat archive at the real service: refused lines, search, a round's lines, and the text behind a mute."""

import signal

import pytest

from tests.live.clients import Clients, clients_of
from tests.live.service import KINDS, Kind, started_service
from tests.live.test_chat import seated

pytestmark = pytest.mark.req("CHT")


async def test_refused_lines_are_stored_and_only_managers_search(clients: Clients) -> None:
    table_id, host, (ann, ben) = await seated(clients, 2)
    await ann.ok("chat", {"table_id": table_id, "text": "Good evening"})
    await ann.refused("chat", {"table_id": table_id, "text": "What the fuck"})
    await ann.refused("chat", {"table_id": table_id, "text": "see example.com"})
    await host.ok("mute", {"table_id": table_id, "player_id": ben.id, "minutes": 10, "reason": "Insults"})
    await ben.refused("chat", {"table_id": table_id, "text": "But why?"})
    manager = (await clients.sign_in("max"))["token"]
    status, page = await clients.ask("GET", f"/api/host/chat?table={table_id}", manager)
    assert status == 200
    assert [(line["from"], line["text"], line["blocked"]) for line in page["lines"]] == [
        (ben.name, "But why?", "muted"),
        (ann.name, "see example.com", "chat_link"),
        (ann.name, "What the fuck", "chat_unwanted"),
        (ann.name, "Good evening", None),
    ]
    assert page["muted"] == [ben.id]
    assert (await clients.ask("GET", "/api/host/chat", manager))[1]["muted"] == []
    _, page = await clients.ask("GET", f"/api/host/chat?table={table_id}&text=FUCK&blocked=true&limit=1", manager)
    assert [line["player_id"] for line in page["lines"]] == [ann.id]
    _, rest = await clients.ask("GET", f"/api/host/chat?table={table_id}&before={page['next']}", manager)
    assert [line["text"] for line in rest["lines"]] == ["Good evening"]
    for name in ("paula", "fiona", "adam"):
        token = (await clients.sign_in(name))["token"]
        assert (await clients.ask("GET", "/api/host/chat", token))[0] == 403
    assert (await clients.ask("GET", "/api/host/chat", ann.signed_in["token"]))[0] == 403
    assert (await clients.ask("GET", "/api/host/chat?before=x", manager))[0] == 400


@pytest.mark.req("AUD")
async def test_mute_names_its_reason_and_the_text_in_the_audit_log(clients: Clients) -> None:
    table_id, host, (ann,) = await seated(clients, 1)
    await ann.refused("chat", {"table_id": table_id, "text": "putain"})
    await ann.ok("chat", {"table_id": table_id, "text": "You are all cheats"})
    meant = await host.until("chat")
    await ann.ok("chat", {"table_id": table_id, "text": "Nice weather"})
    mute = {"table_id": table_id, "player_id": ann.id, "minutes": 10, "reason": "Insults"}
    await host.ok("mute", mute | {"at": meant["at"]})
    manager = (await clients.sign_in("max"))["token"]
    _, log = await clients.ask("GET", f"/api/host/audit?action=chat_muted&target={ann.id}", manager)
    (row,) = log["rows"]
    assert (row["actor"], row["reason"]) == ("paula", "Insults")
    assert (row["after"]["text"], row["after"]["minutes"]) == ("You are all cheats", 10)


async def test_lines_of_a_round_are_in_its_replay_and_file_after_a_restart() -> None:
    with started_service({"lasting": Kind(1, seconds=KINDS["calm"].seconds)}, staff=("paula", "max", "fiona")) as live:
        async with clients_of(live) as clients:
            table_id, host, (ann,) = await seated(clients, 1)
            await ann.ok("chat", {"table_id": table_id, "text": "Before the round"})
            round_id = await host.start(table_id)
            await ann.bet(table_id, round_id, 500)
            await ann.ok("chat", {"table_id": table_id, "text": "Come on, ace"})
            await ann.refused("chat", {"table_id": table_id, "text": "f u c k"})
            await host.phase(table_id, round_id, "dealing_hole")
            await (await clients.host("max")).ok("cancel_round", {"table_id": table_id, "reason": "A card fell."})
        live.signal(signal.SIGTERM)
        assert live.ended() == 0
        live.start()
        async with clients_of(live) as clients:
            manager, finance = [(await clients.sign_in(name))["token"] for name in ("max", "fiona")]
            _, reply = await clients.ask("GET", f"/api/host/rounds/{round_id}", manager)
            said = [(line["text"], line["blocked"]) for line in reply["chat"] if line["role"] == "player"]
            assert said == [("Come on, ace", None), ("f u c k", "chat_unwanted")]
            _, file = await clients.ask("GET", f"/api/finance/rounds/{round_id}", finance)
            filed = [(line["text"], line["blocked"]) for line in file["round"]["chat"] if line["role"] == "player"]
            assert filed == said
        live.verify()
