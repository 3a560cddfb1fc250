"""Chat of a table at the real service: recipients, authorization and mutes."""

import pytest

from tests.live.clients import Clients, Host, Player, clients_of
from tests.live.service import KINDS, Kind, started_service
from tests.live.test_settings import DEFAULTS

pytestmark = pytest.mark.req("CHT")


async def seated(clients: Clients, count: int, kind: str = "lasting") -> tuple[str, Host, list[Player]]:
    table_id = clients.service.table(kind)
    host = await clients.host()
    await host.take_over(table_id)
    players = await clients.players(count)
    for player in players:
        await player.join(table_id)
    return table_id, host, players


async def test_all_players_get_a_message_and_consoles_its_author_too(clients: Clients) -> None:
    table_id, host, (ann, ben) = await seated(clients, 2)
    stranger = await clients.player()
    await ann.ok("chat", {"table_id": table_id, "text": "ｇｏｏｄ\u202e  evening"})
    line = {"table_id": table_id, "from": ann.name, "role": "player", "text": "good evening", "code": None}
    for player in (ann, ben):
        received = await player.until("chat")
        assert received == line | {"at": received["at"]}
    received = await host.until("chat")
    assert received == line | {"at": received["at"], "player_id": ann.id}
    await host.ok("say", {"table_id": table_id, "text": "Welcome"})
    said = await ben.until("chat", lambda chat: chat["role"] == "presenter")
    assert (said["from"], said["text"], "player_id" in said) == ("paula", "Welcome", False)
    assert (await host.until("chat", lambda chat: chat["role"] == "presenter"))["player_id"] is None
    joined = await stranger.join(table_id)
    assert [line["text"] for line in joined["chat"]] == ["good evening", "Welcome"]
    assert all("player_id" not in line for line in joined["chat"])
    watching = await (await clients.host("max")).ok("watch", {"table_id": table_id})
    assert [line["player_id"] for line in watching["chat"]] == [ann.id, None]
    assert watching["muted"] == []
    assert not any(ann.id in frame for frame in ben.client.frames), "nobody learns another player's id"


async def test_service_messages_carry_their_values_for_later_readers_too(clients: Clients) -> None:
    """So that a page can say them in the language of its player."""
    table_id, host, (ann,) = await seated(clients, 1)
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 500)
    await host.ok("say", {"table_id": table_id, "text": "Welcome"})
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    manager = await clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
    await ann.ok("tip", {"table_id": table_id, "amount": 500, "key": "one"})
    await ann.until("chat", lambda line: line["code"] == "tip")
    late = await clients.player()
    remembered = (await late.join(table_id))["chat"]
    assert [line["code"] for line in remembered] == [None, "table_paused", "round_cancelled", "tip"]
    assert remembered == ann.all("chat")
    texts = {notice["code"]: notice["text"] for notice in ann.all("notice")}
    assert all(texts.get(line["code"], line["text"]) == line["text"] for line in remembered)
    _, paused, cancelled, tip = remembered
    assert paused["incident_id"] == cancelled["incident_id"]
    assert cancelled["incident_id"] in cancelled["text"]
    assert (tip["presenter"], tip["amount"]) == ("paula", 500)
    assert tip["player"] in tip["text"]


async def test_bad_messages_are_refused_unsent_and_uncounted(clients: Clients) -> None:
    table_id, _, (ann, ben) = await seated(clients, 2)
    for text in (
        "x" * 201,
        "\u200b",
        "",
        "see http://example.com",
        "example.com",
        "What the fuck",
        "f u c k",
        "putain",
    ):
        assert await ann.refused("chat", {"table_id": table_id, "text": text}) == "bad_request", text
    for number in range(5):
        await ann.ok("chat", {"table_id": table_id, "text": f"Line {number}"})
    assert await ann.refused("chat", {"table_id": table_id, "text": "Line 5"}) == "rate_limited"
    again = await clients.device(ann.signed_in)
    await again.join(table_id)
    assert await again.refused("chat", {"table_id": table_id, "text": "Line 6"}) == "rate_limited"
    await ben.ok("chat", {"table_id": table_id, "text": "The end"})
    await ben.until("chat", lambda chat: chat["text"] == "The end")
    assert [chat["text"] for chat in ben.all("chat")] == [*(f"Line {n}" for n in range(5)), "The end"]


async def test_message_is_cleaned_only_for_a_player_who_may_write(clients: Clients) -> None:
    """Cleaning costs work: mute and rate are checked before it, so their refusal comes first."""
    table_id, host, (ann, ben) = await seated(clients, 2)
    unwanted = {"table_id": table_id, "text": "What the fuck"}
    await host.ok("mute", {"table_id": table_id, "player_id": ann.id, "minutes": 10})
    assert await ann.refused("chat", unwanted) == "muted"
    for number in range(5):
        await ben.ok("chat", {"table_id": table_id, "text": f"Line {number}"})
    assert await ben.refused("chat", unwanted) == "rate_limited"


async def test_refused_lines_have_a_budget_of_their_own(clients: Clients) -> None:
    table_id, _, (ann,) = await seated(clients, 1)
    tried = [await ann.refused("chat", {"table_id": table_id, "text": f"example{n}.com"}) for n in range(21)]
    assert tried == ["bad_request"] * 20 + ["rate_limited"]
    assert await ann.refused("chat", {"table_id": table_id, "text": "Hello"}) == "rate_limited"
    assert not ann.is_lost


async def test_same_line_twice_is_refused(clients: Clients) -> None:
    table_id, _, (ann,) = await seated(clients, 1)
    await ann.ok("chat", {"table_id": table_id, "text": "Come on!"})
    assert await ann.refused("chat", {"table_id": table_id, "text": "COME ON"}) == "bad_request"


async def test_player_with_hidden_chat_gets_notices_only(clients: Clients) -> None:
    table_id, host, (ann, ben) = await seated(clients, 2)
    token = ben.signed_in["token"]
    await clients.ask("PUT", "/api/settings", token, DEFAULTS | {"chat_shown": False})
    await ben.until("settings")
    await ann.ok("chat", {"table_id": table_id, "text": "Is anybody there?"})
    await ann.until("chat")
    round_id = await host.start(table_id)
    await ben.bet(table_id, round_id, 500)
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell."})
    await ben.until("notice")
    later = await clients.device(ben.signed_in)
    assert (await later.join(table_id))["chat"] == []
    assert (ben.all("chat"), later.all("chat")) == ([], [])
    await clients.ask("PUT", "/api/settings", token, DEFAULTS)
    await later.until("settings")
    await ann.ok("chat", {"table_id": table_id, "text": "Welcome back"})
    assert (await later.until("chat"))["text"] == "Welcome back"
    assert "Is anybody there?" in [line["text"] for line in (await later.join(table_id))["chat"]]


async def test_mute_and_unmute_at_one_table(clients: Clients) -> None:
    table_id, host, (ann, ben) = await seated(clients, 2)
    manager = await clients.host("max")
    mute = {"table_id": table_id, "player_id": ann.id, "minutes": 10, "reason": "Insults"}
    await host.ok("mute", mute)
    notice = await ann.until("notice")
    assert (notice["code"], notice["minutes"]) == ("muted", 10)
    assert await ann.refused("chat", {"table_id": table_id, "text": "But why?"}) == "muted"
    await ben.ok("chat", {"table_id": table_id, "text": "Thanks"})
    assert (await manager.ok("watch", {"table_id": table_id}))["muted"] == [ann.id]
    other = clients.service.table("lasting")
    await ann.join(other)
    await ann.ok("chat", {"table_id": other, "text": "Here I may"})
    for length in (60, 90, 1440):
        await host.ok("mute", mute | {"minutes": length})
    await ann.until("notice", lambda notice: notice["text"] == "You have been muted at this table for 1 day.")
    lengths = [notice["text"].partition("table ")[2] for notice in ann.all("notice")]
    assert lengths == ["for 10 minutes.", "for 1 hour.", "for 90 minutes.", "for 1 day."]
    await manager.ok("unmute", {"table_id": table_id, "player_id": ann.id})
    await manager.ok("unmute", {"table_id": table_id, "player_id": ann.id})
    await ann.until("notice", lambda notice: notice["code"] == "unmuted")
    await ann.ok("chat", {"table_id": table_id, "text": "Sorry"})
    for wrong in (
        mute | {"player_id": "nobody"},
        mute | {"player_id": (await clients.sign_in("fiona"))["user"]["id"]},
    ):
        assert await host.refused("mute", wrong) == "not_found"
    for minutes in (0, -1, 1.5, "5", True, 10**30):
        assert await host.refused("mute", mute | {"minutes": minutes}) == "bad_request"
    assert ben.all("notice") == [], "a mute is between the two"


async def test_name_goes_through_the_same_filter_at_registration(clients: Clients) -> None:
    for name in ("What The Fuck", "example.com", "sh1t"):
        status, answer = await clients.ask(
            "POST", "/api/register", None, {"name": name, "password": "long enough to be"}
        )
        assert (status, answer["error"]["code"]) == (400, "bad_request")


async def test_mute_survives_a_restart() -> None:
    with started_service({"lasting": Kind(1, seconds=KINDS["lasting"].seconds)}, staff=("paula",)) as service:
        async with clients_of(service) as clients:
            table_id, host, (ann,) = await seated(clients, 1)
            await host.ok("mute", {"table_id": table_id, "player_id": ann.id, "minutes": None})
        service.kill()
        service.start()
        async with clients_of(service) as clients:
            back = await clients.device(ann.signed_in)
            assert (await back.join(table_id))["chat"] == []
            assert await back.refused("chat", {"table_id": table_id, "text": "Hello"}) == "muted"
        service.verify()
