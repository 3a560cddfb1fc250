"""Messages of poker players, namespace `/poker`. The server refuses all others.

All models are strict, as in `client_events.py`. A message that moves chips has a key: repeated under the same key it is
the same message.
"""

from typing import Annotated, Final, Literal

from pydantic import Field

from casino.money import MINOR_MAX
from casino.poker.terms import SEATS_MAX
from casino.wire.client_events import Amount, AtTable, Chat, Id, Incoming, Reason
from casino.wire.common import CARD_PATTERN

PoolId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}(:[A-Z]{3})?$")]
"""A stake, as in `nl10`. The currency, as in `nl10:FUN`, may be left out: it is the player's own."""
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,57}$")]
"""As long as can be stored, with the number of an entry. No slash and no `#`: keys of the house have one."""
Positive = Annotated[int, Field(ge=1, le=MINOR_MAX)]
HoleCards = Annotated[list[Annotated[str, Field(pattern=CARD_PATTERN)]], Field(min_length=1, max_length=4)]


class PokerLobbyFollow(Incoming):
    """Subscribes to the changes of all pools until the connection ends."""


class OfPool(Incoming):
    pool: PoolId


class JoinPool(OfPool):
    """Ask for a seat at any table of the pool. The house chooses the table and the seat."""

    buy_in: Amount
    """0: ask at the table. An amount outside of the table's range is asked for again, with the seat reserved."""
    wait_for_bb: bool = True
    """False: post a big blind, to be dealt in earlier."""
    auto_top_up: bool = False
    key: Key


class LeavePool(OfPool):
    """Leave the queue of the pool."""


class Sit(AtTable):
    """Buy in at the seat that is reserved."""

    amount: Positive
    resume: bool = False
    """Banzai: the amount is the stack the player left with."""
    key: Key


class PokerJoin(AtTable):
    """The table as it is now, after which this connection has the seat. Also after every reconnect."""


class PokerLeave(AtTable):
    """Give the seat up. In a hand the player folds at the next turn, and leaves after the hand."""


class OfHand(AtTable):
    hand_id: Id


class Act(OfHand):
    turn: Annotated[int, Field(ge=1, le=100_000)]
    """The number of the decision, so that a delayed answer cannot meet a later question."""
    action: Literal["fold", "check", "call", "raise_to"]
    amount: Amount | None = None
    """Only for `raise_to`, which is a bet where nothing is to be called: the player's total for the street."""


class PreAct(OfHand):
    """A decision for the next turn. The table keeps it and tells no other player."""

    choice: Literal["none", "fold", "check_fold", "check", "call", "call_any"]
    price: Amount | None = None
    """The price of the street that the player saw; with another price `check` and `call` are void."""


class SitOut(Incoming):
    table_id: Id | None
    """Null: all tables of the player."""
    when: Literal["now", "next_bb"]
    on: bool
    """False: come back, or take the wish back."""


class WaitForBigBlind(AtTable):
    on: bool


class AutoTopUp(AtTable):
    on: bool


class TopUp(AtTable):
    """More chips; during a hand, after it."""

    amount: Positive
    key: Key


class Show(OfHand):
    """Show own cards voluntarily, up to five seconds after the hand."""

    cards: HoleCards


class OfTournament(Incoming):
    tournament_id: Id


class RegisterEntry(OfTournament):
    """Enter a tournament, also late. A Sit & Go starts when all seats are taken."""

    pay: Literal["money", "ticket"] = "money"
    ticket_id: Id | None = None
    """Only with `ticket`."""
    amount: Amount = 0
    """The total of a multi-buy-in; 0: the usual price."""
    key: Key


class UnregisterEntry(Incoming):
    """Until the deadline; the money or the ticket comes back."""

    entry_id: Id
    key: Key


class Rebuy(OfTournament):
    """More chips, in the rebuy levels; during a hand, after it."""

    key: Key


class AddOn(OfTournament):
    """Once, in the pause after the rebuy levels."""

    key: Key


class ReEnter(OfTournament):
    """A new entry after elimination, while registration is open."""

    key: Key


class Decline(OfTournament):
    """No rebuy: the own place is final at once."""


class HexaRegister(Incoming):
    """Pay for so many games of a HexaPro product at once. Entries wait until three different players are there."""

    product: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    buy_in: Positive
    games: Annotated[int, Field(ge=1, le=8)] = 1
    key: Key


class HexaCancel(Incoming):
    """Take a waiting entry back in full."""

    entry_id: Id
    key: Key


class Follow(OfTournament):
    """From now on the changes of the tournament are told, until `unfollow` or the end of the connection."""


class Unfollow(OfTournament):
    pass


class Report(OfHand):
    """Report the player of a seat in this hand to the integrity desk."""

    seat_no: Annotated[int, Field(ge=1, le=SEATS_MAX)]
    text: Reason


FROM_POKER_PLAYERS: Final[dict[str, type[Incoming]]] = {
    "lobby": PokerLobbyFollow,
    "join_pool": JoinPool,
    "sit": Sit,
    "leave_pool": LeavePool,
    "join": PokerJoin,
    "leave": PokerLeave,
    "act": Act,
    "pre_act": PreAct,
    "sit_out": SitOut,
    "wait_for_bb": WaitForBigBlind,
    "auto_top_up": AutoTopUp,
    "top_up": TopUp,
    "show": Show,
    "register": RegisterEntry,
    "unregister": UnregisterEntry,
    "rebuy": Rebuy,
    "add_on": AddOn,
    "re_enter": ReEnter,
    "decline": Decline,
    "hexa_register": HexaRegister,
    "hexa_cancel": HexaCancel,
    "follow": Follow,
    "unfollow": Unfollow,
    "report": Report,
    "chat": Chat,
}
