"""Fairness proof of one round, read from the journal. Public once the round is over."""

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.cards.commitment import Shoe
from casino.live_table.journal_replay import NO_DECISIONS, UnreadableRoundError, rebuild, stored_events
from casino.refusals import Reason
from casino.storage.schema import rounds
from casino.uth.state import Round
from casino.wire.fairness_proofs import FairnessProof, proof_of, proof_of_shoe

Unseal = Callable[[str], Shoe | None]
"""Opens the sealed shoe of a round of commitment version 1; None if it was sealed with another key."""


def proof_for(round_: Round, sealed: str | None, unseal: Unseal) -> FairnessProof | None:
    """Returns None while the round is open, for presenter-dealt rounds, and if the secret's key is lost."""
    if not round_.is_over or round_.commitment is None:
        return None
    if round_.commitment_version != 1:
        return proof_of(round_)
    shoe = unseal(sealed) if sealed else None
    return proof_of_shoe(round_, shoe) if shoe else None


async def read_proof(connection: AsyncConnection, round_id: str, unseal: Unseal) -> FairnessProof:
    """Refuses with `not_found`, or with `not_offered` before the round is over."""
    row = (await connection.execute(select(rounds.c.sealed_shoe).where(rounds.c.id == round_id))).first()
    if row is None:
        raise Reason.NO_SUCH_ROUND.refusal()
    try:
        round_ = rebuild(await stored_events(connection, round_id, NO_DECISIONS))
    except UnreadableRoundError:
        raise Reason.ROUND_UNREADABLE.refusal() from None
    if round_.commitment is None:
        raise Reason.DEALT_BY_PRESENTER.refusal()
    if not round_.is_over:
        raise Reason.PROOF_TOO_EARLY.refusal()
    proof = proof_for(round_, row.sealed_shoe, unseal)
    if proof is None:
        raise Reason.PROOF_LOST.refusal()
    return proof
