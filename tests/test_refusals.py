"""Refusal sentences: one for every reason a player can meet, with all values it shows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.errors import Code
from casino.refusals import AMOUNTS, MOMENTS, Reason
from casino.wire.player_events import RefusalParams

CASINO = Path(__file__).resolve().parents[1] / "casino"
FOR_STAFF_ALONE = {Code.DUPLICATE_CARD, Code.BAD_CARD, Code.NOT_EXPECTED, Code.NOT_PAUSED}

# These refuse staff, operators or scripts. Everything else may refuse a player and takes its sentence from `Reason`.
NOT_FOR_PLAYERS = (
    "bootstrap/table_access.py",  # proposals and corrections
    "cards/",
    "chat/mutes.py",
    "cli/",
    "finance/",
    "gateway/host_namespace.py",
    "history/search.py",
    "history/staff_round.py",
    "http/admin.py",
    "http/back_office.py",
    "http/corrections.py",
    "http/errors.py",
    "http/finance.py",
    "http/finance_requests.py",
    "http/health.py",
    "http/host.py",
    "http/metrics.py",
    "http/proposals.py",
    "http/request_body.py",  # shape and transport: the pages send neither wrong
    "http/second_factor.py",
    "http/server.py",
    "live_table/balance_preview.py",
    "live_table/console.py",
    "live_table/console_desk.py",
    "live_table/corrections.py",
    "live_table/deck_count.py",
    "live_table/hand_over.py",
    "live_table/limit_overrides.py",
    "live_table/shift.py",
    "live_table/shift_desk.py",
    "money.py",
    "poker/positions.py",
    "poker_room/tournament/second_phases.py",
    "poker_room/tournament/staff_desk.py",
    "poker_room/tournament/staged_terms.py",
    "poker/tournament/",  # no route and no message leads there yet
    "poker_room/hand_runner.py",
    "poker_room/incidents.py",
    "refusals.py",
    "settings/deck.py",
    "users/credit.py",
    "users/promotion_tickets.py",
    "users/requests.py",
    "uth/analysis/",
    "uth/dealing.py",
    "uth/incidents.py",
    "uth/proposals.py",
)
NOT_FOR_PLAYERS_IN = {
    ("hosting/codec.py", "decode_reply"),  # a refusal made elsewhere
    ("cashier/cashier.py", "note"),  # the provider's confirmation
    ("http/authorization.py", "authorize"),  # staff who have to enrol a second factor
    ("http/cashier.py", "confirm"),  # the payment provider
    ("poker/hand.py", "_check_seats"),  # what the table opens a hand with
    ("poker/hand.py", "_deal"),  # cards from the shoe
    ("poker/hand.py", "_reveal"),
    ("live_table/round_runner.py", "_verify"),  # answers, cards and proposals of staff
    ("users/second_factor.py", "confirm"),  # only staff enrol
    ("users/users.py", "change_role"),  # only administrators change roles
    ("users/users.py", "named"),  # a sign-in hides this behind `wrong_credentials`
}


class Calls(ast.NodeVisitor):
    """Collects calls with the function they are in."""

    def __init__(self) -> None:
        self.found: list[tuple[str, ast.Call]] = []
        self._inside = [""]

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._inside.append(node.name)
        self.generic_visit(node)
        self._inside.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.found.append((self._inside[-1], node))
        self.generic_visit(node)


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """File, function and call, for every call in the package."""
    for path in sorted(CASINO.rglob("*.py")):
        visitor = Calls()
        visitor.visit(ast.parse(path.read_text()))
        for function, call in visitor.found:
            yield path.relative_to(CASINO).as_posix(), function, call


def test_every_code_for_players_has_a_sentence_without_parameters() -> None:
    defaults = {reason.code: reason for reason in Reason if reason.is_default}
    assert set(defaults) == set(Code) - FOR_STAFF_ALONE
    assert all(not reason.params for reason in defaults.values())


def test_parameters_are_those_of_the_wire() -> None:
    used = frozenset[str]().union(*(reason.params for reason in Reason))
    assert used | {"reason", "currency"} == set(RefusalParams.__annotations__)
    assert used >= AMOUNTS | MOMENTS


def test_every_reason_is_raised_with_the_values_its_sentence_shows() -> None:
    raised = set()
    for file, _, call in calls():
        match call.func:
            case ast.Attribute(attr="refusal", value=ast.Attribute(attr=name, value=ast.Name(id="Reason"))):
                reason, given = Reason[name], {str(keyword.arg) for keyword in call.keywords}
                raised.add(reason)
                assert given - {"shown", "currency"} == reason.params, f"{file}:{call.lineno}"
                assert ("shown" in given) == bool(reason.params & MOMENTS), f"{file}:{call.lineno}"
    chosen_by_limit = {Reason.DEPOSIT_LIMIT, Reason.LOSS_LIMIT}  # tests/responsible_gaming raises both
    for_refusals_without_reason = {reason for reason in Reason if reason.is_default}
    assert set(Reason) == raised | chosen_by_limit | for_refusals_without_reason


def test_players_are_refused_with_a_reason() -> None:
    """`bad_request` may name a query parameter: the pages send none that is wrong."""
    used = set()
    for file, function, call in calls():
        if not (isinstance(call.func, ast.Name) and call.func.id in ("Refusal", "HttpRefusal")):
            continue
        exempt = file if file.startswith(NOT_FOR_PLAYERS) else (file, function)
        used.add(exempt)
        is_exempt = exempt == file or exempt in NOT_FOR_PLAYERS_IN
        assert is_exempt or is_bad_parameter(call), f"{file}:{call.lineno} in {function}: use a Reason"
    unused = {exempt for exempt in NOT_FOR_PLAYERS_IN if exempt not in used}
    assert not unused, "take these off the list"


def is_bad_parameter(call: ast.Call) -> bool:
    """Whether the sentence begins with the name of a parameter, or is made by a validator that names it."""
    match call.args:
        case [ast.Attribute(attr="BAD_REQUEST"), ast.Constant(value=str(text))]:
            return text.partition(":")[0].isidentifier()
        case [ast.Attribute(attr="BAD_REQUEST"), ast.JoinedStr(values=[ast.Constant(value=str(text)), *_])]:
            return text.partition(":")[0].isidentifier()
        case [ast.Attribute(attr="BAD_REQUEST"), _]:
            return True
    return False


def test_refusal_carries_code_sentence_and_values() -> None:
    refusal = Reason.PAYMENT_BELOW_MINIMUM.refusal(minimum=500, currency="EUR")
    assert refusal.code is Code.BELOW_MINIMUM
    assert refusal.message == "The smallest amount is 5.00 EUR."
    assert refusal.params == {"reason": "payment_below_minimum", "minimum": 500, "currency": "EUR"}


def test_default_reason_is_not_repeated_and_amounts_of_a_table_have_two_decimals() -> None:
    assert Reason.BETTING_CLOSED.refusal().params == {}
    assert Reason.ANTE_BELOW_MINIMUM.refusal(minimum=150).message == "The ANTE must be at least 1.50."


def test_values_that_do_not_fit_the_sentence_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"ante_below_minimum needs \['minimum'\], not \[\]"):
        Reason.ANTE_BELOW_MINIMUM.refusal()
    with pytest.raises(TypeError, match=r"not \['maximum', 'minimum'\]"):
        Reason.ANTE_BELOW_MINIMUM.refusal(minimum=1, maximum=2)
