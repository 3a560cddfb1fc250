"""Reads `config/poker/*.toml`, and checks the files by themselves and against each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError

from casino.poker.terms import Stake
from casino.poker.tournament.entries import Price
from casino.poker.tournament.hexapro import Product
from casino.poker.tournament.terms import TournamentTerms
from casino.settings.base import Section
from casino.settings.errors import ConfigurationError, Fault, errors_of
from casino.settings.poker.products import BuyIn, ProductRow, Products, SitAndGo, SitAndGos
from casino.settings.poker.room import Integrity, Room
from casino.settings.poker.schedule import Schedule, TournamentRow
from casino.settings.poker.stakes import Stakes
from casino.settings.poker.structures import Payouts, Structures
from casino.settings.shipped import CONFIG
from casino.settings.toml_file import UNREADABLE, read_toml, unreadable

PUBLISHED: Final = CONFIG / "poker"
"""The stakes, structures and products of the published rules: the project's own `config/poker`."""

FILES: Final[dict[str, type[Section]]] = {
    "room.toml": Room,
    "stakes.toml": Stakes,
    "structures.toml": Structures,
    "payouts.toml": Payouts,
    "sng.toml": SitAndGos,
    "hexapro.toml": Products,
    "schedule.toml": Schedule,
    "integrity.toml": Integrity,
}

Part = TypeVar("Part", bound=Section)


@dataclass(frozen=True)
class PokerSettings:
    """Everything configured about poker, checked."""

    parts: dict[str, Section]

    def _part(self, kind: type[Part]) -> Part:
        return next(part for part in self.parts.values() if isinstance(part, kind))

    @property
    def room(self) -> Room:
        return self._part(Room)

    @property
    def schedule(self) -> Schedule:
        return self._part(Schedule)

    @property
    def integrity(self) -> Integrity:
        return self._part(Integrity)

    def tournament_terms(self, row: TournamentRow, tournament_id: str, starts_ms: int) -> TournamentTerms:
        """The terms of one tournament of a template; its names must be known."""
        target = self.schedule.by_id.get(row.satellite_to or "")
        return row.terms(
            tournament_id=tournament_id,
            starts_ms=starts_ms,
            structure=self.structures.structure(row.structure),
            stack=self.structures.structures[row.structure].stack,
            break_minutes=self.room.break_minutes,
            payouts=self.payouts.terms,
            percents=tuple(self.payouts.tables[row.prizes]) if row.prizes else (),
            ticket_value=target.total if target else 0,
        )

    def sit_and_go_terms(self, row: SitAndGo, buy_in: BuyIn, tournament_id: str, starts_ms: int) -> TournamentTerms:
        """The terms of one Sit & Go; it starts when all seats are taken."""
        target = self.schedule.by_id.get(row.satellite_to or "")
        return TournamentTerms(
            tournament_id,
            row.name,
            row.game,
            row.seats,
            Price(buy_in.pool, buy_in.fee),
            self.structures.structure(row.structure),
            self.structures.structures[row.structure].stack,
            starts_ms,
            late_levels=0,
            entries_min=row.seats,
            entries_max=row.seats,
            is_sit_and_go=True,
            sync_breaks=False,
            payouts=self.payouts.terms,
            percents=tuple(self.payouts.tables[row.prizes]) if row.prizes else (),
            ticket_value=target.total if target else 0,
            target=row.satellite_to,
        )

    @cached_property
    def stakes(self) -> dict[str, Stake]:
        return self._part(Stakes).by_id

    @property
    def structures(self) -> Structures:
        return self._part(Structures)

    @property
    def payouts(self) -> Payouts:
        return self._part(Payouts)

    @property
    def sit_and_gos(self) -> SitAndGos:
        return self._part(SitAndGos)

    @property
    def product_rows(self) -> list[ProductRow]:
        return self._part(Products).product

    @cached_property
    def products(self) -> dict[str, Product]:
        levels = self.structures.levels
        return {row.id: row.product(levels[row.levels].all) for row in self.product_rows}


def load_poker(folder: Path) -> PokerSettings:
    """The settings of this folder. Raises `ConfigurationError` with everything that is wrong."""
    faults: list[Fault] = []
    parts: dict[str, Section] = {}
    for name, kind in FILES.items():
        file = folder / name
        try:
            parts[name] = kind.model_validate(read_toml(file))
        except ValidationError as error:
            faults += errors_of(error, str(file))
        except UNREADABLE as error:
            faults.append(unreadable(file, error))
    faults += [Fault(str(entry), "", "unknown file") for entry in _unknown(folder)]
    if not faults:
        settings = PokerSettings(parts)
        faults = [Fault(str(folder / file), key, reason) for file, key, reason in _contradictions(settings)]
        if not faults:
            return settings
    raise ConfigurationError(faults)


def _unknown(folder: Path) -> list[Path]:
    """A file with a misspelt name would otherwise be ignored in silence."""
    return sorted(file for file in folder.glob("*.toml") if file.name not in FILES)


def _contradictions(settings: PokerSettings) -> Iterator[tuple[str, str, str]]:
    """File, key and reason of everything one file says that another does not know."""
    structures = settings.structures
    for number, stake in enumerate(settings.stakes.values()):
        if stake.seats < settings.room.min_to_start:
            yield "stakes.toml", f"stake.{number}.seats", "no hand could start: min_to_start of room.toml is above it"
    for number, sng in enumerate(settings.sit_and_gos.sng):
        key = f"sng.{number}"
        if sng.structure not in structures.structures:
            yield "sng.toml", f"{key}.structure", f"there is no structure {sng.structure}"
        if sng.prizes is None:
            yield from _impossible_satellite(settings, key, sng)
            continue
        shares = settings.payouts.tables.get(sng.prizes)
        if shares is None:
            yield "sng.toml", f"{key}.prizes", f"payouts.toml has no table {sng.prizes}"
        elif len(shares) > sng.seats:
            yield "sng.toml", f"{key}.prizes", "more places are paid than there are seats"
    yield from _impossible_products(settings)
    for key, reason in settings.schedule.contradictions():
        yield "schedule.toml", key, reason
    for number, tournament in enumerate(settings.schedule.tournament):
        yield from _impossible_terms(settings, f"tournament.{number}", tournament)


def _impossible_products(settings: PokerSettings) -> Iterator[tuple[str, str, str]]:
    levels = settings.structures.levels
    for number, row in enumerate(settings.product_rows):
        if row.levels not in levels:
            yield "hexapro.toml", f"product.{number}.levels", f"there are no levels {row.levels}"
            continue
        for place, prize in enumerate(row.prizes):
            if prize.stack < levels[row.levels].levels[0].big_blind:
                yield "hexapro.toml", f"product.{number}.prizes.{place}.stack", "it is below the first big blind"


def _impossible_satellite(settings: PokerSettings, key: str, sng: SitAndGo) -> Iterator[tuple[str, str, str]]:
    """A Sit & Go whose prizes are entries of a tournament pays for at least one of them."""
    target = settings.schedule.by_id.get(sng.satellite_to or "")
    if target is None:
        yield "sng.toml", f"{key}.satellite_to", f"there is no tournament {sng.satellite_to}"
        return
    for buy_in in sng.buy_ins:
        if target.total <= buy_in.total:
            yield "sng.toml", f"{key}.satellite_to", f"{target.id} must cost more than {buy_in.total}"
        elif sng.seats * buy_in.pool < target.total:
            yield "sng.toml", f"{key}.buy_ins", f"{sng.seats} entries of {buy_in.total} pay for no entry of {target.id}"


def _impossible_terms(settings: PokerSettings, key: str, row: TournamentRow) -> Iterator[tuple[str, str, str]]:
    if row.structure not in settings.structures.structures:
        yield "schedule.toml", f"{key}.structure", f"there is no structure {row.structure}"
    elif row.prizes and row.prizes not in settings.payouts.tables:
        yield "schedule.toml", f"{key}.prizes", f"payouts.toml has no table {row.prizes}"
    else:
        try:
            terms = settings.tournament_terms(row, row.id, 0)
        except ValueError as error:
            yield "schedule.toml", key, str(error)
            return
        ends = {
            "late_levels": row.late_levels,
            "rebuy.levels": row.rebuy.levels if row.rebuy else 0,
            "flight_ends_level": row.flight_ends_level or 0,
        }
        last = len(terms.structure.levels)
        for name, level in ends.items():
            if level >= last:
                yield "schedule.toml", f"{key}.{name}", f"level {last} is the last of {row.structure} and never ends"
