"""`casino fair`: checks the fairness proof of one machine-dealt round, from the database or from a file."""

import json
from pathlib import Path
from typing import Any, Final

from casino.cli.context import Books, on_existing_database, stop
from casino.cli.operator import refusals_printed
from casino.cli.verify import keys_of
from casino.history.fairness import read_proof
from casino.live_table.shoe import Seal
from casino.storage.database import Database
from casino.uth.fairness import MalformedProofError, cards_missing, faults_in
from casino.verify.round_signatures import round_signature_faults
from casino.wire.fairness_proofs import FairnessProof

EXIT_UNFAIR: Final = 1
NO_CARDS: Final = "The proof lists no card settled on. It shows nothing about the cards of the round."
VERDICTS: Final = {
    1: """FAIR  The cards settled on are the top of the committed deck.
  A proof of version 1 shows that the deck was fixed before betting, and nothing else: the house chose the deck alone,
  without seeds of players, and the commitment names neither round nor table. Compare it with the one you saw.""",
    2: "FAIR  The cards settled on follow from the committed seeds.",
}
"""By commitment version."""


def check_stored(books: Books, round_id: str, *, as_json: bool) -> int:
    """The exit code: 0 if the cards settled on follow from the committed seeds."""
    keys = keys_of(books)
    unseal = Seal(keys[0]).open_shoe if keys else _sealed

    async def work(database: Database, _may_write: bool) -> tuple[FairnessProof, list[str] | None]:  # noqa: FBT001
        async with database.reading() as connection:
            proof = await read_proof(connection, round_id, unseal)
            return proof, await round_signature_faults(connection, round_id, keys)

    with refusals_printed():
        proof, forged = on_existing_database(books, work)
    if forged is None and not as_json:
        print(f"hmac: not checked ({'the books name another key, or none' if keys else 'no key'})")
    return _report(proof, forged or [], as_json=as_json)


def _sealed(_shoe: str) -> None:
    """Only rounds of commitment version 1 need the key."""


def check_file(file: Path, *, as_json: bool) -> int:
    """The same for a proof in a file, as `GET /api/fairness/ROUND_ID` and `--json` give it. Needs no database."""
    try:
        proof = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        stop(f"{file} cannot be read as JSON: {error}")
    except RecursionError:
        stop(f"{file} cannot be read as JSON: it is nested too deeply")
    return _report(proof, [], as_json=as_json)


def _report(proof: Any, forged: list[str], *, as_json: bool) -> int:  # noqa: ANN401  whatever a file holds
    try:
        faults = [*faults_in(proof), *forged]
        if not proof["dealt"]:
            faults.append(NO_CARDS)
    except MalformedProofError as error:
        stop(str(error))
    if as_json:
        print(json.dumps(proof | {"fair": not faults, "faults": faults, "cards_missing": cards_missing(proof)}))
    else:
        print(_text(proof, faults))
    return EXIT_UNFAIR if faults else 0


def _text(proof: dict[str, Any], faults: list[str]) -> str:
    lines = [f"Round {proof['round_id']} at table {proof['table_id']}, commitment version {proof['version']}"]
    lines.append(f"  commitment   {proof['commitment']}")
    if proof["version"] == 1:
        lines.append(f"  secret       {proof['secret']}")
    else:
        lines.append(f"  server seed  {proof['server_seed']}")
        lines += [f"  seed         {one['player']}: {one['seed']}" for one in proof["seeds"]]
    lines.append(f"  deck         {' '.join(proof['deck'])}")
    lines.append(f"  settled on   {' '.join(proof['dealt']) or 'no card'}")
    lines += [f"UNFAIR  {fault}" for fault in faults if fault != NO_CARDS]
    lines += [f"NOT SHOWN  {fault}" for fault in faults if fault == NO_CARDS]
    if not faults and (missing := cards_missing(proof)):
        why = "the round was cancelled before they were dealt, or the proof is cut short"
        lines.append(f"  {missing} CARDS MISSING: {why}")
    return "\n".join([*map(_printable, lines), *([] if faults else [VERDICTS[proof["version"]]])])


def _printable(text: str) -> str:
    """Escapes control characters: a proof comes from a stranger and must not command the terminal."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
