"""Random operations on the ledger, compared with a model in plain Python, on both databases.

Holds, captures, releases, postings, reversals, retries with the same and with other input, and races of several
tasks, in two currencies. After every step the books equal the model, and what must always hold still holds.
"""

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy.exc import IntegrityError

from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.accounts import Account, Kind
from casino.ledger.book import Posted
from casino.ledger.posting import Operation, move
from tests.ledger.model import CURRENCIES, Bench, Model
from tests.ledger.purses import AT_MS

players = st.integers(0, 3)
rounds = st.integers(0, 2)
amounts = st.sampled_from((1, 2, 5, 10, 30, 50, 100, 1_000))
totals = st.dictionaries(players, st.sampled_from((0, 1, 10, 30, 50, 100, 400)), min_size=1, max_size=4)
two_rounds_bets = st.lists(totals, min_size=2, max_size=2)

PATHS = (
    *(("player", "house"), ("house", "player"), ("player", "escrow"), ("escrow", "player")),
    *(("escrow", "house"), ("house", "escrow"), ("player", "cashier")),
)


class AnyMoneyAnyTime(RuleBasedStateMachine):
    """Two players in each currency, up to three rounds, the house account and the outside world."""

    bench: Bench

    def __init__(self) -> None:
        super().__init__()
        self.example = f"e{next(self.bench.examples)}"
        self.keys = (f"{self.example}:{number}" for number in count())
        self.model = Model()
        self.players = [(f"{self.example}-p{number}", CURRENCIES[number % 2]) for number in range(4)]
        self.rounds: list[str] = []
        for id_, (balance, _) in self.bench.run(self.bench.read()).balances.items():
            if id_.startswith(("house:", "cashier:")):
                self.model.balances[id_] = balance
        self.model.kinds = dict.fromkeys(self.model.balances, Kind.HOUSE)
        self.open([accounts.player_cash(*player) for player in self.players])

    @initialize(purses=st.lists(st.sampled_from((0, 60, 300, 5_000)), min_size=4, max_size=4), bets=two_rounds_bets)
    def begin(self, purses: list[int], bets: list[dict[int, int]]) -> None:
        """Somewhere in the middle, for from empty purses chance alone hardly ever gets to a capture."""
        for player, purse in enumerate(purses):
            if purse:
                self.transfer(purse, ("cashier", "player"), player)
        for round_, totals in enumerate(bets):
            self.open_round()
            if totals:
                self.hold(round_, totals)

    def transfer(self, amount: int, path: tuple[str, str], player: int) -> None:
        source, destination = (self.account(place, player, 0) for place in path)
        self.attempt(Operation(next(self.keys), "transfer", (move(amount, source, destination),), "test"))

    def open(self, opened: list[Account]) -> None:
        self.bench.run(self.bench.open_accounts(opened))
        for account in opened:
            self.model.kinds[account.id] = account.kind
            self.model.balances[account.id] = 0

    def account(self, place: str, player: int, round_: int) -> Account:
        """The account meant, in the currency of the player."""
        name, currency = self.players[player]
        if place == "player":
            return accounts.player_cash(name, currency)
        if place == "escrow" and self.rounds:
            return accounts.escrow(self.rounds[round_ % len(self.rounds)], currency)
        return accounts.cashier(currency) if place == "cashier" else accounts.house(currency)

    def attempt(self, operation: Operation) -> None:
        """Money moves if it is there, and only then."""
        expected = self.model.can_post(operation.postings)
        try:
            posted = self.bench.run(self.bench.ledger.post(operation))
        except IntegrityError:
            assert not expected
            self.bench.seen["not posted"] += 1
            return
        assert expected
        assert not posted.is_repeat
        self.model.post(operation, posted)
        self.bench.seen["posted"] += 1

    @rule(player=players, amount=amounts)
    def deposit(self, player: int, amount: int) -> None:
        self.transfer(10 * amount, ("cashier", "player"), player)

    @rule(
        steps=st.lists(
            st.tuples(
                st.sampled_from(PATHS),
                players,
                rounds,
                amounts,
            ),
            min_size=1,
            max_size=4,
        )
    )
    def post(self, steps: list[tuple[tuple[str, str], int, int, int]]) -> None:
        pairs = [
            (amount, self.account(source, player, round_), self.account(destination, player, round_))
            for (source, destination), player, round_, amount in steps
        ]
        postings = tuple(move(amount, one, other) for amount, one, other in pairs if one != other)
        if postings:
            self.attempt(Operation(next(self.keys), "move", postings, "test"))

    @precondition(lambda self: self.model.done)
    @rule(data=st.data(), times=st.integers(1, 3))
    def repeat(self, data: st.DataObject, times: int) -> None:
        operation, first = self.model.done[data.draw(st.sampled_from(sorted(self.model.done)))]
        for later in range(times):
            again = self.bench.run(self.bench.ledger.post(operation, AT_MS + later))
            assert again == Posted(first.operation_id, first.at_ms, is_repeat=True)
        self.bench.seen["repeated"] += 1

    @precondition(lambda self: self.model.done)
    @rule(data=st.data(), amount=amounts)
    def repeat_with_other_input(self, data: st.DataObject, amount: int) -> None:
        operation, _ = self.model.done[data.draw(st.sampled_from(sorted(self.model.done)))]
        first = operation.postings[0]
        others = [
            Operation(operation.key, "other", operation.postings, operation.actor),
            Operation(operation.key, operation.kind, operation.postings, "somebody else"),
            Operation(operation.key, operation.kind, (first._replace(amount=first.amount + amount),), operation.actor),
            Operation(operation.key, operation.kind, (*operation.postings, first), operation.actor),
        ]
        with pytest.raises(Refusal) as refused:
            self.bench.run(self.bench.ledger.post(data.draw(st.sampled_from(others))))
        assert refused.value.code is Code.KEY_REUSED

    @precondition(lambda self: self.model.done)
    @rule(data=st.data())
    def reverse(self, data: st.DataObject) -> None:
        operation, _ = self.model.done[data.draw(st.sampled_from(sorted(self.model.done)))]
        postings = tuple(posting.reversed() for posting in reversed(operation.postings))
        self.attempt(Operation(next(self.keys), "reversal", postings, "test", f"of {operation.key}"))

    @precondition(lambda self: len(self.rounds) < 3)
    @rule()
    def open_round(self) -> None:
        round_id = f"{self.example}-r{len(self.rounds)}"
        self.bench.run(self.bench.ledger.open_round(round_id))
        self.rounds.append(round_id)
        for currency in CURRENCIES:
            escrow = accounts.escrow(round_id, currency)
            self.model.kinds[escrow.id], self.model.balances[escrow.id] = escrow.kind, 0

    @precondition(lambda self: self.rounds)
    @rule(round_=rounds, bets=totals)
    def hold(self, round_: int, bets: dict[int, int]) -> None:
        round_id = self.rounds[round_ % len(self.rounds)]
        totals = {self.players[player][0]: total for player, total in bets.items()}
        before = self.model.open_holds(round_id)
        is_ended = any(total and self.model.is_captured(round_id, player) for player, total in totals.items())
        is_covered = all(
            self.model.held(account := accounts.player_cash_id(player)) - before.get(player, 0) + total
            <= self.model.balances[account]
            for player, total in totals.items()
        )
        try:
            self.bench.run(self.bench.ledger.hold(round_id, totals))
        except IntegrityError:
            assert is_ended or not is_covered
            self.bench.seen["hold of an ended one refused" if is_ended else "hold without cover refused"] += 1
            return
        assert is_covered
        assert not is_ended
        self.bench.seen["held"] += 1
        for player, total in totals.items():
            if total:
                self.model.holds[round_id, player] = (total, "open")
            elif player in before:
                self.model.holds[round_id, player] = (before[player], "released")

    @precondition(lambda self: self.rounds)
    @rule(round_=rounds, times=st.integers(1, 2))
    def release(self, round_: int, times: int) -> None:
        round_id = self.rounds[round_ % len(self.rounds)]
        for _ in range(times):
            self.bench.run(self.bench.ledger.release(round_id))
        for player, amount in self.model.open_holds(round_id).items():
            self.model.holds[round_id, player] = (amount, "released")

    @precondition(lambda self: any(self.model.open_holds(round_id) for round_id in self.rounds))
    @rule(round_=rounds)
    def capture(self, round_: int) -> None:
        """Once for each round: what is held later under the same key is something else."""
        round_id = self.rounds[round_ % len(self.rounds)]
        held = self.model.open_holds(round_id)
        if not held:
            return
        was_captured = any(self.model.is_captured(round_id, player) for player, _ in self.players)
        try:
            self.bench.run(self.bench.ledger.capture(round_id))
        except Refusal as refusal:
            assert was_captured
            assert refusal.code is Code.KEY_REUSED
            self.bench.seen["second capture refused"] += 1
            return
        assert not was_captured
        self.bench.seen["captured"] += 1
        currencies = dict(self.players)
        for player, amount in held.items():
            self.model.holds[round_id, player] = (amount, "captured")
            self.model.balances[accounts.player_cash_id(player)] -= amount
            self.model.balances[accounts.escrow(round_id, currencies[player]).id] += amount

    @rule(player=players, amount=amounts, tasks=st.integers(2, 8))
    def race(self, player: int, amount: int, tasks: int) -> None:
        """Several tasks at once for one balance: as many get through as it has room for."""
        cash = self.account("player", player, 0)
        wishes = [
            Operation(next(self.keys), "race", (move(amount, cash, self.account("house", player, 0)),), "test")
            for _ in range(tasks)
        ]
        available = self.model.balances[cash.id] - self.model.held(cash.id)
        outcomes = self.bench.run(self.gathered([self.bench.ledger.post(wish) for wish in wishes]))
        for wish, outcome in zip(wishes, outcomes, strict=True):
            if isinstance(outcome, Posted):
                self.model.post(wish, outcome)
            else:
                assert isinstance(outcome, IntegrityError)
        winners = sum(isinstance(outcome, Posted) for outcome in outcomes)
        assert winners == min(tasks, available // amount)
        self.bench.seen["raced, some lost" if 0 < winners < tasks else "raced, all alike"] += 1

    @rule(player=players, amount=amounts, tasks=st.integers(2, 6))
    def race_with_one_key(self, player: int, amount: int, tasks: int) -> None:
        postings = (move(amount, self.account("cashier", player, 0), self.account("player", player, 0)),)
        wish = Operation(next(self.keys), "deposit", postings, "test")
        outcomes = self.bench.run(self.gathered([self.bench.ledger.post(wish, AT_MS) for _ in range(tasks)]))
        posted = [outcome for outcome in outcomes if isinstance(outcome, Posted)]
        assert len(posted) == tasks
        assert sum(not one.is_repeat for one in posted) == 1
        self.model.post(wish, posted[0]._replace(is_repeat=False))

    @staticmethod
    async def gathered(work: Sequence[Awaitable[Posted]]) -> list[Posted | BaseException]:
        return await asyncio.gather(*work, return_exceptions=True)

    @invariant()
    def books_equal_the_model(self) -> None:
        found = self.bench.run(self.bench.read())
        assert found.broken == []
        for id_, balance in self.model.balances.items():
            assert found.balances[id_] == (balance, self.model.held(id_)), id_
        assert {key: state for key, state in found.holds.items() if key[0] in self.rounds} == self.model.holds


@pytest.fixture
def bench(database_url: str) -> Iterator[Bench]:
    made = Bench(database_url)
    yield made
    made.close()


@pytest.mark.req("LED-1")
@pytest.mark.req("LED-2")
@pytest.mark.req("LED-3")
@pytest.mark.req("LED-4")
@pytest.mark.req("LED-5")
@pytest.mark.req("LED-10")
def test_any_money_any_time(bench: Bench) -> None:
    class OnThisDatabase(AnyMoneyAnyTime):
        pass

    OnThisDatabase.bench = bench
    run_state_machine_as_test(
        OnThisDatabase,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        ),
    )
    assert {"posted", "not posted", "repeated", "held"} <= bench.seen.keys()
