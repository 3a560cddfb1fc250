"""Checks every message that leaves the service against what is stored at that moment.

Nothing may be acknowledged or published that is not in the database. What was asked and not yet answered may or may not
have happened; everything else is certain, also after the power has gone.
"""

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from casino.cards.seeded_shuffle import ServerSeed
from casino.clock import Clock
from tests.simulation.books import check_ended_round
from tests.simulation.db_observer import DatabaseObserver
from tests.simulation.network import Link

_CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
_ROUND = re.compile(r'"round_id":"([^"]+)"')
_SAID = re.compile(r"4([23])(/[a-z]+),(\d*)(.*)", re.DOTALL)
_NOTHING = frozenset[str]()
_OVER = ("settled", "cancelled", "idle")
_FRESH = 6
"""A snapshot may be so many events of the journal older than what is stored when it goes out."""


@dataclass
class Request:
    """One request; `total` is the stake after it, if it is a bet."""

    event: str
    data: dict[str, Any]
    total: int = 0
    state: str = "asked"  # then accepted, refused, or `gone`: the connection was lost at `at_ms`
    at_ms: int = 0


class Said(NamedTuple):
    """A message as it passes the door."""

    kind: str
    namespace: str
    number: str
    words: str
    cards: frozenset[str]


@lru_cache(maxsize=256)
def _said(text: str) -> Said | None:
    """Checks an event sent to all clients once."""
    said = _SAID.fullmatch(text)
    if not said:
        return None
    kind, namespace, number, words = said.groups()
    return Said(kind, namespace, number, words, frozenset(_CARD.findall(words)) if namespace == "/table" else _NOTHING)


class OutputChecker:
    def __init__(self, clock: Clock, complain: Callable[[str], None], log: Callable[..., None]) -> None:
        self._clock = clock
        self._complain = complain
        self._log = log
        self.observer: DatabaseObserver | None = None
        self.server_seeds: dict[str, ServerSeed] = {}
        self.ended: set[str] = set()
        self._requests: dict[tuple[Link, str], deque[Request]] = defaultdict(deque)
        self._bets: dict[str, dict[str, list[Request]]] = {}  # of rounds whose betting is open, by player
        self._closed: set[str] = set()
        self._links: dict[str, dict[Link, None]] = defaultdict(dict)
        self._seats: dict[str, Link] = {}
        self._dealt: dict[str, set[str]] = defaultdict(set)
        self._last_round = ""

    def committed(self, commitment: str, server_seed: ServerSeed) -> None:
        self.server_seeds[commitment] = server_seed

    # What the network shows

    def taken(self, link: Link, text: str) -> None:
        self._log("to the service", link.player_id, text)
        said = _said(text)
        if not said or said.kind != "2":
            return
        event, data = json.loads(said.words)
        request = Request(event, data)
        self._requests[link, said.number].append(request)
        if event == "bet":
            request.total = 2 * data["ante"] + data["trips"]
            if data["round_id"] not in self._closed:
                self._bets.setdefault(data["round_id"], {}).setdefault(link.player_id, []).append(request)
        elif event == "leave":
            self._withdraw(link.player_id, request)
        elif event == "join":
            self._links[link.player_id][link] = None

    def written(self, link: Link, text: str) -> None:
        self._log("from the service", link.player_id, text)
        said = _said(text)
        if not said:
            return
        if self.observer is None:
            self._count(said.words)
            return
        if said.cards:
            self._look_for_cards(said.cards, said.words)
        if said.kind == "3":
            self._answered(link, said.number, json.loads(said.words)[0])
        elif said.words.startswith('["round"') and said.words != self._last_round:
            self._last_round = said.words
            self._round(json.loads(said.words)[1])
        elif said.words.startswith('["result"'):
            self._result(link.player_id, json.loads(said.words)[1])

    def _count(self, words: str) -> None:
        """If the books cannot be read at this moment, rounds are only counted."""
        if words.startswith('["round"'):
            view = json.loads(words)[1]
            if view["phase"] in _OVER and view["round_id"]:
                self.ended.add(view["round_id"])

    def ended_link(self, link: Link) -> None:
        """Without grace: open bets of disconnected players are returned."""
        self._log("connection ended", link.player_id)
        others = self._links[link.player_id]
        others.pop(link, None)
        is_sure = self._seats.get(link.player_id) is link and not others
        request = Request("gone", {}, state="gone" if is_sure else "asked", at_ms=self._clock())
        self._withdraw(link.player_id, request)

    def _withdraw(self, player_id: str, request: Request) -> None:
        for requests in self._bets.values():
            if player_id in requests:
                requests[player_id].append(request)

    # Acknowledgements

    def _answered(self, link: Link, number: str, answer: dict[str, Any]) -> None:
        requests = self._requests.get((link, number))
        if not requests:
            self._complain(f"an answer to nothing: {answer}")
            return
        request = requests.popleft()
        if not answer["ok"]:
            request.state = self._refused(request, answer["error"])
            request.at_ms = self._clock()
            return
        request.state = "accepted"
        check = {"bet": self._bet_stored, "decide": self._decision_stored, "tip": self._tip_stored}.get(request.event)
        if check:
            check(link.player_id, request)
        elif request.event == "join":
            self._seats[link.player_id] = link
            self._snapshot(link.player_id, answer)

    def _refused(self, request: Request, error: dict[str, Any]) -> str:
        """A `leave` is done at once, and the bet returns later; a commit may still be in doubt."""
        if error["code"] == "internal" and request.event == "leave":
            return "gone"
        return "asked" if error.get("params", {}).get("reason") == "outcome_unknown" else "refused"

    def _bet_stored(self, player_id: str, request: Request) -> None:
        round_id, observer = request.data["round_id"], self.observer
        assert observer is not None
        if observer.status(round_id) != "open" or round_id not in self._bets:
            return  # it was returned, or is compared elsewhere
        found = observer.staked(round_id).get(player_id, 0)
        possible = _possible(self._bets[round_id][player_id])
        if found not in possible:
            self._complain(f"{player_id} received that {request.total} is bet, stored is {found}, possible {possible}")

    def _decision_stored(self, player_id: str, request: Request) -> None:
        assert self.observer is not None
        made = self.observer.journal(request.data["round_id"])
        if not any(
            event["kind"] == "decision_made"
            and (event["player_id"], event["action"]) == (player_id, request.data["action"])
            for event in made
        ):
            self._complain(f"{player_id} received that {request.data['action']} is taken, and it is not stored")

    def _tip_stored(self, player_id: str, request: Request) -> None:
        assert self.observer is not None
        if not self.observer.has_operation(f"tip:{player_id}:{request.data['key']}"):
            self._complain(f"the tip {request.data} of {player_id} was acknowledged and not stored")

    # News

    def _look_for_cards(self, shown: frozenset[str], said: str) -> None:
        assert self.observer is not None
        rounds = _ROUND.findall(said)
        if not rounds:
            self._complain(f"cards of no round: {said}")
        for round_id in rounds[:1]:
            if not shown <= self._dealt[round_id]:
                events = self.observer.journal(round_id)
                self._dealt[round_id] = {event["card"] for event in events if "card" in event}
            if not shown <= self._dealt[round_id]:
                self._complain(f"hidden cards are sent: {shown - self._dealt[round_id]} in {said}")

    def _round(self, view: dict[str, Any]) -> None:
        assert self.observer is not None
        round_id = view["round_id"]
        stored = self.observer.round(round_id)
        if (stored.phase, stored.paused is None) != (view["phase"], view["paused"] is None):
            self._complain(f"sent {view['phase']}, stored is {stored.phase}, round {round_id}")
        if view["phase"] != "betting":
            self.betting_over(round_id)
        if view["phase"] in _OVER and round_id not in self.ended:
            self.ended.add(round_id)
            for fault in check_ended_round(self.observer, round_id, self.server_seeds):
                self._complain(fault)

    def betting_over(self, round_id: str) -> None:
        """What was captured is what was acknowledged, and nothing of those who left in time."""
        assert self.observer is not None
        if round_id in self._closed:
            return
        self._closed.add(round_id)
        requests = self._bets.pop(round_id, {})
        events = self.observer.journal(round_id)
        closed = next((event for event in events if event["kind"] == "betting_closed"), None)
        if closed is None:
            return
        staked, due_ms = self.observer.staked(round_id), _due_ms(events)
        for player_id in requests.keys() | staked.keys():
            possible = _possible(requests.get(player_id, []), min(closed["at_ms"], due_ms))
            if staked.get(player_id, 0) not in possible:
                self._complain(
                    f"{player_id} plays for {staked.get(player_id, 0)} in {round_id}, possible is {possible}: "
                    f"{requests.get(player_id)}, closed at {closed['at_ms']}"
                )

    def _result(self, player_id: str, result: dict[str, Any]) -> None:
        assert self.observer is not None
        stored = self.observer.settled(result["round_id"], player_id)
        sent = (result["status"], result["staked"], result["returned"])
        if not stored or stored[-1] != sent:
            self._complain(f"{player_id} received {sent} of {result['round_id']}, stored is {stored}")

    def _snapshot(self, player_id: str, answer: dict[str, Any]) -> None:
        """Whoever comes back sees what is stored, or what was a moment ago."""
        view, observer = answer["round"], self.observer
        if view["round_id"] is None:
            return
        assert observer is not None
        written = observer.written(view["round_id"])
        shown = (view["phase"], view["player_cards"], view["board"], view["dealer_cards"])
        for length in range(len(written), max(0, len(written) - _FRESH), -1):
            round_ = observer.rebuilt(written[:length])
            shared = [] if round_.seat_numbers or "seats" in view else list(round_.hole_cards(None))
            if shown == (round_.phase, shared, list(round_.board), list(round_.dealer_cards)):
                return
        self._complain(f"{player_id} came back to {shown}, stored is {observer.round(view['round_id'])}")

    # The end of a life of the service

    def power_lost(self) -> None:
        """Acknowledged changes are stored, before any recovery."""
        if self.observer is None:
            return
        unfinished = self.observer.unfinished()
        self._closed.update(unfinished)
        for round_id, requests in tuple(self._bets.items()):
            if round_id not in unfinished:
                continue
            staked = self.observer.staked(round_id)
            for player_id, asked in requests.items():
                if staked.get(player_id, 0) not in _possible(asked):
                    self._complain(f"{player_id} had bet {_possible(asked)}, after the crash {staked.get(player_id)}")
        self.new_life()

    def new_life(self) -> None:
        self._bets, self._seats = {}, {}
        self._requests.clear()
        self._links.clear()


def _due_ms(events: list[dict[str, Any]]) -> int:
    """When betting was to end; a pause restarts the full time."""
    opened = [event for event in events if event["kind"] in ("betting_opened", "round_resumed")]
    return int(opened[-1]["due_ms"] or 0) if len(opened) == 1 else int(events[-1]["at_ms"])


def _possible(requests: list[Request], closed_ms: int | None = None) -> set[int]:
    """Possible stakes after these requests, in the order of arrival."""
    possible = set()
    for request in reversed(requests):
        if request.state == "refused":
            continue
        possible.add(request.total)
        is_sure = request.state == "gone" and closed_ms is not None and request.at_ms < closed_ms
        if request.state == "accepted" or is_sure:
            return possible
    return possible | {0}
