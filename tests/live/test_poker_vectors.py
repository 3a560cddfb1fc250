"""Vectors of the rules at a real server: real clients play whole hands with known decks.

Vectors of the clock are in tests/poker_room, on virtual time; those of stacks below a big blind need no table.
"""

import secrets
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import contextmanager

import aiohttp
import pytest

from tests.live.poker_players import PokerPlayer, Seats, guest
from tests.live.poker_service import order_of, started_poker
from tests.live.poker_vectors import DECK, MOVES, NL10, SEATS, VECTORS, Asked, Moves, Paid, Vector
from tests.live.service import Json, LiveService

RETURNING, HALVED = "returning", "halved"


def stakes() -> str:
    rows = [vector.stake.row(vector.stake_id) for vector in VECTORS]
    rows += [NL10.row(name) for name in (HALVED, *(moves.stake_id for moves in MOVES))]
    return "".join((*rows, NL10.row(RETURNING, least=50, most=100)))


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with started_poker(stakes=stakes(), min_to_start=str(SEATS)) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


class Crew:
    """Seven players who come to table after table; the last of them has no seat when a table begins."""

    def __init__(self, players: Sequence[PokerPlayer]) -> None:
        self.players = players

    @property
    def newcomer(self) -> PokerPlayer:
        return self.players[SEATS]

    async def sit(self, stake_id: str, stacks: Sequence[int]) -> Seats:
        """Six players sit down with these stacks, in seats 1 to 6, and the first hand begins."""
        seated = self.players[:SEATS]
        for player, stack in zip(seated, stacks, strict=True):
            joined = await player.accepted("join_pool", pool=stake_id, buy_in=stack, key=secrets.token_hex(8))
            assert joined["status"] == "queued"
        for player in seated:
            await player.come()
        seats = Seats([*reversed(seated)])  # the player of seat 1 listens: no vector sends this one away
        await seats.dealt()
        assert seats.by_seat == dict(enumerate(seated, 1))
        return seats

    async def rise(self) -> None:
        """Everybody leaves; whoever has cards folds."""
        for player in self.players:
            if player.table_id and not has_left(player):
                await player.accepted("leave", table_id=player.table_id)
        for player in self.players:
            if player.table_id:
                await until_left(player)
            player.verify_received()
            player.received.clear()
            player.snapshots.clear()
            player.table_id = ""


def has_left(player: PokerPlayer) -> bool:
    return bool(player.all("seat")) and player.all("seat")[-1]["state"] == "gone"


async def until_left(player: PokerPlayer) -> None:
    await player.until("seat", lambda seat: has_left(player) and seat is player.all("seat")[-1])


@pytest.fixture
async def crew(service: LiveService) -> AsyncIterator[Crew]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        players = [PokerPlayer(web, service.address, await guest(web, service)) for _ in range(SEATS + 1)]
        for player in players:
            await player.connect()
        yield Crew(players)
        for player in players:
            await player.close()


@contextmanager
def named(vector: str) -> Iterator[None]:
    try:
        yield
    except BaseException as failure:
        failure.add_note(vector)
        raise


def at_table(seat: int) -> int:
    """The seat at the table for a seat of the rules: the button has seat 1."""
    return seat % SEATS + 1


async def play(seats: Seats, actions: str, number: int = 1) -> int:
    """Plays these actions, in seats of the table; others fold. Returns the number of the next decision."""
    left = [action.split() for action in actions.split(", ") if action]
    while left:
        player, _ = await seats.turn(number)
        seat, action, *amount = left[0]
        if seats.by_seat[int(seat)] is player:
            await seats.act(number, action, int(amount[0]) if amount else None)
            left.pop(0)
        else:
            await seats.act(number, "fold")
        number += 1
    return number


def moved(actions: str) -> str:
    """Actions in seats of the rules, in seats of the table."""
    words = [action.split(maxsplit=1) for action in actions.split(", ") if action]
    return ", ".join(f"{at_table(int(seat))} {what}" for seat, what in words)


async def fold_out(seats: Seats, leaving: Collection[int] = ()) -> None:
    """All players fold to the big blind; players who are leaving do so by themselves."""
    positions, dealt = seats.hand["positions"], [seat["seat_no"] for seat in seats.hand["seats"]]
    first = positions["bb"]
    order = sorted((no for no in dealt if no != first), key=lambda no: (no <= first, no))
    for number, seat_no in enumerate(order, 1):
        if seat_no not in leaving:
            player, _ = await seats.turn(number)
            assert player is seats.by_seat[seat_no]
            await seats.act(number, "fold")


async def next_hand(seats: Seats, number: int) -> tuple[int, int | None, int, tuple[int, ...]]:
    """The positions of the hand with this number, once it has begun."""
    seats.hand = await seats.players[-1].until("hand", lambda hand: hand["number"] == number)
    positions = seats.hand["positions"]
    return positions["button"], positions["sb"], positions["bb"], tuple(positions["posters"])


async def verify_asked(seats: Seats, number: int, asked: Asked) -> None:
    while True:
        player, options = await seats.turn(number)
        if player is seats.by_seat[at_table(asked.seat)]:
            break
        await seats.act(number, "fold")
        number += 1
    sizes = options["raise"] and (options["raise"]["min"], options["raise"]["max"])
    assert (options["call"], sizes) == ({"amount": asked.call}, asked.sizes)
    at = {"table_id": seats.table_id, "hand_id": seats.hand["hand_id"], "turn": number, "action": "raise_to"}
    if asked.sizes is None:
        assert await player.code("act", **at, amount=100_000) == "not_offered"
    else:
        assert await player.code("act", **at, amount=asked.sizes[0] - 1) == "below_minimum"
        assert await player.code("act", **at, amount=asked.sizes[1] + 1) == "above_maximum"
        await player.accepted("act", **at, amount=asked.sizes[0])


async def verify_paid(seats: Seats, nets: dict[int, int], rake: tuple[int, ...]) -> None:
    hand_id = seats.hand["hand_id"]
    for seat in seats.hand["seats"]:
        over = await seats.by_seat[seat["seat_no"]].until("hand_over", lambda over: over["hand_id"] == hand_id)
        assert over["net"] == nets.get(seat["seat_no"], 0)
    steps = seats.players[-1].all("step")
    pots = [step["award"] for step in steps if step["hand_id"] == hand_id and step["kind"] == "pot"]
    assert tuple(pot["rake"] for pot in pots) == rake


async def test_hands_are_played_and_paid_as_the_rules_say(service: LiveService, crew: Crew) -> None:
    order_of(service).write(DECK)
    for vector in VECTORS:
        with named(vector.name):
            await verify_hand(crew, vector)
            await crew.rise()


async def verify_hand(crew: Crew, vector: Vector) -> None:
    stacks = {at_table(seat): vector.stack(seat) for seat in range(1, SEATS + 1)}
    seats = await crew.sit(vector.stake_id, [stacks[no] for no in sorted(stacks)])
    number = await play(seats, moved(vector.actions))
    match vector.ends:
        case Asked():
            await verify_asked(seats, number, vector.ends)
        case Paid(nets, rake):
            await verify_paid(seats, {at_table(seat): net for seat, net in nets.items()}, rake)


async def test_button_and_blinds_move_as_the_rules_say(service: LiveService, crew: Crew) -> None:
    for moves in MOVES:
        with named(moves.name):
            free = sorted(moves.leaves_before)
            of_newcomer = [0, free.index(moves.comes)] if moves.comes else []  # the table, and the seat
            order_of(service).write(DECK, [*FIRST_SEATS, FIRST_BUTTON, *of_newcomer])
            await verify_moves(crew, moves)
            await crew.rise()


FIRST_SEATS, FIRST_BUTTON = [0] * SEATS, SEATS - 1


async def verify_moves(crew: Crew, moves: Moves) -> None:
    seats = await crew.sit(moves.stake_id, [1000] * SEATS)
    await leave(seats, moves.leaves_before)
    await fold_out(seats, moves.leaves_before)
    here = {*range(1, SEATS + 1)} - {*moves.leaves_before}
    small_blind = 1 if len(here) == 2 else 2 if 2 in here else None
    assert await next_hand(seats, 2) == (1, small_blind, 3, ())
    assert {seat["seat_no"] for seat in seats.hand["seats"]} == here
    await leave(seats, moves.leaves)
    at = {"table_id": seats.table_id, "on": True}
    if moves.sits_out:
        await seats.by_seat[moves.sits_out].accepted("sit_out", when="now", **at)
    if moves.sits_out_next_bb:
        await seats.by_seat[moves.sits_out_next_bb].accepted("sit_out", when="next_bb", **at)
    if moves.comes:
        request = {"pool": moves.stake_id, "buy_in": 1000, "wait_for_bb": not moves.posts, "key": secrets.token_hex(8)}
        joined = await crew.newcomer.accepted("join_pool", **request)
        assert (joined["status"], joined["seat_no"]) == ("seated", moves.comes)
        await crew.newcomer.come()
    await fold_out(seats, moves.leaves)
    assert await next_hand(seats, 3) == moves.then
    comes = {moves.comes} if moves.comes else set[int]()
    assert {seat["seat_no"] for seat in seats.hand["seats"]} == (here | comes) - {*moves.leaves, moves.waits}


async def leave(seats: Seats, seat_nos: Collection[int]) -> None:
    """In the hand: these players fold at their turn."""
    for seat_no in seat_nos:
        assert (await seats.by_seat[seat_no].accepted("leave", table_id=seats.table_id))["after_hand"]


async def test_cap_of_the_rake_is_halved_with_three_and_with_two(service: LiveService, crew: Crew) -> None:
    """V5.5 and V5.10: 40.00 in the pot with three dealt in, then all-ins before the flop with two."""
    order_of(service).write(DECK)
    seats = await crew.sit(HALVED, [3000] * SEATS)
    await leave(seats, (4, 5, 6))
    await fold_out(seats, (4, 5, 6))
    assert await next_hand(seats, 2) == (2, 3, 1, ())
    await leave(seats, (2,))
    await play(seats, "3 raise_to 2000, 1 call" + ", 3 check, 1 check" * 3, number=2)
    await verify_paid(seats, {1: 1950, 3: -2000}, (50,))
    assert await next_hand(seats, 3) == (1, 1, 3, ())
    await play(seats, "1 raise_to 1005, 3 call")
    await verify_paid(seats, {1: -1005, 3: 955}, (50,))
    await crew.rise()


async def test_players_who_come_back_bring_their_stacks(service: LiveService, crew: Crew) -> None:
    """V8.1, V8.2, V8.3 and V8.5, within half an hour and at the same table."""
    order_of(service).write(DECK)
    seats = await crew.sit(RETURNING, [1000, 609, 609, 1000, 1000, 1000])
    winner, loser = seats.by_seat[4], seats.by_seat[5]
    number = await play(seats, "4 call, 5 raise_to 265, 2 raise_to 609, 3 call, 4 call")
    await leave(seats, (4, 5))
    assert number == 8
    await until_left(winner)
    await until_left(loser)
    assert await asks(loser) == (735, 1000)
    for returns in range(6):
        assert await asks(winner) == ((1000, 2410) if returns < 5 else (2410, 2410))
        await sit_and_leave(winner, 2410)
    joined = await crew.newcomer.accepted("join_pool", pool=RETURNING, buy_in=1000, key=secrets.token_hex(8))
    assert joined["status"] == "seated"
    await crew.newcomer.accepted("leave", table_id=joined["table_id"])
    assert await asks(crew.newcomer) == (1000, 1000)
    await crew.rise()


async def asks(player: PokerPlayer) -> tuple[int, int]:
    """The buy-ins that the player is offered at a reserved seat."""
    joined = await player.accepted("join_pool", pool=RETURNING, buy_in=0, key=secrets.token_hex(8))
    assert joined["status"] == "reserved"
    return joined["min"], joined["max"]


async def sit_and_leave(player: PokerPlayer, amount: int) -> None:
    seat = {"table_id": player.table_id, "amount": amount, "key": secrets.token_hex(8)}
    assert (await player.accepted("sit", **seat))["stack"] == amount
    left: Json = await player.accepted("leave", table_id=player.table_id)
    assert not left["after_hand"]
