"""Verifies poker hands: replayed from their events, with their money, players, and decks. Seats: `poker_seats`.

Links and signatures of the hands are those of `chains`; names and balances of accounts are those of `ledger`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from casino.cards.card import parse_cards
from casino.errors import Refusal
from casino.ledger.accounts import Kind
from casino.ledger.posting import Operation, Posting
from casino.money import NO_CURRENCY
from casino.poker.commands import Show
from casino.poker.events import Event
from casino.poker.hand import unfold
from casino.poker.state import Hand
from casino.poker_room import forfeits, hand_record, seat_money
from casino.poker_room.dealer import Dealer
from casino.poker_room.shoe import Shoe, ShoeSeal
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_shown_cards, poker_tables
from casino.storage.schema import operations
from casino.storage.tournament_schema import tournaments
from casino.verify.findings import Findings
from casino.verify.ledger import Stored
from casino.verify.poker_replay import ReplayError, replay_by_rules
from casino.verify.poker_seats import Chips, Sittings
from casino.verify.snapshot import Snapshot
from casino.verify.tournaments import PlayedHand, Tournaments

_HANDS_AT_ONCE: Final = 500
_SETTLE: Final = ":settle"
_OF_SEATS: Final = seat_money.KINDS | {forfeits.KIND}
_UNREADABLE: Final = (ValueError, TypeError, KeyError, IndexError, AssertionError, AttributeError, StopIteration)
"""Errors that forged rows cause when they are replayed."""


class Poker:
    """Collects operations from the ledger; `compare` then reads hands and sittings."""

    def __init__(
        self, findings: Findings, step: Callable[[int], None], keys: Sequence[str], tournaments: Tournaments
    ) -> None:
        """`tournaments` receives the hands that were played with chips."""
        self._tournaments = tournaments
        self._findings = findings
        self._step = step
        self._seals = [ShoeSeal(key) for key in keys]
        self._chips = Chips()
        self._sat = Sittings(findings.poker_seats, self._posted, self._end_move, self._is_posted)
        self._of_seats: dict[str, str] = {}  # input hash by key of buy-ins, departures and moves
        self._hands_posted = 0
        self._ends: dict[str, tuple[int, str]] = {}  # number and next root of the last hand, by table

    def add(self, row: Any, moved: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind == hand_record.OPERATION:
            self._hands_posted += 1
        elif row.kind in _OF_SEATS:
            self._chips.add(row.id, moved)
            if row.kind != seat_money.TOP_UP:
                self._of_seats[row.key] = row.input_hash

    async def compare(self, snapshot: Snapshot, stored: Mapping[str, Stored]) -> None:
        await self._sat.read(snapshot, stored)
        for key in self._of_seats:
            self._findings.poker_seats.fault(f"operation {key}: it belongs to no sitting")
        columns = poker_tables.c
        decks = (columns.hand_no, columns.next_root, columns.next_sealed)
        query = select(columns.id, columns.currency, *decks, columns.tournament_id, tournaments.c.id.label("known"))
        query = query.join(tournaments, tournaments.c.id == columns.tournament_id, isouter=True)
        tables = {row.id: row for row in await snapshot.connection.execute(query)}
        cash = {id_.split(":")[1] for id_, account in stored.items() if account.kind == Kind.SEAT}
        for row in tables.values():
            if row.tournament_id is not None and (row.known is None or row.id in cash):
                self._findings.poker_seats.fault(f"poker table {row.id}: it is no table of a tournament")
        await self._hands(snapshot, tables)
        for table in tables.values():
            self._table(table)
        self._chips.close(self._findings.poker_seats, stored)
        if self._hands_posted:
            await self._strays(snapshot)

    async def _hands(self, snapshot: Snapshot, tables: Mapping[str, Any]) -> None:
        """Reads a page of hands with their players and operations at a time, in constant memory."""
        fault = self._findings.poker_hands.fault
        last: tuple[str, int] = ("", -1)
        shown_in_all = 0
        columns = poker_hands.c
        query = select(poker_hands).order_by(columns.table_id, columns.no).limit(_HANDS_AT_ONCE)
        while rows := (await snapshot.connection.execute(query.where(_after(last)))).all():
            ids = [row.id for row in rows]
            players: dict[str, list[Any]] = defaultdict(list)
            own = select(poker_hand_players).where(poker_hand_players.c.hand_id.in_(ids))
            for player in await snapshot.connection.execute(own.order_by(poker_hand_players.c.seat_no)):
                players[player.hand_id].append(player)
            posted = {row.key: row for row in await snapshot.connection.execute(_operations(ids))}
            shown: dict[str, list[Any]] = defaultdict(list)
            later = select(poker_shown_cards).where(poker_shown_cards.c.hand_id.in_(ids))
            for one in await snapshot.connection.execute(later.order_by(poker_shown_cards.c.at_ms)):
                shown[one.hand_id].append(one)
                shown_in_all += 1
            for row in rows:
                table = tables.get(row.table_id)
                if table is None or table.currency != row.currency:
                    fault(f"hand {row.id}: there is no such poker table with {row.currency}")
                hand = self._hand(row, players[row.id], posted.get(f"{row.id}{_SETTLE}"))
                self._fair(row, self._with_shown(row.id, hand, shown[row.id]))
            self._step(len(rows))
            last = rows[-1].table_id, rows[-1].no
        stored = (await snapshot.connection.execute(select(func.count()).select_from(poker_shown_cards))).scalar_one()
        if stored != shown_in_all:
            fault(f"shown cards: {stored - shown_in_all} rows belong to no hand")

    def _hand(self, row: Any, players: Sequence[Any], posted: Any) -> Hand | None:  # noqa: ANN401  rows of the database
        """Returns the hand; none if it was not dealt, or cannot be replayed."""
        fault = self._findings.poker_hands.fault
        self._findings.poker_hands.counted += 1
        last_no, root = self._ends.get(row.table_id, (0, row.root))
        if row.no == last_no + 1 and row.root != root:
            fault(f"hand {row.id}: its deck is not the one promised with the hand before")
        self._ends[row.table_id] = (row.no, row.next_root)
        if posted is not None and posted.kind == hand_record.OPERATION:
            self._hands_posted -= 1
        try:
            hand, events = _replayed(row)
            wrong = [*_differences(row, hand, events, players)]
            operation = hand_record.operation_of(hand, row.currency) if hand else None
            if row.currency != NO_CURRENCY:
                wrong += self._chips.hand(row, players, posted.id if posted else None)
            elif hand is not None:
                is_void = row.status == hand_record.VOID
                self._tournaments.hands[row.table_id].append(PlayedHand.of(hand, is_void=is_void))
        except ReplayError as error:
            fault(f"hand {row.id}: {error}")
            return None
        except (*_UNREADABLE, Refusal) as error:
            fault(f"hand {row.id}: its events cannot be replayed ({type(error).__name__})")
            return None
        for text in wrong:
            fault(f"hand {row.id}: {text}")
        for player in players:
            if row.currency != NO_CURRENCY and not self._sat.has_sat(row.table_id, player.player_id, player.seat_no):
                fault(f"hand {row.id}: {player.player_id} has never had seat {player.seat_no}")
        is_hash = posted.input_hash if posted else None
        if is_hash != (operation.input_hash() if operation else None):
            fault(f"hand {row.id}: its postings are not those that follow from it")
        elif posted and posted.at_ms != row.ended_ms:
            fault(f"hand {row.id}: it is not posted at the time when it ended")
        return hand

    def _with_shown(self, hand_id: str, hand: Hand | None, shown: Sequence[Any]) -> Hand | None:
        """The hand with the cards its players have shown after it was stored, by the same rules as at the table."""
        for row in shown:
            try:
                assert hand is not None, "a hand that was not dealt"
                show = Show(hand_id, row.player_id, parse_cards(row.cards))
                _, hand = unfold(hand, show, row.at_ms)[-1]
            except (*_UNREADABLE, Refusal):
                fault = f"hand {hand_id}: {row.player_id} cannot have shown {row.cards} after it"
                self._findings.poker_hands.fault(fault)
        return hand

    def _posted(self, called: str, key: str, operation: Operation | None) -> None:
        posted = self._of_seats.pop(key, None)
        if posted != (operation.input_hash() if operation else None):
            self._findings.poker_seats.fault(f"{called}: its postings are not those that follow from it")

    def _is_posted(self, key: str) -> bool:
        return key in self._of_seats

    def _end_move(self, key: str) -> bool:
        return self._of_seats.pop(key, None) is not None

    async def _strays(self, snapshot: Snapshot) -> None:
        """Names operations of hands that do not exist. Their number differs, or this is not called."""
        columns = operations.c
        hand_id = func.substr(columns.key, 1, func.length(columns.key) - len(_SETTLE))
        is_missing = ~exists().where(poker_hands.c.id == hand_id)
        query = select(columns.key).where(columns.kind == hand_record.OPERATION, is_missing)
        for (key,) in await snapshot.connection.execute(query):
            self._findings.poker_hands.fault(f"operation {key}: it belongs to no hand")

    def _fair(self, row: Any, hand: Hand | None) -> None:  # noqa: ANN401
        """Opens the sealed deck, if the key is given, and compares the cards on the table with it."""
        if not self._is_sealed_with_known_key(row.sealed):
            self._findings.unchecked_decks += 1
            return
        self._findings.poker_decks.counted += 1
        shoe = self._opened(row.sealed)
        if shoe is None or shoe.root != row.root or (hand is not None and not _is_dealt(hand, shoe)):
            self._findings.poker_decks.fault(f"hand {row.id}: its cards are not those of the deck that was promised")

    def _opened(self, sealed: str) -> Shoe | None:
        return next((shoe for seal in self._seals if (shoe := seal.open(sealed))), None)

    def _is_sealed_with_known_key(self, sealed: str) -> bool:
        return any(seal.is_sealed_by(sealed) for seal in self._seals)

    def _table(self, table: Any) -> None:  # noqa: ANN401  a row of the database
        if (table.hand_no, table.next_root) != self._ends.get(table.id, (0, table.next_root)):
            self._findings.poker_hands.fault(f"poker table {table.id}: it does not continue its last hand")
        if self._is_sealed_with_known_key(table.next_sealed):
            shoe = self._opened(table.next_sealed)
            if shoe is None or shoe.root != table.next_root:
                text = f"poker table {table.id}: the deck of its next hand is not the one that was promised"
                self._findings.poker_decks.fault(text)


def _operations(hand_ids: Sequence[str]) -> Select[Any]:
    """The operations of these hands, whatever kind they claim to be."""
    columns = operations.c
    query = select(columns.key, columns.id, columns.kind, columns.input_hash, columns.at_ms)
    return query.where(columns.key.in_([f"{id_}{_SETTLE}" for id_ in hand_ids]))


def _after(last: tuple[str, int]) -> ColumnElement[bool]:
    table_id, no = last
    columns = poker_hands.c
    return or_(columns.table_id > table_id, and_(columns.table_id == table_id, columns.no > no))


def _replayed(row: Any) -> tuple[Hand | None, list[Event]]:  # noqa: ANN401
    """The hand and its events; no hand if its deck was prepared and never dealt."""
    events = hand_record.load_events(row.events)
    return (replay_by_rules(events) if events else None), events


def _differences(row: Any, hand: Hand | None, events: Sequence[Event], players: Sequence[Any]) -> Iterable[str]:  # noqa: ANN401
    if hand is None:
        if (row.status, row.started_ms, row.board, row.pot, row.rake) != (hand_record.VOID, None, "", 0, 0) or players:
            yield "it has no events, and it is more than a deck that was not used"
        return
    deck, following = hand_record.Deck(row.root, row.sealed), hand_record.Deck(row.next_root, "")
    expected = hand_record.record_of(hand, events, row.currency, deck=deck, next_deck=following, state="")
    if expected.row != tuple(row)[:-2]:
        wrong = [
            name
            for name, is_, should_be in zip(hand_record.COLUMNS, row, expected.row, strict=False)
            if is_ != should_be
        ]
        yield f"{', '.join(wrong)} is not what its events lead to"
    rows = [hand_record.PlayerRow(*(getattr(one, name) for name in hand_record.PlayerRow._fields)) for one in players]
    if sorted(rows) != sorted(expected.players) or any(one.ended_ms != row.ended_ms for one in players):
        yield "its players are not those of its events"


def _is_dealt(hand: Hand, shoe: Shoe) -> bool:
    dealer = Dealer.of(shoe, hand)
    board = dealer.board()[: len(hand.board)]
    return board == hand.board and all(dealer.is_held(seat_no, cards) for seat_no, cards in hand.shown)
