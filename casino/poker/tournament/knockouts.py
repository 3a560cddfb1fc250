"""Knock-outs: ranking, rebuy offers, bounties, prizes and the end of the tournament."""

from casino.errors import Code, Refusal
from casino.poker.pots import share_out
from casino.poker.tournament.bounty import divide_head
from casino.poker.tournament.commands import Decline, Disqualify
from casino.poker.tournament.entries import Survivor
from casino.poker.tournament.events import Eliminated, Finished, FlightEnded, RebuyOffered
from casino.poker.tournament.journal import Journal
from casino.poker.tournament.money_events import BountyPaid, PrizeAwarded, PrizeHeld, VipPaid
from casino.poker.tournament.ranking import Bust, order_of_elimination
from casino.poker.tournament.records import BustRecord, EntryAmount
from casino.poker.tournament.registration import can_rebuy, close_if_due, entry_of, means_of_prize
from casino.poker.tournament.state import Entry, Status, Tournament
from casino.poker.tournament.terms import REBUY_OFFER_MS


def settle_busts(journal: Journal, *, is_cancelled: bool = False) -> None:
    """Rank the players who have lost everything; the hands of a synchronised round count as one."""
    state = journal.state
    if state.is_hand_for_hand and not state.is_all_idle and not is_cancelled:
        return
    busts = {bust.entry_id: bust for bust in state.busts}
    for entry_id in order_of_elimination((Bust(bust.entry_id, bust.start) for bust in state.busts), journal.pick):
        entry = state.entries[entry_id]
        if can_rebuy(journal.state, entry, journal.now_ms):
            journal.add(RebuyOffered(entry_id, journal.now_ms + REBUY_OFFER_MS, journal.now_ms))
        else:
            eliminate(journal, entry, busts[entry_id])


def eliminate(journal: Journal, entry: Entry, bust: BustRecord | None) -> None:
    """Out of the tournament: the head is paid, and the prize if there is one.

    A disqualified player has no bust: no player gets the head, and the prize is held.
    """
    now_ms = journal.now_ms
    journal.add(Eliminated(entry.entry_id, journal.state.out + 1, bust is None, now_ms))
    if bust is not None:
        _pay_head(journal, entry, bust)
    close_if_due(journal)
    state = journal.state
    out_no = state.entries[entry.entry_id].out_no
    assert out_no is not None
    place = state.place_of(out_no)
    if not state.is_open and place <= len(state.prizes):
        _award(journal, entry.entry_id, place, is_held=bust is None)
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
    if command.entry_id in journal.state.offers:
        eliminate(journal, entry, journal.state.offers[command.entry_id])
    elif entry.player_id in journal.state.vip_busts:
        pay_vip(journal, entry.player_id, journal.state.vip_busts[entry.player_id])
    else:
        raise Refusal(Code.NOT_OFFERED, "There is no offer to decline.")


def end_offers(journal: Journal, *, is_cancelled: bool = False) -> None:
    """Rebuy offers that were not taken in time."""
    state = journal.state
    for entry_id, bust in sorted(state.offers.items()):
        until_ms = state.entries[entry_id].offer_until_ms
        assert until_ms is not None
        if journal.now_ms >= until_ms or not state.is_open or is_cancelled:
            eliminate(journal, state.entries[entry_id], bust)


def disqualify(journal: Journal, command: Disqualify) -> None:
    entry = entry_of(journal.state, command.entry_id)
    if entry.out_no is not None or entry.table_no not in journal.state.idle or not entry.chips:
        raise Refusal(Code.NOT_OFFERED, "A player is disqualified between two hands, while still in the tournament.")
    eliminate(journal, entry, None)


def finish_if_over(journal: Journal) -> None:
    """The tournament ends with one player left, or when all left get the same prize."""
    state = journal.state
    if state.status is not Status.RUNNING or state.is_open or state.busts or state.offers:
        return
    if state.left > len(state.prizes) or len(set(state.prizes[: state.left])) != 1:
        return
    in_play = sorted((entry for entry in state.entries.values() if entry.out_no is None), key=_by_chips)
    for place, entry in enumerate(in_play, start=1):
        head = journal.state.entries[entry.entry_id].head
        if head:
            journal.add(BountyPaid(entry.entry_id, entry.entry_id, head, 0, journal.now_ms))
        _award(journal, entry.entry_id, place)
    journal.add(Finished(journal.now_ms))


def _by_chips(entry: Entry) -> tuple[int, str]:
    return -entry.chips, entry.entry_id


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
    journal.add(FlightEnded(survivors, journal.now_ms))


def in_order(state: Tournament) -> list[Entry]:
    return [state.entries[entry_id] for entry_id in sorted(state.entries)]


def end_offers_and_close(journal: Journal) -> None:
    end_offers(journal)
    close_if_due(journal)
    end_offers(journal)
