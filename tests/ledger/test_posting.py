"""Postings and operations as values."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.ledger import accounts
from casino.ledger.posting import Operation, Posting, move, net_changes, record_digest
from tests.ledger.purses import ANN, BOB, CASHIER, GUS, HOUSE, HOUSE_FUN, operation

texts = st.text(st.sampled_from('ab\n\x1f ">[],'), max_size=6)
postings = st.lists(
    st.builds(Posting, st.sampled_from("ab"), st.sampled_from("cd\n"), st.integers(1, 20), st.just("EUR")), max_size=3
).map(tuple)
operations = st.builds(Operation, texts, texts, postings, texts, texts, st.none() | texts)


@pytest.mark.parametrize("amount", [0, -1])
def test_move_of_nothing_is_no_move(amount: int) -> None:
    with pytest.raises(AssertionError):
        move(amount, CASHIER, ANN)


def test_currencies_never_mix_in_a_move() -> None:
    for source, destination in ((ANN, HOUSE_FUN), (HOUSE, GUS), (CASHIER, HOUSE_FUN)):
        with pytest.raises(AssertionError, match="currencies"):
            move(5, source, destination)


@pytest.mark.req("LED-8")
def test_no_move_goes_from_player_to_player() -> None:
    for source, destination in ((ANN, BOB), (BOB, ANN), (ANN, ANN)):
        with pytest.raises(AssertionError, match="player to player"):
            move(5, source, destination)


@pytest.mark.req("LED-7")
def test_reversal_moves_the_same_back() -> None:
    there = move(5, ANN, HOUSE)
    back = there.reversed()
    assert back == Posting(HOUSE.id, ANN.id, 5, "EUR")
    assert back.reversed() == there
    assert not any(net_changes([there, back]).values())


@given(postings)
def test_whatever_moves_the_changes_add_up_to_nothing(moved: tuple[Posting, ...]) -> None:
    assert sum(net_changes(moved).values()) == 0


@pytest.mark.req("LED-5")
@given(operations, operations)
def test_two_different_requests_never_have_one_hash(one: Operation, other: Operation) -> None:
    assert (one.input_hash() == other.input_hash()) == (one == other)


@pytest.mark.req("LED-5")
def test_every_part_of_a_request_is_in_its_hash() -> None:
    first = operation("k", move(5, CASHIER, ANN), move(6, CASHIER, BOB))
    others = [
        replace(first, key="k2"),
        replace(first, kind="other"),
        replace(first, actor="other"),
        replace(first, reason="other"),
        replace(first, round_id=""),
        replace(first, round_id="r1"),
        replace(first, postings=first.postings[::-1]),
        replace(first, postings=first.postings[:1]),
        replace(first, postings=(first.postings[0]._replace(amount=7), first.postings[1])),
        replace(first, postings=(first.postings[0]._replace(currency="FUN"), first.postings[1])),
        replace(first, postings=(first.postings[0].reversed(), first.postings[1])),
    ]
    assert len({one.input_hash() for one in (first, *others)}) == len(others) + 1


def test_line_break_in_a_reason_is_no_posting() -> None:
    posting = move(5, CASHIER, ANN)
    honest = operation("k", posting, posting, reason="")
    forged = operation("k", posting, reason=f"\n{posting.source}>{posting.destination} 5 EUR")
    assert honest.input_hash() != forged.input_hash()


def test_digest_of_the_record_covers_the_time_too() -> None:
    assert record_digest("a" * 64, 1) != record_digest("a" * 64, 2) != record_digest("b" * 64, 2)


def test_account_names_state_their_purpose() -> None:
    assert [
        account.id
        for account in (
            *(accounts.player_cash("u1", "EUR"), accounts.escrow("r1", "EUR"), accounts.house("FUN")),
            *(accounts.tips("p1", "EUR"), accounts.charity("EUR"), accounts.cashier("EUR")),
        )
    ] == ["player:u1:cash", "round:r1:escrow:EUR", "house:FUN", "presenter:p1:tips:EUR", "charity:EUR", "cashier:EUR"]
