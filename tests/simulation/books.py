"""Invariants of the books after a round, computed from the stored rows alone."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from casino.cards.seeded_shuffle import ServerSeed
from casino.uth.fairness import card_at, deck_of
from casino.uth.phases import Phase
from casino.uth.results import results
from tests.chaos.books import NONE_OF, STATUS
from tests.simulation.db_observer import DatabaseObserver


def check_ended_round(
    observer: DatabaseObserver, round_id: str, server_seeds: Mapping[str, ServerSeed]
) -> Iterator[str]:
    yield from check_all(observer)
    round_ = observer.round(round_id)
    status = observer.status(round_id)
    if status not in STATUS.get(round_.phase, {"open"}):
        yield f"round {round_id} is {round_.phase} in the journal and {status} in the books"
    was_corrected = any(event["kind"] == "card_corrected" for event in observer.journal(round_id))
    if round_.commitment:
        server_seed = server_seeds[round_.commitment]
        if round_.server_seed != server_seed.hex:
            yield f"round {round_id} was not revealed, or another seed was"
        deck = deck_of(round_, server_seed)
        fair = tuple(card_at(round_, deck, slot) for slot in round_.slots[: len(round_.cards)])
        if not was_corrected and fair != round_.cards:
            yield f"round {round_id} was dealt {round_.cards}, its seeds lead to {fair}"
    if round_.phase is Phase.IDLE:
        return
    moved = _moved(observer, round_id)
    staked = {player: seat.bets.total for player, seat in round_.seats.items()}
    if moved["in"] != staked:
        yield f"round {round_id}: {dict(moved['in'])} was paid in, {staked} was bet"
    owed = {player: result.returned for player, result in results(round_).items() if result.returned}
    if moved["out"] != owed:
        yield f"round {round_id}: {dict(moved['out'])} was paid out, {owed} is owed"


def check_all(observer: DatabaseObserver) -> Iterator[str]:
    for complaint, query in NONE_OF.items():
        found = observer.rows(query)
        if found:
            yield f"{complaint}: {found}"
    for table_id, rows, last in observer.rows("SELECT table_id, count(*), max(seq) FROM journal GROUP BY table_id"):
        if rows != last:
            yield f"the journal of {table_id} has {rows} rows, the last is number {last}"


def _moved(observer: DatabaseObserver, round_id: str) -> dict[str, Counter[str]]:
    moved: dict[str, Counter[str]] = {"in": Counter(), "out": Counter()}
    rows: list[tuple[Any, ...]] = observer.rows(
        "SELECT p.source, p.destination, p.amount FROM postings p JOIN operations o ON o.id = p.operation_id"
        " WHERE o.round_id = ?",
        round_id,
    )
    for source, destination, amount in rows:
        for way, account in (("in", source), ("out", destination)):
            if account.startswith("player:"):
                moved[way][account.split(":")[1]] += amount
    return moved
