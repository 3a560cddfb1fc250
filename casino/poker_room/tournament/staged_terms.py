"""Terms of tournaments that managers create or change before the start, from entries as in `schedule.toml`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field, ValidationError

from casino.errors import Code, Refusal
from casino.poker.tournament.state import Status, Tournament
from casino.poker.tournament.structure import MINUTE_MS
from casino.poker.tournament.terms import TournamentTerms
from casino.settings.base import Section
from casino.settings.poker import PokerSettings
from casino.settings.poker.products import Title
from casino.settings.poker.schedule import Amount, Levels, TournamentRow
from casino.settings.poker.stakes import Name


class TournamentChanges(Section):
    """Keys of `schedule.toml` that may change before the start; those left out stay."""

    name: Title | None = None
    structure: Name | None = None
    guarantee: Amount | None = None
    added: Amount | None = None
    late_levels: Levels | None = None
    entries_min: Annotated[int, Field(ge=2, le=100_000)] | None = None
    entries_max: Annotated[int, Field(ge=2, le=100_000)] | None = None
    reentries_max: Annotated[int, Field(ge=0, le=100)] | None = None
    break_minutes: Annotated[int, Field(ge=1, le=60)] | None = None


def template_of(text: str) -> TournamentRow:
    """The entry of one event, which names its time by `at`."""
    row: TournamentRow = _read(TournamentRow, text)
    if row.at is None:
        raise Refusal(Code.BAD_REQUEST, "at: name the start, with its offset from UTC.")
    return row


def changes_of(text: str) -> TournamentChanges:
    changes: TournamentChanges = _read(TournamentChanges, text)
    return changes


def created_terms(settings: PokerSettings, row: TournamentRow, tournament_id: str, now_ms: int) -> TournamentTerms:
    """Refuses what the schedule would not take, and a start that is over."""
    assert row.at is not None
    starts_ms = round(row.at.timestamp() * 1000)
    if starts_ms <= now_ms:
        raise Refusal(Code.BAD_REQUEST, "at: this time is over.")
    if row.id in settings.schedule.by_id:
        raise Refusal(Code.BAD_REQUEST, f"id: {row.id} is in the schedule. Choose another one.")
    for key, name, known in (
        ("structure", row.structure, settings.structures.structures),
        ("prizes", row.prizes, settings.payouts.tables),
        ("satellite_to", row.satellite_to, settings.schedule.by_id),
        ("flight_of", row.flight_of, settings.schedule.by_id),
    ):
        if name is not None and name not in known:
            raise Refusal(Code.BAD_REQUEST, f"{key}: there is no {name}.")
    try:
        terms = settings.tournament_terms(row, tournament_id, starts_ms)
    except ValueError as error:
        raise Refusal(Code.BAD_REQUEST, f"{error}.") from None
    if terms.ticket_value and terms.ticket_value <= terms.price.total:
        raise Refusal(Code.BAD_REQUEST, "satellite_to: that tournament must cost more than this one.")
    return _verified(terms)


def changed_terms(
    settings: PokerSettings, state: Tournament, changes: TournamentChanges, starts_ms: int | None, now_ms: int
) -> TournamentTerms:
    """Players have entered for what was announced: money of the house may only rise, and the start only be delayed."""
    terms = state.terms
    if state.status is not Status.REGISTERING or terms.is_sit_and_go:
        raise Refusal(Code.TOO_LATE, "Only a scheduled tournament can be changed, and only before its start.")
    plain = changes.model_dump(exclude_none=True)
    if starts_ms is not None and starts_ms != terms.starts_ms:
        if starts_ms <= now_ms or (state.entries and starts_ms < terms.starts_ms):
            raise Refusal(Code.BAD_REQUEST, "starts_at: name a later time than the announced one.")
        plain["starts_ms"] = starts_ms
    for key in ("guarantee", "added"):
        if state.entries and plain.get(key, getattr(terms, key)) < getattr(terms, key):
            raise Refusal(Code.BAD_REQUEST, f"{key}: players have entered for the announced amount. It can only rise.")
    if not plain:
        raise Refusal(Code.BAD_REQUEST, "Nothing would change.")
    try:
        return _verified(replace(terms, **_values(settings, plain)))
    except ValueError as error:
        raise Refusal(Code.BAD_REQUEST, f"{error}.") from None


def _verified(terms: TournamentTerms) -> TournamentTerms:
    last = len(terms.structure.levels)
    if max(terms.registration_levels, terms.flight_ends_level or 0) >= last:
        raise Refusal(Code.BAD_REQUEST, f"Level {last} is the last of {terms.structure.name} and never ends.")
    return terms


def _values(settings: PokerSettings, plain: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(plain)
    if "structure" in values:
        if values["structure"] not in settings.structures.structures:
            raise Refusal(Code.BAD_REQUEST, f"structure: there is no {values['structure']}.")
        values["structure"] = settings.structures.structure(values["structure"])
    if "break_minutes" in values:
        values["break_ms"] = values.pop("break_minutes") * MINUTE_MS
    return values


def _read(kind: type[Any], text: str) -> Any:  # noqa: ANN401  the model of this kind
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "template"
        raise Refusal(Code.BAD_REQUEST, f"{place}: {first['msg'].removeprefix('Value error, ')}") from None
