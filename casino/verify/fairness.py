"""Verifies every machine-dealt round against the commitment it published: deck and settled cards.

Rounds of commitment version 2 need no key: the journal reveals their server seed. The shoes of version 1 are sealed
with the secret key of their time. Without that key these rounds are counted as not checked.
"""

from collections.abc import Sequence

from casino.live_table.reveal import commits_to_seed
from casino.live_table.shoe import Seal
from casino.uth.fairness import faults_in
from casino.verify.findings import Findings
from casino.verify.round_replay import ReplayedRound
from casino.wire.fairness_proofs import proof_of, proof_of_shoe


class Fairness:
    def __init__(self, findings: Findings, keys: Sequence[str]) -> None:
        self._check = findings.fairness
        self._unchecked = findings.unchecked_rounds
        self._seals = [Seal(key) for key in keys]

    def check(self, replayed: ReplayedRound, sealed_shoe: str | None) -> None:
        """`sealed_shoe` is the column of the round; only version 1 needs it."""
        round_ = replayed.round
        if round_.commitment is None or not round_.is_over:
            return
        faults = _faults(replayed) if commits_to_seed(round_) else self._faults_of_shoe(replayed, sealed_shoe)
        if faults is None:
            return
        self._check.counted += 1
        for fault in faults:
            self._check.fault(f"round {round_.round_id}: {fault}")

    def _faults_of_shoe(self, replayed: ReplayedRound, sealed_shoe: str | None) -> list[str] | None:
        """Returns None if no key is given, or none of those given has sealed this shoe."""
        if not isinstance(sealed_shoe, str):
            return ["it was settled, and its sealed shoe is missing"] if _is_paid(replayed) else []
        if not self._seals:
            self._unchecked["no key"] += 1
            return None
        shoe = next((found for seal in self._seals if (found := seal.open_shoe(sealed_shoe))), None)
        if shoe is None:
            self._unchecked["sealed with another key"] += 1
            return None
        return faults_in(proof_of_shoe(replayed.round, shoe))


def _faults(replayed: ReplayedRound) -> list[str]:
    if not replayed.is_revealed:
        return ["its server seed was never revealed"]
    if replayed.round.server_seed is None:
        return ["it was settled, and its server seed is lost"] if _is_paid(replayed) else []
    try:
        proof = proof_of(replayed.round)
    except ValueError as error:  # not a server seed
        return [f"The revealed server seed is none: {error}."]
    assert proof is not None
    return faults_in(proof)


def _is_paid(replayed: ReplayedRound) -> bool:
    return replayed.status in ("settled", "corrected")
