"""Views of a tournament: its row in the lobby, its overview, players, prizes, tables, structure and own entries."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from casino.poker.tournament.bounty import BountyKind
from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.registration import can_rebuy, prizes_if_closed
from casino.poker.tournament.state import Entry, Status, Tournament
from casino.poker.tournament.structure import Structure, next_break_ms
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.due_times import next_level_ms
from casino.poker_room.tournament.parameter_views import parameters_view
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentSpec
from casino.poker_room.tournament.table_terms import table_id_of
from casino.refusals import Reason
from casino.wire.outbound import Payload
from casino.wire.poker_entries import EntryStatus, OwnEntry
from casino.wire.poker_tournaments import (
    Feature,
    LevelView,
    PrizeView,
    TournamentPlayer,
    TournamentPlayers,
    TournamentPrizes,
    TournamentRow,
    TournamentStructure,
    TournamentTableRow,
    TournamentTables,
    TournamentView,
)

PLAYERS_MAX: Final = 500
"""Players in one answer; the first places and the largest stacks come first."""


def row_view(spec: TournamentSpec, state: Tournament, now_ms: int) -> TournamentRow:
    terms, price = state.terms, state.terms.price
    prizes = prizes_if_closed(state) if state.is_open and state.entries else None
    overlay = state.overlay if not state.is_open else max(terms.guarantee - state.pool, 0)
    pool = sum(prizes.prizes) if prizes is not None else sum(state.prizes) or max(state.pool, terms.guarantee)
    return {
        "tournament_id": spec.tournament_id,
        "kind": spec.kind.value,
        "source": spec.source,
        "name": terms.name,
        "game": terms.game,
        "currency": spec.currency,
        "seats": terms.seats,
        "price": {"pool": price.pool, "bounty": price.bounty, "fee": price.fee, "total": price.total},
        "status": state.status.value,
        "registration_opens_at": spec.opens_ms,
        "starts_at": None if terms.is_sit_and_go else terms.starts_ms,
        "is_registration_open": state.is_open
        and now_ms >= spec.opens_ms
        and state.status in (Status.REGISTERING, Status.RUNNING)
        and not (terms.is_sit_and_go and state.status is Status.RUNNING),
        "late_levels": terms.late_levels,
        "late_registration_until": _late_until(state, now_ms),
        "structure": terms.structure.name,
        "level_minutes": terms.structure.minutes,
        "entries": len(state.entries),
        "entries_max": terms.entries_max,
        "players_left": state.left,
        "guarantee": terms.guarantee,
        "added": terms.added,
        "prize_pool": pool,
        "overlay": max(overlay, 0),
        "level": state.level(now_ms) if state.status is Status.RUNNING else 0,
        "features": [*features_of(terms)],
    }


def tournament_view(running: RunningTournament, now_ms: int, player_id: str | None) -> TournamentView:
    """`player_id` is set for the answer to one player."""
    state, terms = running.state, running.state.terms
    is_running = state.status is Status.RUNNING
    number = state.level(now_ms) if is_running else 1
    stacks = [entry.chips for entry in state.entries.values() if entry.out_no is None and entry.chips]
    prizes = prizes_of(state)
    entry = running.entry_of(player_id) if player_id is not None else None
    return {
        "tournament": row_view(running.spec, running.state, now_ms),
        "server_time": now_ms,
        "started_at": state.terms.starts_ms if is_running else None,
        "level": level_view(terms.structure, number),
        "next_level": level_view(terms.structure, number + 1),
        "next_level_at": next_level_ms(state, now_ms),
        "next_break_at": next_break_ms(now_ms) if terms.sync_breaks and is_running and state.pause is None else None,
        "on_break": state.pause is not None and state.pause.reason is not PauseReason.RESTART,
        "break_until": state.pause.until_ms if state.pause is not None else None,
        "hand_for_hand": is_running and state.is_hand_for_hand,
        "places_paid": sum(prize["last"] - prize["first"] + 1 for prize in prizes),
        "average_stack": sum(stacks) // len(stacks) if stacks else 0,
        "largest_stack": max(stacks, default=0),
        "smallest_stack": min(stacks, default=0),
        "tables": len(state.tables),
        "late_registration_until": _late_until(state, now_ms),
        "prizes": prizes,
        "prizes_are_final": not state.is_open,
        "parameters": parameters_view(terms),
        "hexa": running.reveal,
        "own": own_entry_view(running, entry, now_ms) if entry is not None else None,
    }


def page_view(running: RunningTournament, page: str, player_id: str | None, now_ms: int, search: str = "") -> Payload:
    state = running.state
    match page:
        case "overview":
            return tournament_view(running, now_ms, player_id)
        case "players":
            return players_view(running, search)
        case "prizes":
            prizes = prizes_of(state)
            final: TournamentPrizes = {
                "is_final": not state.is_open,
                "pool": sum(prize["amount"] * (prize["last"] - prize["first"] + 1) for prize in prizes),
                "places": sum(prize["last"] - prize["first"] + 1 for prize in prizes),
                "prizes": prizes,
            }
            return final
        case "tables":
            return tables_view(running)
        case "structure":
            return structure_view(state.terms.structure)
    raise Reason.NOT_FOUND.refusal()


def players_view(running: RunningTournament, search: str = "") -> TournamentPlayers:
    """`search` is a part of their names."""
    state, part = running.state, search.casefold()
    found: Iterable[Entry] = state.entries.values()
    if part:
        found = (entry for entry in found if part in running.names.get(entry.player_id, "").casefold())
    entries = sorted(found, key=lambda entry: (entry.out_no is not None, -entry.chips, -_out(entry)))
    return {"players": [_player(running, entry) for entry in entries[:PLAYERS_MAX]], "total": len(entries)}


def tables_view(running: RunningTournament) -> TournamentTables:
    state = running.state
    rows: list[TournamentTableRow] = []
    for table_no, table in sorted(state.tables.items()):
        stacks = [state.entries[entry_id].chips for _, entry_id in table.seats]
        rows.append(
            {
                "table_id": table_id_of(running.tournament_id, table_no),
                "table_no": table_no,
                "players": len(stacks),
                "largest": max(stacks, default=0),
                "smallest": min(stacks, default=0),
            }
        )
    return {"tables": rows}


def structure_view(structure: Structure) -> TournamentStructure:
    levels = [level for number in range(len(structure.levels)) if (level := level_view(structure, number + 1))]
    return {"name": structure.name, "level_minutes": structure.minutes, "levels": levels}


def level_view(structure: Structure, number: int) -> LevelView | None:
    if not 1 <= number <= len(structure.levels):
        return None
    level = structure.levels[number - 1]
    return {"number": number, "sb": level.small_blind, "bb": level.big_blind, "ante": level.ante}


def prizes_of(state: Tournament) -> list[PrizeView]:
    """Prizes by bands of equal amounts; before the close of registration those of the entries so far."""
    if not state.is_open:
        return bands(state.prizes, state.tickets)
    if not state.entries:
        return []
    closed = prizes_if_closed(state)
    return bands(closed.prizes, closed.tickets)


def own_entry_view(running: RunningTournament, entry: Entry, now_ms: int) -> OwnEntry:
    state, terms = running.state, running.state.terms
    is_in, is_running = entry.out_no is None, state.status is Status.RUNNING
    has_offer = is_running and is_in and state.has_offer(entry.entry_id, now_ms)
    may_rebuy = is_running and is_in and bool(entry.chips) and can_rebuy(state, entry, now_ms)
    is_pause = state.pause is not None and state.pause.reason is PauseReason.ADD_ON and bool(state.pause.until_ms)
    taken = sum(other.player_id == entry.player_id for other in state.entries.values()) if not is_in else 0
    deadline = terms.unregister_ms is not None and now_ms <= terms.starts_ms - terms.unregister_ms
    table = running.seats.get(entry.player_id)
    return {
        "entry_id": entry.entry_id,
        "tournament_id": running.tournament_id,
        "line": None,
        "name": terms.name,
        "status": entry_status(state, entry),
        "table_id": table.terms.table_id if table is not None and is_in else None,
        "seat_no": entry.seat_no if is_in else None,
        "chips": entry.chips,
        "bounty": entry.head,
        "rank": _rank(state, entry) if is_running and is_in else None,
        "paid": entry.price.total,
        "won": entry.prize,
        "place": state.place_of(entry.out_no) if entry.out_no is not None else None,
        "can_unregister": state.status is Status.REGISTERING and (terms.is_sit_and_go or deadline),
        "can_rebuy": has_offer or (may_rebuy and entry.chips <= terms.stack),
        "rebuy_until": entry.offer_until_ms if has_offer else None,
        "can_add_on": is_pause and is_in and bool(entry.chips) and not entry.has_added_on,
        "can_reenter": not is_in and state.is_open and is_running and taken <= terms.reentries_max,
    }


def _rank(state: Tournament, entry: Entry) -> int:
    return 1 + sum(other.chips > entry.chips for other in state.entries.values() if other.out_no is None)


def _player(running: RunningTournament, entry: Entry) -> TournamentPlayer:
    return {
        "name": running.names.get(entry.player_id, ""),
        "status": entry_status(running.state, entry),
        "place": running.state.place_of(entry.out_no) if entry.out_no is not None else None,
        "chips": entry.chips,
        "table_no": entry.table_no,
        "bounty": entry.head,
        "prize": entry.prize,
    }


def entry_status(state: Tournament, entry: Entry) -> EntryStatus:
    if entry.out_no is not None:
        return "out"
    match state.status:
        case Status.REGISTERING:
            return "registered"
        case Status.RUNNING:
            return "playing"
        case Status.FINISHED:
            return "finished"
    return "returned"


def _out(entry: Entry) -> int:
    return entry.out_no or 0


def bands(prizes: Sequence[int], tickets: int) -> list[PrizeView]:
    """Places with the same prize together; the first `tickets` of them are paid as entries."""
    found: list[PrizeView] = []
    numbered = enumerate(prizes, start=1)
    for (amount, is_ticket), band in groupby(numbered, key=lambda prize: (prize[1], prize[0] <= tickets)):
        places = [place for place, _ in band]
        found.append({"first": places[0], "last": places[-1], "amount": amount, "ticket": is_ticket})
    return found


def _late_until(state: Tournament, now_ms: int) -> int | None:
    """When late registration closes, if no pause comes in between."""
    terms = state.terms
    if not state.is_open or not terms.late_levels or terms.is_sit_and_go:
        return None
    length_ms = terms.late_levels * terms.structure.level_ms
    if state.status is Status.REGISTERING:
        return terms.starts_ms + length_ms
    return now_ms + max(length_ms - state.running_ms(now_ms), 0)


def features_of(terms: TournamentTerms) -> Iterator[Feature]:
    """The kinds of tournament that players may filter by."""
    extras: dict[Feature, bool] = {
        "rebuy": terms.rebuy is not None,
        "addon": terms.addon is not None,
        "reentry": terms.reentries_max > 0,
        "bounty": terms.bounty is not None and terms.bounty.kind is BountyKind.REGULAR,
        "progressive": terms.bounty is not None and terms.bounty.kind is BountyKind.PROGRESSIVE,
        "satellite": bool(terms.ticket_value),
        "freeroll": terms.is_freeroll,
        "multi": terms.multi_buy_in is not None,
        "flight": terms.flight_ends_level is not None,
        "phase_two": terms.is_phase_two,
    }
    if not (terms.rebuy or terms.addon or terms.reentries_max):
        yield "freezeout"
    yield from (name for name, has in extras.items() if has)
