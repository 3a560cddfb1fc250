"""Refusal codes: the closed list, as clients see it."""

import pytest

from casino.errors import Code, Refusal

EVERYWHERE = """
not_authenticated forbidden bad_request not_found no_such_table table_closed table_full betting_closed stale_round
table_paused below_minimum above_maximum not_a_chip_multiple insufficient_funds second_factor_required
weak_password trips_without_ante not_in_round not_offered not_your_turn already_decided too_late limit_reached
no_presenter not_paused key_reused muted rate_limited registration_closed already_registered not_registered
requirements_not_met ticket_unusable too_many_tables blocked internal
"""
AT_THE_HOST_CONSOLE = "duplicate_card bad_card not_expected"


def test_the_codes_are_those_promised_to_clients_and_no_others() -> None:
    assert [*Code] == [*EVERYWHERE.split(), *AT_THE_HOST_CONSOLE.split()]


def test_a_refusal_carries_a_code_and_a_sentence() -> None:
    refusal = Refusal(Code.TOO_LATE, "The time for this decision is over.")
    assert (refusal.code, refusal.message) == ("too_late", "The time for this decision is over.")
    assert str(refusal) == refusal.message
    assert repr(refusal) == "Refusal(too_late, 'The time for this decision is over.')"


@pytest.mark.parametrize("code", Code)
def test_a_code_is_plain_text_on_the_wire(code: Code) -> None:
    assert isinstance(code, str)
    assert f"{code}" == code.value
    assert code.value.replace("_", "").isalpha()
    assert code.value.islower()
