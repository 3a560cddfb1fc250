"""Knock-outs: ranking, hand-for-hand play, rebuy offers, bounties, prizes and the end of the tournament."""

from casino.errors import Code, Refusal
from casino.poker.pots import share_out
from casino.poker.tournament.bounty import divide_head
from casino.poker.tournament.commands import Decline, Disqualify
from casino.poker.tournament.entries import Survivor
from casino.poker.tournament.events import (
    DisqualificationOrdered,
    Eliminated,
    Finished,
    FlightEnded,
    RebuyDeclined,
    RebuyOffered,
)
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.money_events import BountyPaid, PrizeAwarded, PrizeHeld, VipPaid
from casino.poker.tournament.ranking import Bust, order_of_elimination
from casino.poker.tournament.records import BustRecord, EntryAmount
from casino.poker.tournament.registration import can_rebuy, close_if_due, entry_of, means_of_prize
from casino.poker.tournament.state import Entry, Status, Tournament
from casino.poker.tournament.terms import REBUY_OFFER_MS


def rank_busts(journal: Journal, *, is_cancelled: bool = False) -> None:
    """Rank the players who have lost everything, hand by hand; the hands of a synchronised round count as one.

    A later hand places higher, and a player who buys chips has no place yet. So players are ranked after the
    offers of the same hand and of earlier ones are over.
    """
    state = journal.state
    if state.is_hand_for_hand and not state.is_all_idle and not is_cancelled:
        return
    for bust in (bust for busts in state.busts for bust in busts):
        entry = state.entries[bust.entry_id]
        if entry.offer_until_ms is None and can_rebuy(state, entry, journal.now_ms):
            journal.add(RebuyOffered(bust.entry_id, journal.now_ms + REBUY_OFFER_MS, journal.now_ms))
    while journal.state.busts:
        busts = {bust.entry_id: bust for bust in journal.state.busts[0]}
        if not is_cancelled and any(journal.state.has_offer(entry_id, journal.now_ms) for entry_id in busts):
            return
        for entry_id in order_of_elimination(
            (Bust(bust.entry_id, bust.start) for bust in busts.values()), journal.pick
        ):
            eliminate(journal, journal.state.entries[entry_id], busts[entry_id])


def rank_and_close(journal: Journal) -> None:
    """Rank knock-outs and close registration, each as far as it is due; the close ends offers that are still open."""
    rank_busts(journal)
    _close(journal)
    rank_busts(journal)


def _close(journal: Journal) -> None:
    """Close registration if that is due.

    Late entries can raise the number of places above the number of players left. Such places were taken before they
    were paid, and are paid now.
    """
    was_open = journal.state.is_open
    close_if_due(journal)
    if was_open and not journal.state.is_open:
        out = [entry for entry in journal.state.entries.values() if entry.out_no is not None]
        for entry in sorted(out, key=lambda entry: entry.out_no or 0):
            _award_if_paid(journal, entry)


def eliminate(journal: Journal, entry: Entry, bust: BustRecord | None) -> None:
    """Out of the tournament: the head is paid, and the prize if there is one.

    A disqualified player has no bust: no player gets the head, and the prize is held.
    """
    now_ms = journal.now_ms
    journal.add(Eliminated(entry.entry_id, journal.state.out + 1, bust is None, now_ms))
    if bust is not None:
        _pay_head(journal, entry, bust)
    if journal.state.is_open:
        _close(journal)
    else:
        _award_if_paid(journal, journal.state.entries[entry.entry_id])
    pay_vips(journal)


def _pay_head(journal: Journal, entry: Entry, bust: BustRecord) -> None:
    terms = journal.state.terms.bounty
    if terms is None or not bust.eliminators:
        return
    head = journal.state.entries[entry.entry_id].head
    for number, cash, to_head in divide_head(head, range(len(bust.eliminators)), terms):
        journal.add(BountyPaid(entry.entry_id, bust.eliminators[number], cash, to_head, journal.now_ms))


def pay_vips(journal: Journal) -> None:
    """Pay for VIPs who cannot come back: registration is closed, or no re-entry is left."""
    for player_id, bust in [*journal.state.vip_busts.items()]:
        taken = sum(entry.player_id == player_id for entry in journal.state.entries.values())
        if journal.state.is_open and taken <= journal.state.terms.reentries_max:
            continue
        pay_vip(journal, player_id, bust)


def pay_vip(journal: Journal, player_id: str, bust: BustRecord) -> None:
    amount = dict(journal.state.terms.vips)[player_id]
    shares = share_out(amount, range(len(bust.eliminators)))
    parts = tuple(EntryAmount(bust.eliminators[number], part) for number, part in shares)
    journal.add(VipPaid(player_id, parts, journal.now_ms))


def decline(journal: Journal, command: Decline) -> None:
    """A busted player takes no rebuy, or a VIP will not enter again."""
    entry = entry_of(journal.state, command.entry_id)
    if journal.state.has_offer(command.entry_id, journal.now_ms):
        journal.add(RebuyDeclined(command.entry_id, journal.now_ms))
    elif entry.player_id in journal.state.vip_busts:
        pay_vip(journal, entry.player_id, journal.state.vip_busts[entry.player_id])
    else:
        raise Refusal(Code.NOT_OFFERED, "There is no offer to decline.")


def disqualify(journal: Journal, command: Disqualify) -> None:
    """During a hand it is carried out after the hand."""
    state, entry = journal.state, entry_of(journal.state, command.entry_id)
    if state.status is not Status.RUNNING or entry.out_no is not None or not entry.chips:
        raise Refusal(Code.NOT_OFFERED, "Only a player who still plays in the tournament can be disqualified.")
    if entry.entry_id in state.ordered_out:
        raise Refusal(Code.ALREADY_DECIDED, "The player is disqualified already, and is out after the hand.")
    journal.add(DisqualificationOrdered(command.entry_id, command.reason, command.by, journal.now_ms))


def carry_out_disqualifications(journal: Journal) -> None:
    """The player is out at this moment, so knock-outs of hands before it must have their places."""
    for entry_id in sorted(journal.state.ordered_out):
        entry = journal.state.entries[entry_id]
        is_last = journal.state.left == 1
        if journal.state.busts or is_last or not entry.chips or entry.table_no not in journal.state.idle:
            continue
        eliminate(journal, entry, None)


def finish_if_over(journal: Journal) -> None:
    """The tournament ends with one player left, or when all left get the same prize."""
    state = journal.state
    if state.status is not Status.RUNNING or state.is_open or state.busts:
        return
    if state.left > len(state.prizes) or len(set(state.prizes[: state.left])) != 1:
        return
    in_play = sorted((entry for entry in state.entries.values() if entry.out_no is None), key=_by_chips)
    for place, entry in enumerate(in_play, start=1):
        head = journal.state.entries[entry.entry_id].head
        if head:
            journal.add(BountyPaid(entry.entry_id, entry.entry_id, head, 0, journal.now_ms))
        _award(journal, entry.entry_id, place, is_held=entry.entry_id in state.ordered_out)
    for place in range(len(state.entries) + 1, len(state.prizes) + 1):
        _award(journal, in_play[0].entry_id, place)  # the rest of a satellite in which every entry has a ticket
    journal.add(Finished(journal.now_ms))


def _by_chips(entry: Entry) -> tuple[int, int]:
    return -entry.chips, entry.number


def _award_if_paid(journal: Journal, entry: Entry) -> None:
    assert entry.out_no is not None
    place = journal.state.place_of(entry.out_no)
    if place <= len(journal.state.prizes):
        _award(journal, entry.entry_id, place, is_held=entry.is_disqualified)


def _award(journal: Journal, entry_id: str, place: int, *, is_held: bool = False) -> None:
    event = PrizeHeld if is_held else PrizeAwarded
    means = means_of_prize(journal.state, place)
    journal.add(event(entry_id, place, journal.state.prizes[place - 1], means, journal.now_ms))


def end_flight(journal: Journal) -> None:
    """All players with chips go on to the second phase."""
    state = journal.state
    survivors = tuple(
        Survivor(entry.player_id, entry.entry_id, entry.chips, entry.price.fee)
        for entry in in_order(state)
        if entry.out_no is None
    )
    journal.add(FlightEnded(survivors, state.field_entries, state.pool, journal.now_ms))


def in_order(state: Tournament) -> list[Entry]:
    return sorted(state.entries.values(), key=lambda entry: entry.number)
