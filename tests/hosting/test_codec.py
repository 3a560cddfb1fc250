"""Codec of the hosting interfaces: every message, reply, refusal and event survives a round trip through bytes."""

import json

import pytest

from casino.errors import Code, Refusal
from casino.hosting.codec import UndecodableError, decode_reply, encode_reply
from casino.hosting.interfaces import Connection
from casino.live_table import messages
from casino.live_table.messages import CODEC, OWN_COMMANDS, FromPresenter, FromSeat, Message
from casino.users.roles import Person, Role
from casino.uth import commands
from casino.uth.bets import Action
from casino.uth.phases import Phase

HERE = Connection("gateway-1", "sid-1")
BET = commands.PlaceBet("r1", "ann", 500, 100, available_minor=0, seed="Glück 🍀")
EXAMPLES: list[Message] = [
    messages.Join("ann", "Ann", 3, HERE),
    messages.Join("ann", "Ann"),
    messages.Leave("ann", HERE),
    FromSeat(HERE, BET),
    FromSeat(HERE, commands.Decide("r1", "ann", Action.PLAY_4X, 0, Phase.DECIDING_PREFLOP)),
    messages.Watch("pia", HERE),
    messages.Unwatch(HERE),
    messages.TipReceived("ann", 100, is_play_money=True),
    messages.Drain(),
    messages.OpenTable("max", "manager"),
    messages.CloseTable("pia"),
    messages.StartRound("pia"),
    messages.CountDeck("pia", "red"),
    messages.CountCard("pia", "0042"),
    messages.EndCount("pia"),
    messages.SetLimits("max", "manager", {"ante_min": 100, "ante_max": 5000}, "A quiet evening"),
    messages.PreviewCancel(),
    messages.CorrectSettled("c1", Person("u1", "mona", Role.MANAGER), "Seen on video"),
    messages.TakeOver("per"),
    messages.AnswerHandOver("h1", "pia", "presenter", is_confirmed=False, reason="Not yet"),
    BET,
    commands.WithdrawBet("ann"),
    commands.Decide("r1", "ann", Action.CHECK, 0),
    commands.DealCard("r1", "As", "pia"),
    commands.UndoCard("r1", "pia"),
    commands.ConfirmCards("r1", "pia"),
    commands.SwapCards("r1", "flop_3", "turn", "Wrong order", "max", "i1"),
    commands.ReportProblem("A card fell", "pia", "card_exposed", ("resume", "cancel"), "i1"),
    commands.CorrectCard("r1", "flop_1", "7h", "Misread", "max", "i1"),
    commands.Resume("max", "All is well", "i1"),
    commands.CancelRound("Fire alarm", "max", "i1"),
    commands.ApproveProposal("r1.1", "mona"),
    commands.RejectProposal("r1.1", "mona", "No"),
    FromPresenter("pia", messages.StartRound("pia")),
    FromPresenter("pia", commands.DealCard("r1", "As", "pia")),
]


def test_there_is_an_example_of_every_message() -> None:
    assert {type(example) for example in EXAMPLES} == set(CODEC.kinds.values())


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_a_message_is_the_same_after_a_round_trip(message: Message) -> None:
    decoded = CODEC.decode(CODEC.encode(message))
    assert decoded == message
    assert type(decoded) is type(message)
    if isinstance(message, FromSeat | FromPresenter):
        assert isinstance(decoded, FromSeat | FromPresenter)
        inside = message.command if isinstance(message, FromSeat) else message.message
        assert type(decoded.command if isinstance(decoded, FromSeat) else decoded.message) is type(inside)


def test_a_field_with_a_default_may_be_missing() -> None:
    """An older gateway does not know the newest field."""
    assert CODEC.decode(b'["Join", ["ann", "Ann"]]') == messages.Join("ann", "Ann")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b'["Join"]',
        b'["Join", []]',
        b'["Join", ["ann", "Ann", 3, null, "more"]]',
        b'["Join", [1, "Ann"]]',
        b'["Decide", ["r1", "ann", "no such action", 0]]',
        b'["FromSeat", [["local", "sid"], ["Sum", []]]]',
        b'["Path", ["/etc/passwd"]]',
        b'["PlaceBet", ["r1", "ann", 500, 0, 0, null, null, ["limit_reached", "", {}]]]',
        *(json.dumps([kind.__name__, []]).encode() for kind in sorted(OWN_COMMANDS, key=lambda kind: kind.__name__)),
    ],
)
def test_other_bytes_are_no_message(data: bytes) -> None:
    with pytest.raises(UndecodableError):
        CODEC.decode(data)


@pytest.mark.parametrize("code", Code)
def test_every_refusal_is_the_same_after_a_round_trip(code: Code) -> None:
    decoded = decode_reply(encode_reply(Refusal(code, "Nicht möglich.", {"most": 500, "table": "Ä 1"})))
    assert isinstance(decoded, Refusal)
    assert (decoded.code, decoded.message) == (code, "Nicht möglich.")
    assert decoded.params == {"most": 500, "table": "Ä 1"}


@pytest.mark.parametrize("data", [b"", b"[1]", b'["no such code", ""]', b'"ok"', b"3"])
def test_other_bytes_are_no_reply(data: bytes) -> None:
    with pytest.raises(UndecodableError):
        decode_reply(data)
