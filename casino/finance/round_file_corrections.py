"""Corrections of a round for its file: the cards before and after, the people, and what changed for each player."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.finance.round_file_types import ChangedCard, ChangedResult, FiledCorrection
from casino.live_table.journal_replay import Step
from casino.storage.schema import corrections, users
from casino.uth.events import CardCorrected, CardsSwapped, ProposalApproved, RoundCorrected
from casino.uth.results import results
from casino.uth.state import Round


@dataclass(frozen=True, slots=True)
class Decided:
    """Who proposed a correction of the settled round, and who approved it."""

    proposed_by: str
    approved_by: str


@dataclass(slots=True)
class CorrectionNotes:
    """Collects the corrections of a round, event by event."""

    decided: Sequence[Decided]
    noted: list[FiledCorrection] = field(default_factory=list)
    _approved: ProposalApproved | None = None
    _after_settlement: int = 0

    def note(self, step: Step) -> None:
        event, before, after = step.event, step.before, step.after
        if isinstance(event, CardCorrected | CardsSwapped):
            assert before is not None
            approval = self._approved
            proposed_by, approved_by = (event.by, None) if approval is None else (approval.proposed_by, approval.by)
            cards = [*_changed_cards(before, after)]
            self._add(event.at_ms, event.reason, proposed_by, approved_by, cards=cards, results=[])
        elif isinstance(event, RoundCorrected):
            assert before is not None
            known = self.decided[self._after_settlement : self._after_settlement + 1]
            people = (known[0].proposed_by, known[0].approved_by) if known else (event.by, None)
            self._after_settlement += 1
            changed = [*_changed_results(before, after)]
            self._add(event.at_ms, event.reason, *people, cards=[*_changed_cards(before, after)], results=changed)
        self._approved = event if isinstance(event, ProposalApproved) else None

    def _add(
        self,
        at_ms: int,
        reason: str,
        proposed_by: str,
        approved_by: str | None,
        *,
        cards: list[ChangedCard],
        results: list[ChangedResult],
    ) -> None:
        self.noted.append(
            {
                "at": at_ms,
                "reason": reason,
                "proposed_by": proposed_by,
                "approved_by": approved_by,
                "cards": cards,
                "results": results,
            }
        )


async def decided_corrections(connection: AsyncConnection, round_id: str) -> list[Decided]:
    """Returns the people behind each approved correction of the settled round, in order."""
    first, second = users.alias("first"), users.alias("second")
    query = (
        select(first.c.name.label("first"), second.c.name.label("second"))
        .select_from(corrections)
        .join(first, first.c.id == corrections.c.proposed_by)
        .join(second, second.c.id == corrections.c.decided_by)
        .where(corrections.c.round_id == round_id, corrections.c.status == "approved")
        .order_by(corrections.c.decided_ms, corrections.c.id)
    )
    return [Decided(row.first, row.second) for row in await connection.execute(query)]


def _changed_cards(before: Round, after: Round) -> Iterator[ChangedCard]:
    for slot, was, card in zip(before.slots, before.cards, after.cards, strict=False):
        if was != card:
            yield {"slot": slot, "was": was, "card": card}


def _changed_results(before: Round, after: Round) -> Iterator[ChangedResult]:
    was: Mapping[str, int] = {player: result.returned for player, result in results(before).items()}
    for player_id, result in sorted(results(after).items()):
        yield {"player_id": player_id, "returned_before": was[player_id], "returned_after": result.returned}
