"""Tournaments for browser tests: a manager who announces them, players who enter, and guests who play them."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from playwright.async_api import expect

from casino.client.http_api import open_http_api
from tests.browser.poker_people import Caller, Guest
from tests.live.service import PASSWORD, Json, LiveService

NUTS_FIRST: Final = "Ah 5c Tc 5s Ts 2h 3h 4h 6h Td 7h 8h 9h Jh Qh Kh 5d"
"""The ace of hearts for the player left of the button, and four hearts on the board of every table of two to six."""
ACE: Final = "ace of hearts"
STARTS_IN: Final = timedelta(seconds=8)
BRIEF: Final = {"structure": "brief", "stack": 1000, "sync_breaks": False, "unregister_until_minutes": 0}


class Manager:
    """Announces tournaments of play money, and cancels them."""

    def __init__(self, service: LiveService) -> None:
        self._service = service

    async def announce(self, name: str, **template: Any) -> str:  # noqa: ANN401  keys of schedule.toml
        """A tournament that starts soon; returns its id."""
        at = (datetime.now(UTC) + template.pop("starts_in", STARTS_IN)).isoformat()
        row = BRIEF | {"id": f"made-{secrets.token_hex(4)}", "name": name, "at": at, "total": 500} | template
        made = await self._post("", {"template": row, "currency": "FUN", "reason": "a test"})
        return str(made["tournament_id"])

    async def cancel(self, tournament_id: str, reason: str) -> None:
        await self._post(f"/{tournament_id}/cancel", {"reason": reason})

    async def _post(self, path: str, body: Json) -> Json:
        async with open_http_api(self._service.address) as api:
            member = await api.sign_in("max", PASSWORD)
            url = f"{self._service.address}/api/host/poker/tournaments{path}"
            headers = {"Authorization": f"Bearer {member.token}"}
            async with api.http.post(url, json=body, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
                found: Json = await answer.json()
                return found


async def enter(tournament_id: str, *players: Caller | Guest) -> None:
    for player in players:
        key = secrets.token_hex(8)
        if isinstance(player, Caller):
            await player.accepted("register", tournament_id=tournament_id, key=key)
        else:
            body = {"key": key}
            status = await player.page.evaluate(
                "async ([id, body]) => (await fetch(`/api/poker/tournaments/${id}/register`, "
                "{method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}})).status",
                [tournament_id, body],
            )
            assert status == 200


async def open_tab(guest: Guest, name: str) -> None:
    lobby = guest.page.get_by_role("button", name="Lobby", exact=True)
    if await lobby.get_attribute("aria-pressed") == "false":
        await lobby.click()
    await guest.page.get_by_role("tab", name=name).click()


async def open_tournament(guest: Guest, tournament_id: str) -> None:
    """By its address."""
    await guest.page.evaluate("id => (location.hash = `#tournament/${id}`)", tournament_id)
    await expect(guest.find(f'[data-tournament-page="{tournament_id}"]')).to_be_visible()


async def play_until(guest: Guest, *ends: str, with_ace: bool | None) -> None:
    """Bets everything with the ace of hearts, or without it, and folds otherwise, until one of these can be seen.

    None: always folds.
    """
    end = guest.find(", ".join(ends)).first
    question = guest.find("[data-question]").first
    while True:
        await expect(end.or_(question).first).to_be_visible()
        if await end.is_visible():
            return
        asked = await question.get_attribute("data-question")
        await decide(guest, goes_all_in=with_ace is not None and await has_ace(guest) == with_ace)
        await expect(guest.find(f'[data-question="{asked}"]')).to_have_count(0)


async def has_ace(guest: Guest) -> bool:
    return await guest.find(".seat.own .card [role=img]").first.get_attribute("aria-label") == ACE


async def decide(guest: Guest, *, goes_all_in: bool) -> None:
    """Answers the question: with everything, or with as little as possible."""
    if not goes_all_in:
        await guest.play("fold")
        if await guest.find("[data-act=fold]").get_by_text("Checking is free").count() > 0:
            await guest.play("fold")
    elif await guest.find("[data-act=raise]").count() > 0:
        all_in = guest.find(".presets").get_by_role("button", name="All-in")
        if await all_in.count() > 0:  # without it the one raise that is possible is everything
            await all_in.click()
        await guest.play("raise")
        await guest.play("raise")  # so large a bet wants a second press
    else:  # what others have bet is at least the own stack, or no opponent could pay more
        await guest.play("call", "check")


def bold(players: Sequence[Caller]) -> None:
    for player in players:
        player.is_bold = True
