"""Amounts as people write and read them, exact to the minor unit in every currency."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.errors import Code, Refusal
from casino.money import MINOR_MAX, decimals, format_amount, parse_amount

CURRENCIES = ["EUR", "FUN", "JPY", "BHD", "CLF", "XYZ"]


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("250.00", "EUR", 25_000),
        ("250", "EUR", 25_000),
        ("250.5", "EUR", 25_050),
        ("0.01", "EUR", 1),
        ("0.1", "FUN", 10),
        ("007.00", "EUR", 700),
        ("250", "JPY", 250),
        ("1.234", "BHD", 1_234),
        ("1.2", "KWD", 1_200),
        ("0.0001", "CLF", 1),
        ("10000000000.00", "EUR", MINOR_MAX),
        ("1000000000000", "JPY", MINOR_MAX),
    ],
)
def test_amount_is_read_exactly_with_the_decimals_of_its_currency(text: str, currency: str, minor: int) -> None:
    assert parse_amount(text, currency) == minor


@pytest.mark.parametrize("currency", ["EUR", "JPY", "BHD"])
@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            ".",
            "5.",
            ".5",
            "-1",
            "+1",
            "−1",
            "1e3",
            "1E3",
            "NaN",
            "inf",
            "0x10",
            "1_000",
            "1,000",
            "1,5",
            "1.2345",
        ),
        *(" 1", "1 ", "1\n", "1\x00", "５", "٥", "¹", "1/2", "EUR 5", "5€", "true", "9" * 14, "9" * 100, "1.\u0665"),
    ],
)
def test_ambiguous_amounts_are_refused(text: str, currency: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_amount(text, currency)
    assert refused.value.code is Code.BAD_REQUEST
    assert len(refused.value.message) < 100


@pytest.mark.parametrize(
    ("text", "currency"),
    [("250.001", "EUR"), ("250.0", "JPY"), ("1.2345", "BHD"), ("0", "EUR"), ("0.00", "EUR"), ("10000000000.01", "EUR")],
)
def test_more_decimals_nothing_and_too_much_are_refused(text: str, currency: str) -> None:
    with pytest.raises(Refusal):
        parse_amount(text, currency)


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (0, "EUR", "0.00"),
        (5, "EUR", "0.05"),
        (-5, "EUR", "-0.05"),
        (-25_000, "EUR", "-250.00"),
        (123_456, "FUN", "1234.56"),
        (-7, "JPY", "-7"),
        (1_234, "BHD", "1.234"),
        (2**63, "EUR", "92233720368547758.08"),
    ],
)
def test_amount_is_written_with_all_decimals_of_its_currency(minor: int, currency: str, text: str) -> None:
    assert format_amount(minor, currency) == text


@pytest.mark.req("LED-1")
@given(st.integers(1, MINOR_MAX), st.sampled_from(CURRENCIES))
def test_every_amount_written_and_read_again_is_the_same(minor: int, currency: str) -> None:
    text = format_amount(minor, currency)
    assert parse_amount(text, currency) == minor
    assert len(text.partition(".")[2]) == decimals(currency)
