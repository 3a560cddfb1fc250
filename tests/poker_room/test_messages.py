"""Messages of the poker room: they survive a round trip through bytes, and bytes create no other objects."""

from typing import Any, get_args

import pytest

from casino.hosting.codec import UndecodableError
from casino.hosting.interfaces import Connection
from casino.poker.betting import Action
from casino.poker_room.messages import (
    CODEC,
    ActInHand,
    AutoTopUp,
    ConnectionLost,
    Exclude,
    FollowLobby,
    Join,
    JoinPool,
    Leave,
    LeavePool,
    MayChat,
    Message,
    PauseTable,
    PreAct,
    PreviewVoid,
    Report,
    ResumeTable,
    ReturnChips,
    ShowCards,
    Sit,
    SitOut,
    TopUp,
    ViewFloor,
    ViewLobby,
    ViewReports,
    VoidRunningHand,
    WaitForBigBlind,
)
from casino.poker_room.pre_actions import Choice
from casino.poker_room.senders import Sender
from casino.poker_room.tournament import messages as tournaments
from casino.poker_room.tournament import staff_messages as staff
from casino.users.roles import Person

ANN = Sender("ann-id", "Ann", "EUR", Connection("local", "sid-1"))
MIA = Person("mia-id", "Mia", "manager")
MESSAGES: list[Message] = [
    FollowLobby(ANN),
    JoinPool(ANN, "nl10:EUR", 1000, "key", wait_for_bb=False, auto_top_up=True),
    Sit(Sender("bob", "Bob", "FUN"), "t1", 500, "key", resume=True),
    LeavePool(ANN, "nl10:EUR"),
    Join(ANN, "t1"),
    Leave(ANN, "t1"),
    ActInHand(ANN, "t1", "t1-1", 3, Action.RAISE_TO, 40),
    PreAct(ANN, "t1", "t1-1", Choice.CALL, 20),
    SitOut(ANN, None, at_big_blind=True, is_on=False),
    WaitForBigBlind(ANN, "t1", is_on=True),
    AutoTopUp(ANN, "t1", is_on=True),
    TopUp(ANN, "t1", 300, "key"),
    ShowCards(ANN, "t1", "t1-1", ("As", "Kd")),
    Report(ANN, "t1", "t1-1", 3, "soft play"),
    MayChat(ANN, "t1"),
    ConnectionLost("ann-id", Connection("local", "sid-1"), is_last=True),
    Exclude("ann-id"),
    ViewLobby("FUN"),
    ViewFloor(),
    PauseTable("t1", MIA, "a fault"),
    ResumeTable("t1", MIA, "repaired"),
    ReturnChips("t1", MIA, "unreadable"),
    ViewReports(30, 12),
    PreviewVoid("t1"),
    VoidRunningHand("t1", "t1-1", MIA, "a fault"),
    tournaments.RegisterEntry(ANN, "mtt-1", "key", "ticket-1", 2000),
    tournaments.UnregisterEntry(ANN, "e-1", "key"),
    tournaments.BuyChips(ANN, "mtt-1", "key", is_add_on=True),
    tournaments.DeclineOffer(ANN, "mtt-1"),
    tournaments.RegisterHexa(ANN, "classic", 100, 3, "key"),
    tournaments.CancelHexa(ANN, "e-1", "key"),
    tournaments.FollowTournament(ANN, "mtt-1"),
    tournaments.UnfollowTournament(ANN, "mtt-1"),
    tournaments.ListTournaments("EUR"),
    tournaments.ViewTournament("mtt-1", "players", "ann-id"),
    tournaments.ListEntries("ann-id"),
    staff.ViewTournamentFloor(),
    staff.ViewTemplates(),
    staff.ViewManagedTournament("mtt-1"),
    staff.CreateTournament("{}", "EUR", MIA, "a feast", is_preview=True),
    staff.ChangeTournament("mtt-1", "{}", 1, MIA, "a delay", is_preview=True),
    staff.PauseTournament("mtt-1", MIA, "a fault"),
    staff.ContinueTournament("mtt-1", MIA, "repaired"),
    staff.DisqualifyPlayer("mtt-1", "ann-id", MIA, "collusion"),
    staff.PreviewCancellation("mtt-1", is_in_full=True),
    staff.CancelTournament("mtt-1", MIA, "a fault"),
    staff.ProposeRefund("mtt-1", MIA, "a fault"),
    staff.AnswerRefund("mtt-1", MIA, is_approved=True, reason="agreed"),
    staff.AnswerProposal("p-1", MIA, is_approved=True, reason="agreed"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_message_survives_encoding(message: Message) -> None:
    assert CODEC.decode(CODEC.encode(message)) == message


def test_every_message_class_has_an_example() -> None:
    assert {type(message) for message in MESSAGES} == set(get_args(Message))


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'["Seat", []]', b'["Join", [["Sender", [1]], "t1"]]', b'["ViewFloor", [1]]']
)
def test_unknown_bytes_decode_to_no_message(data: Any) -> None:  # noqa: ANN401
    with pytest.raises(UndecodableError):
        CODEC.decode(data)
