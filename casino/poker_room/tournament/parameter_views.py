"""View of the parameters of a tournament: prices of more chips, bounties, satellites, flights and requirements."""

from casino.poker.tournament.structure import MINUTE_MS
from casino.poker.tournament.terms import TournamentTerms
from casino.wire.poker_tournaments import (
    AddOnView,
    BountyView,
    MultiBuyInView,
    RebuyView,
    Requirement,
    TournamentParameters,
)

_REQUIREMENTS: tuple[Requirement, ...] = ("verified", "deposit", "ticket")


def parameters_view(terms: TournamentTerms) -> TournamentParameters:
    has_deadline = terms.unregister_ms is not None and not terms.is_sit_and_go
    return {
        "stack": terms.stack,
        "entries_min": terms.entries_min,
        "unregister_until": terms.starts_ms - (terms.unregister_ms or 0) if has_deadline else None,
        "reentries_max": terms.reentries_max,
        "rebuy": _rebuy(terms),
        "addon": _add_on(terms),
        "bounty": _bounty(terms),
        "multi_buy_in": _multi_buy_in(terms),
        "ticket_value": terms.ticket_value,
        "seats_guaranteed": terms.seats_guaranteed,
        "target": terms.target,
        "flight_ends_level": terms.flight_ends_level,
        "is_phase_two": terms.is_phase_two,
        "requirements": [requirement for requirement in _REQUIREMENTS if requirement in terms.requirements],
        "sync_breaks": terms.sync_breaks,
        "break_minutes": terms.break_ms // MINUTE_MS,
    }


def _rebuy(terms: TournamentTerms) -> RebuyView | None:
    rebuy = terms.rebuy
    if rebuy is None:
        return None
    return {"price": rebuy.price.total, "chips": rebuy.chips, "levels": rebuy.levels, "max": rebuy.most}


def _add_on(terms: TournamentTerms) -> AddOnView | None:
    return {"price": terms.addon.price.total, "chips": terms.addon.chips} if terms.addon is not None else None


def _bounty(terms: TournamentTerms) -> BountyView | None:
    bounty = terms.bounty
    if bounty is None:
        return None
    return {"kind": bounty.kind.value, "amount": terms.price.bounty, "to_head": bounty.to_head_percent}


def _multi_buy_in(terms: TournamentTerms) -> MultiBuyInView | None:
    chosen = terms.multi_buy_in
    return {"min": chosen.least, "max": chosen.most, "step": chosen.step} if chosen is not None else None
