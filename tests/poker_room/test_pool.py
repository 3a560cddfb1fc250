"""Pools: the draw of a table and a seat, reservations, the queue, and opening and closing of tables."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.buy_in_offers import Departure
from casino.poker_room.pool import (
    Pool,
    PoolTable,
    PoolTerms,
    Queued,
    Reserved,
    Seated,
    Visitor,
    Waiting,
    join,
    leave_queue,
    stand_up,
    take_reserved,
    without_lapsed,
)
from casino.poker_room.pool_changes import Served, close_idle_table, serve_queue
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
TERMS = PoolTerms(STAKES["nl10"], "EUR")
NOW = 100 * 60_000


def table(table_id: str, players: Sequence[str], *, idle_ms: int | None = None) -> PoolTable:
    return PoolTable(table_id, 6, tuple(enumerate(players, 1)), idle_since_ms=idle_ms)


def visitor(player_id: str = "me", buy_in: int = 1000, **changes: object) -> Visitor:
    return replace(Visitor(player_id, 5000, buy_in), **changes)  # type: ignore[arg-type]


def first(_: int) -> int:
    return 0


def drawing(*numbers: int) -> Callable[[int], int]:
    left = iter(numbers)
    return lambda _: next(left)


def waiting(*players: str) -> tuple[Waiting, ...]:
    return tuple(Waiting(player, NOW) for player in players)


def names() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"new{next(numbers)}"


def served(pool: Pool, *, tables: int = 0) -> Served:
    visitors = {entry.player_id: visitor(entry.player_id, tables=tables) for entry in pool.queue}
    return serve_queue(pool, visitors, NOW, first, names())


V8_0 = Pool(TERMS, (table("a", "pqrst"), table("b", "uvw"), table("c", "x")))


def test_v8_0_the_draw_weighs_free_seats_and_tables_left_a_short_time_ago() -> None:
    pool = V8_0.with_table(replace(table("c", "xy"), seats=7))
    me = visitor(departures=(Departure("b", TERMS.pool_id, NOW - 600_000, 400),))
    drawn: Counter[str] = Counter()
    for number in range(53):
        _, joined = join(pool, me, NOW, drawing(number, 0))
        assert isinstance(joined, Seated)
        drawn[joined.table_id] += 1
    assert drawn == {"a": 1, "b": 27, "c": 25}


def test_the_seat_is_a_random_free_one() -> None:
    seats = set()
    for number in range(3):
        _, joined = join(V8_0, visitor(), NOW, drawing(1, number))
        assert isinstance(joined, Seated)
        seats.add((joined.table_id, joined.seat_no))
    assert seats == {("b", 4), ("b", 5), ("b", 6)}


def test_a_buy_in_outside_the_offer_reserves_the_seat_for_twenty_seconds() -> None:
    pool, joined = join(V8_0, visitor(buy_in=0), NOW, first)
    assert isinstance(joined, Reserved)
    assert (joined.table_id, joined.seat_no, joined.until_ms) == ("a", 6, NOW + 20_000)
    assert pool.table("a").free_seats == ()
    after, seated = take_reserved(pool, visitor(), "a", 700, NOW + 20_000)
    assert (seated.seat_no, seated.amount, after.table("a").reservations) == (6, 700, ())
    assert "me" in after.table("a").players


@pytest.mark.parametrize(
    ("table_id", "amount", "late_ms", "code"),
    [
        ("a", 700, 20_001, Code.TOO_LATE),
        ("a", 499, 0, Code.BELOW_MINIMUM),
        ("a", 1001, 0, Code.ABOVE_MAXIMUM),
        ("b", 700, 0, Code.TOO_LATE),
        ("gone", 700, 0, Code.NO_SUCH_TABLE),
    ],
)
def test_a_reserved_seat_is_taken_in_time_and_within_the_offer(
    table_id: str, amount: int, late_ms: int, code: Code
) -> None:
    pool, _ = join(V8_0, visitor(buy_in=0), NOW, first)
    with pytest.raises(Refusal) as refused:
        take_reserved(pool, visitor(), table_id, amount, NOW + late_ms)
    assert refused.value.code is code
    with pytest.raises(Refusal, match="available"):
        take_reserved(pool, visitor(available=600), "a", 700, NOW)


def test_a_reservation_that_was_not_used_frees_the_seat() -> None:
    pool, _ = join(V8_0, visitor(buy_in=0), NOW, first)
    assert without_lapsed(pool, NOW + 20_000) == (pool, [])
    after, lapsed = without_lapsed(pool, NOW + 20_001)
    assert (lapsed, after.table("a").free_seats) == ([("a", "me")], (6,))


def test_without_a_candidate_a_player_queues_once_with_a_place() -> None:
    pool = Pool(TERMS)
    pool, joined = join(pool, visitor("one"), NOW, first)
    assert joined == Queued("one", 1, 2)
    pool, joined = join(pool, visitor("two"), NOW, first)
    assert joined == Queued("two", 2, 1)
    pool, joined = join(pool, visitor("one"), NOW + 5, first)
    assert joined == Queued("one", 1, 2 - 1)
    pool, given_up = leave_queue(pool, "one")
    assert (given_up, pool.place_of("one"), pool.place_of("two")) == (Waiting("one", NOW), None, 1)
    assert leave_queue(pool, "one") == (pool, None)


def test_limits_of_tables_and_money() -> None:
    with pytest.raises(Refusal) as refused:
        join(V8_0, visitor(tables=8), NOW, first)
    assert (refused.value.code, refused.value.params) == (Code.TOO_MANY_TABLES, {})
    banzai = Pool(PoolTerms(STAKES["banzai-nl1"], "EUR"))
    with pytest.raises(Refusal) as refused:
        join(banzai, visitor(tables=4, tables_of_stake=4), NOW, first)
    assert refused.value.code is Code.TOO_MANY_TABLES
    with pytest.raises(Refusal) as refused:
        join(V8_0, visitor(available=499), NOW, first)
    assert refused.value.code is Code.INSUFFICIENT_FUNDS
    assert refused.value.params == {"reason": "stake_too_high", "minimum": 500}


def test_a_player_never_gets_a_second_seat_or_a_blocked_table() -> None:
    pool = Pool(TERMS, (table("a", ["me", "x", "y"]), table("b", "uvw")))
    _, joined = join(pool, visitor(), NOW, first)
    assert isinstance(joined, Seated)
    assert joined.table_id == "b"
    _, joined = join(pool, visitor(blocked=frozenset("b")), NOW, first)
    assert isinstance(joined, Queued)


def test_three_in_the_queue_open_a_table() -> None:
    after = served(Pool(TERMS, queue=waiting("one", "two", "three")))
    assert after.opened == ["new1"]
    assert [given.player_id for given in after.seats] == ["one", "two", "three"]
    assert len({given.seat_no for given in after.seats if isinstance(given, Seated)}) == 3
    assert after.pool.queue == ()
    assert served(Pool(TERMS, queue=waiting("one", "two"))).seats == []


def test_a_room_may_need_more_players_for_a_table() -> None:
    pool = Pool(replace(TERMS, start_min=4), queue=waiting("one", "two", "three"))
    assert served(pool).seats == []
    _, joined = join(pool, visitor("one"), NOW, first)
    assert joined == Queued("one", 1, 1)


def test_the_queue_fills_waiting_tables_first_then_tables_in_play_then_new_ones() -> None:
    tables = (table("plays", "pqrst"), table("waits", "uvwx", idle_ms=NOW - 5), table("longer", "y", idle_ms=NOW - 9))
    after = served(Pool(TERMS, tables, waiting(*"abcdefghijk")))
    places = [given.table_id for given in after.seats]
    assert places == ["longer"] * 5 + ["waits"] * 2 + ["plays"] + ["new1"] * 3
    assert after.pool.queue == ()


def test_queued_players_at_the_limit_or_unknown_keep_their_place() -> None:
    pool = Pool(TERMS, queue=waiting("one", "two", "three"))
    assert served(pool, tables=8).pool == pool
    assert serve_queue(pool, {}, NOW, first, names()).pool == pool


def test_a_table_that_cannot_play_for_a_minute_is_merged_into_another() -> None:
    tables = (table("a", ["p", "q"], idle_ms=NOW - 70_000), table("b", ["r"], idle_ms=NOW - 60_000))
    closed = close_idle_table(Pool(TERMS, tables, waiting("late")), {"b": {"r": 740}}, NOW)
    assert closed is not None
    assert (closed.table_id, closed.players) == ("b", ("r",))
    assert closed.pool.queue == (Waiting("r", NOW, 740), Waiting("late", NOW))
    after = served(closed.pool, tables=8)
    assert after.seats == [Seated("r", "a", 3, 740, None)]


@pytest.mark.parametrize(
    "tables",
    [
        (table("a", ["p", "q"], idle_ms=NOW - 60_000),),
        (table("a", ["p", "q"], idle_ms=NOW - 59_999), table("b", "uvw")),
        (table("a", ["p", "q"], idle_ms=NOW - 60_000), table("b", "uvwxy")),
        (table("a", ["p", "q"], idle_ms=NOW - 60_000), table("b", ["p", "x", "y"])),
        (table("a", ["p", "q"]), table("b", "uvw")),
    ],
    ids=["alone", "too early", "one seat", "sits there already", "plays"],
)
def test_a_table_waits_if_its_players_do_not_fit_elsewhere(tables: tuple[PoolTable, ...]) -> None:
    assert close_idle_table(Pool(TERMS, tables), {"a": {"p": 1, "q": 1}}, NOW) is None


def test_fitting_elsewhere_is_a_matching_of_players_and_seats() -> None:
    idle = table("a", ["p", "q"], idle_ms=NOW - 60_000)
    tables = (idle, table("b", "uvwxy"), table("c", "fghij"))
    stacks = {"a": {"p": 1, "q": 1}}
    assert close_idle_table(Pool(TERMS, tables), stacks, NOW, {"q": frozenset("c")}) is not None
    both = {"p": frozenset("c"), "q": frozenset("c")}
    assert close_idle_table(Pool(TERMS, tables), stacks, NOW, both) is None


def test_an_empty_table_closes_and_a_reserved_seat_keeps_one_open() -> None:
    empty = table("a", [], idle_ms=NOW - 60_000)
    closed = close_idle_table(Pool(TERMS, (empty,)), {"a": {}}, NOW)
    assert closed is not None
    assert closed.pool.tables == ()
    served_table = serve_queue(
        Pool(TERMS, (empty,), waiting("one")), {"one": visitor("one", buy_in=0)}, NOW, first, names()
    ).pool
    assert close_idle_table(served_table, {"a": {}}, NOW) is None
    assert stand_up(served_table, "a", "one").tables == (empty,)


@pytest.mark.parametrize("stacks", [{}, {"a": {"p": 100}}], ids=["is being opened", "chips on their way"])
def test_a_table_that_is_not_complete_yet_is_not_closed(stacks: dict[str, dict[str, int]]) -> None:
    tables = (table("a", "pq", idle_ms=NOW - 60_000), table("b", "uvw"))
    assert close_idle_table(Pool(TERMS, tables), stacks, NOW) is None


def test_a_table_whose_players_sit_out_is_no_candidate() -> None:
    absent = replace(table("a", "xyz"), absent=frozenset("xy"))
    _, joined = join(Pool(TERMS, (absent,)), visitor(), NOW, first)
    assert isinstance(joined, Queued)
    assert stand_up(Pool(TERMS, (absent,)), "a", "x").table("a").absent == {"y"}


@pytest.mark.parametrize("seed", range(5))
def test_random_visits_keep_seats_queue_and_chips_consistent(seed: int) -> None:
    """Players join, choose buy-ins, leave and are moved; every chip stays with its player and every seat has one."""
    dice = Random(seed)
    pool, chips, new_id, now_ms = Pool(TERMS), dict[str, int](), names(), NOW
    players = [f"p{number}" for number in range(14)]
    for _ in range(400):
        now_ms += dice.choice((100, 5_000, 30_000))
        pool, _ = without_lapsed(pool, now_ms)
        player = dice.choice(players)
        at = [found.table_id for found in pool.tables if player in found.players]
        if player in chips or at or pool.place_of(player) is not None:
            for table_id in at:
                pool = stand_up(pool, table_id, player)
            pool, _ = leave_queue(pool, player)
            chips.pop(player, None)
        else:
            pool, joined = join(pool, visitor(player, dice.choice((0, 800))), now_ms, dice.randrange)
            if isinstance(joined, Reserved) and dice.random() < 0.5:
                pool, joined = take_reserved(pool, visitor(player), joined.table_id, 900, now_ms)
            if isinstance(joined, Seated):
                chips[player] = joined.amount
        stacks = {found.table_id: {name: chips[name] for _, name in found.seated} for found in pool.tables}
        if (closed := close_idle_table(pool, stacks, now_ms)) is not None:
            pool = closed.pool
        visitors = {waits.player_id: visitor(waits.player_id) for waits in pool.queue}
        after = serve_queue(pool, visitors, now_ms, dice.randrange, new_id)
        for given in after.seats:
            if isinstance(given, Seated):
                assert chips.setdefault(given.player_id, given.amount) == given.amount
        pool = after.pool
        for found in pool.tables:
            pool = pool.with_table(replace(found, idle_since_ms=_idle_since(found, now_ms)))
        _check(pool, chips)


def _idle_since(found: PoolTable, now_ms: int) -> int | None:
    if found.present >= TERMS.start_min:
        return None
    return now_ms if found.idle_since_ms is None else found.idle_since_ms


def _check(pool: Pool, chips: dict[str, int]) -> None:
    seated = [name for found in pool.tables for _, name in found.seated]
    moving = {waits.player_id: waits.stack for waits in pool.queue if waits.stack is not None}
    assert sorted([*seated, *moving]) == sorted(chips)
    assert all(chips[name] == stack for name, stack in moving.items())
    assert len({waits.player_id for waits in pool.queue}) == len(pool.queue)
    assert len(pool.queue) < TERMS.start_min
    for found in pool.tables:
        taken = [seat_no for seat_no, _ in found.seated] + [kept.seat_no for kept in found.reservations]
        assert len({*taken}) == len(taken) == len(found.players) == found.seats - len(found.free_seats)
