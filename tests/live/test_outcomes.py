"""Outcomes of the rules in whole rounds with fixed cards, dealt by a presenter, to the last minor unit."""

import asyncio
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import pytest

from tests.live.clients import Clients, Host, Player, clients_of
from tests.live.frames import verify_frames
from tests.live.hands import WAYS, Hand, deal, place
from tests.live.service import Json, LiveService

ANTE: Final = 500
TRIPS: Final = 100
CREDIT: Final = 100_000
MULTIPLE: Final = {"play_4x": 4, "play_3x": 3, "play_2x": 2, "play_1x": 1, "fold": 0}


@dataclass(frozen=True)
class Row:
    """What each spot pays: odds, `push` or `lose`."""

    cards: str
    result: str
    ante: str
    blind: str
    play: str
    trips: str
    hands: tuple[str, str]  # player's and dealer's


ROWS: Final = {
    "not qualified, player wins": Row(
        "As Ad | 2c 5d 9h Jc Kd | 3h 4s", "win", "push", "push", "1:1", "lose", ("pair", "high_card")
    ),
    "not qualified, player wins with a high card": Row(
        "Ah 8s | 2c 6d 9h Jc Kd | 3h 4s", "win", "push", "push", "1:1", "lose", ("high_card", "high_card")
    ),
    "not qualified, player loses": Row(
        "3h 4s | 2c 6d 9h Jc Kd | Ah 8s", "lose", "push", "lose", "lose", "lose", ("high_card", "high_card")
    ),
    "not qualified, tie": Row(
        "2c 3d | 7h 9c Jd Ks Ac | 4h 5s", "tie", "push", "push", "push", "lose", ("high_card", "high_card")
    ),
    "not qualified, player wins with a straight": Row(
        "9s 8d | 7s 6h 5c 2c Kd | Ah Jd", "win", "push", "1:1", "1:1", "4:1", ("straight", "high_card")
    ),
    "qualified, player wins with a pair": Row(
        "As Ad | 2c 5d 9h Jc Kd | Jh 4s", "win", "1:1", "push", "1:1", "lose", ("pair", "pair")
    ),
    "qualified, player wins with two pairs": Row(
        "9s 5d | 9h 5c 7s 2c Kd | Ah Ad", "win", "1:1", "push", "1:1", "lose", ("two_pair", "pair")
    ),
    "qualified, player wins with three of a kind": Row(
        "9s 9d | 9h 5c 7s 2c Kd | Ah Ad", "win", "1:1", "push", "1:1", "3:1", ("three_of_a_kind", "pair")
    ),
    "qualified, player wins with a straight": Row(
        "9s 8d | 7s 6h 5c 2c Kd | Ah Ad", "win", "1:1", "1:1", "1:1", "4:1", ("straight", "pair")
    ),
    "qualified, player wins with a flush": Row(
        "9s 8s | As 6s 2s 2c 3d | Kh Kd", "win", "1:1", "3:2", "1:1", "7:1", ("flush", "two_pair")
    ),
    "qualified, player wins with a full house": Row(
        "9s 9d | 9h 5c 5s 2c 3d | Ah Ad", "win", "1:1", "3:1", "1:1", "8:1", ("full_house", "two_pair")
    ),
    "qualified, player wins with four of a kind": Row(
        "9s 9d | 9h 9c 5s 2c 3d | Ah Ad", "win", "1:1", "10:1", "1:1", "30:1", ("four_of_a_kind", "two_pair")
    ),
    "qualified, player wins with a straight flush": Row(
        "9s 8s | 7s 6s 5s 2c 3d | Ah Ad", "win", "1:1", "50:1", "1:1", "40:1", ("straight_flush", "pair")
    ),
    "qualified, player wins with a royal flush": Row(
        "As Ks | Qs Js Ts 2c 3d | 4h 4d", "win", "1:1", "500:1", "1:1", "50:1", ("royal_flush", "pair")
    ),
    "qualified, player loses": Row(
        "Js 4d | 2c 5d 9h Jc Kd | As Ad", "lose", "lose", "lose", "lose", "lose", ("pair", "pair")
    ),
    "qualified, player loses, TRIPS wins": Row(
        "9s 9d | 9h 5c 7c 2c Kd | Ac 3c", "lose", "lose", "lose", "lose", "3:1", ("three_of_a_kind", "flush")
    ),
    "qualified, tie": Row("2c 3d | 7h 7c Jd Ks Ac | 2h 3s", "tie", "push", "push", "push", "lose", ("pair", "pair")),
    "qualified, tie with a royal flush on the board": Row(
        "2c 3d | As Ks Qs Js Ts | 4h 5h", "tie", "push", "push", "push", "50:1", ("royal_flush", "royal_flush")
    ),
}


def spot(bet: int, pays: str) -> Json:
    if not bet:
        return {"bet": 0, "outcome": "none", "returned": 0}
    if pays == "lose":
        return {"bet": bet, "outcome": "lose", "returned": 0}
    if pays == "push":
        return {"bet": bet, "outcome": "push", "returned": bet}
    won = bet * Fraction(pays.replace(":", "/"))
    assert won.denominator == 1
    return {"bet": bet, "outcome": "win", "returned": bet + int(won)}


def expected_spots(row: Row, action: str) -> Json:
    play = ANTE * MULTIPLE[action]
    if action == "fold":  # whatever the dealer has; only TRIPS is still paid
        return {"ante": spot(ANTE, "lose"), "blind": spot(ANTE, "lose"), "play": spot(0, "")} | {
            "trips": spot(TRIPS, row.trips)
        }
    return {
        "ante": spot(ANTE, row.ante),
        "blind": spot(ANTE, row.blind),
        "trips": spot(TRIPS, row.trips),
        "play": spot(play, row.play),
    }


@dataclass(frozen=True)
class Played:
    table_id: str
    round_id: str
    settled: Json  # the public round at its end
    results: dict[str, Json]  # by action
    wallets: dict[str, tuple[int, int]]  # by action: balance and available, asked over HTTP


async def sit_down(clients: Clients, host: Host) -> tuple[str, list[Player]]:
    table_id = clients.service.table("many")
    await host.take_over(table_id)
    players = await clients.players(len(WAYS))
    await asyncio.gather(*(player.join(table_id) for player in players))
    return table_id, players


async def play_row(host: Host, row: Row, table_id: str, players: list[Player]) -> Played:
    by_action = dict(zip(WAYS, players, strict=True))
    round_id = await host.start(table_id)
    await place(players, table_id, round_id, ANTE, TRIPS)
    ways: dict[Player, tuple[str, ...]] = {by_action[action]: way for action, way in WAYS.items()}
    await deal(host, table_id, round_id, Hand.of(row.cards), ways)
    results = {action: await player.result(round_id) for action, player in by_action.items()}
    wallets = {action: await player.money() for action, player in by_action.items()}
    settled = await players[0].phase(table_id, round_id, "settled")
    return Played(table_id, round_id, settled, results, wallets)


@pytest.fixture(scope="module")
def played(service: LiveService) -> dict[str, Played]:
    """Every row at a table of its own, all at the same time."""

    async def play_all() -> dict[str, Played]:
        async with clients_of(service) as clients:
            host = await clients.host()
            seated = [await sit_down(clients, host) for _ in ROWS]
            rounds = await asyncio.gather(
                *(play_row(host, row, *seats) for row, seats in zip(ROWS.values(), seated, strict=True))
            )
        for frames in clients.frames:
            verify_frames(frames)
        return dict(zip(ROWS, rounds, strict=True))

    return asyncio.run(play_all())


@pytest.mark.req("RND-10")
@pytest.mark.parametrize("action", WAYS)
@pytest.mark.parametrize("name", ROWS)
def test_every_spot_is_paid_by_the_rules(played: dict[str, Played], name: str, action: str) -> None:
    row, round_ = ROWS[name], played[name]
    spots = expected_spots(row, action)
    staked = 2 * ANTE + TRIPS + ANTE * MULTIPLE[action]
    returned = sum(one["returned"] for one in spots.values())
    balance = CREDIT - staked + returned
    assert round_.results[action] == {
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "status": "settled",
        "result": "fold" if action == "fold" else row.result,
        "spots": spots,
        "staked": staked,
        "returned": returned,
        "balance": balance,
    }
    assert round_.wallets[action] == (balance, balance)


@pytest.mark.parametrize("name", ROWS)
def test_hands_and_qualification_are_named(played: dict[str, Played], name: str) -> None:
    row, view = ROWS[name], played[name].settled
    player, dealer = row.hands
    cards = Hand.of(row.cards)
    assert (view["player_hand"]["category"], view["dealer_hand"]["category"]) == (player, dealer)
    assert view["dealer_qualifies"] is (dealer != "high_card")
    assert view["player_cards"] == cards.player.split()
    assert view["board"] == f"{cards.flop} {cards.turn_river}".split()
    assert view["dealer_cards"] == cards.dealer.split()
    for hand, own in (("player_hand", "player_cards"), ("dealer_hand", "dealer_cards")):
        assert len(set(view[hand]["cards"])) == 5
        assert set(view[hand]["cards"]) <= set(view[own] + view["board"])


async def test_without_an_answer_the_player_checks_checks_and_folds(clients: Clients) -> None:
    """Shown as automatic, and TRIPS is paid all the same."""
    table_id = clients.service.table("hasty")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    await player.bet(table_id, round_id, ANTE, TRIPS)
    hand = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")
    await deal(host, table_id, round_id, hand, {})
    result = await player.result(round_id)
    assert result["result"] == "fold"
    assert result["spots"] == {
        "ante": spot(ANTE, "lose"),
        "blind": spot(ANTE, "lose"),
        "trips": {"bet": TRIPS, "outcome": "win", "returned": 400},
        "play": {"bet": 0, "outcome": "none", "returned": 0},
    }
    assert await player.money() == (result["balance"], result["balance"]) == (CREDIT - 1100 + 400,) * 2
    automatic = [seat["automatic"] for seat in player.all("seat") if seat["automatic"]]
    assert automatic[0] == "auto_checked"
    assert automatic[-1] == "auto_folded"
    assert [seat["decision"] for seat in player.all("seat")][-1] == "fold"


async def test_a_round_without_a_bet_deals_no_card(clients: Clients) -> None:
    table_id = clients.service.table("hasty")
    host, player = await clients.host(), await clients.player()
    await host.take_over(table_id)
    await player.join(table_id)
    round_id = await host.start(table_id)
    view = await player.phase(table_id, round_id, "idle")
    assert view["deadline"] is None
    next_id = await host.start(table_id)
    assert next_id != round_id
    later = await player.phase(table_id, next_id, "betting")
    assert later["game_number"] != view["game_number"]
