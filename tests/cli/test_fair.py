"""`casino fair`: checks a proof from the database or a file; every forgery ends with exit code 1."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from casino.audit.signing_keys import begin_signing
from casino.cards.card import DECK
from casino.cards.commitment import Shoe, commitment_of
from casino.cards.seeded_shuffle import ServerSeed, commit_to_seed
from casino.cli.main import app
from casino.live_table.journal_replay import load_round
from casino.live_table.messages import Join
from casino.settings import ServiceSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.secret_key import secret_key
from casino.uth.fairness import card_at, deck_of
from tests.cards.fairness_oracle import VECTORS
from tests.live_table.live import live_table
from tests.live_table.stored_rounds import fill_purses
from tests.verify.forging import rechain_journal
from tests.verify.key_forging import stored_forgery

pytestmark = pytest.mark.req("RNG")
VECTOR: dict[str, Any] = json.loads(VECTORS.read_text())[1]["proof"]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["fair", *arguments])
    return result.exit_code, result.stdout + result.stderr


def check(folder: Path, document: object) -> tuple[int, str]:
    file = folder / "proof.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return run("--file", str(file))


def test_a_fair_proof_needs_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = check(tmp_path, VECTOR)
    assert (code, "FAIR  The cards settled on follow" in output) == (0, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["proof.json"], "nothing else was made"


FORGERIES: dict[str, dict[str, Any]] = {
    "commitment": {"commitment": "0" * 64},
    "server_seed": {"server_seed": "1" * 64},
    "seed": {"seeds": [VECTOR["seeds"][0] | {"seed": "unlucky"}]},
    "seed left out": {"seeds": []},
    "deck": {"deck": [VECTOR["deck"][1], VECTOR["deck"][0], *VECTOR["deck"][2:]]},
    "a card settled on": {"dealt": [*VECTOR["dealt"][:8], VECTOR["deck"][20]]},
    "a card left out": {"dealt": VECTOR["dealt"][1:], "slots": VECTOR["slots"][1:]},
    "round": {"round_id": "another"},
    "table": {"table_id": "another"},
}


@pytest.mark.parametrize("forged", FORGERIES.values(), ids=list(FORGERIES))
def test_a_forged_proof_ends_with_exit_code_1(tmp_path: Path, forged: dict[str, Any]) -> None:
    code, output = check(tmp_path, VECTOR | forged)
    assert code == 1
    assert "UNFAIR" in output


def version_1(**changes: object) -> dict[str, object]:
    shoe = Shoe(DECK, "ab" * 16)
    proof = {
        "version": 1,
        "table_id": "uth-1",
        "round_id": "r1",
        "commitment": commitment_of(shoe),
        "secret": shoe.secret,
    }
    return {**proof, "deck": list(DECK), "dealt": list(DECK[:9]), "slots": VECTOR["slots"], **changes}


def test_a_proof_of_version_1_says_what_it_does_not_show(tmp_path: Path) -> None:
    code, output = check(tmp_path, version_1())
    assert code == 0
    assert "follow from the committed seeds" not in output
    assert "without seeds of players, and the commitment names neither round nor table" in output


@pytest.mark.parametrize("seeds", [{"seeds": []}, {"server_seed": "ab" * 32}])
def test_a_round_of_version_2_has_no_proof_of_version_1(tmp_path: Path, seeds: dict[str, object]) -> None:
    code, output = check(tmp_path, version_1(**seeds))
    assert (code, "FAIR" in output) == (2, False)


@pytest.mark.parametrize("version", [VECTOR, version_1()], ids=["2", "1"])
@pytest.mark.parametrize("emptied", [("deck",), ("dealt",), ("dealt", "slots"), ("deck", "dealt", "slots")])
def test_an_emptied_proof_is_not_fair(tmp_path: Path, version: dict[str, Any], emptied: tuple[str, ...]) -> None:
    code, output = check(tmp_path, version | {name: [] for name in emptied})
    assert code == 1
    assert "\nFAIR" not in output


@pytest.mark.parametrize("version", [VECTOR, version_1()], ids=["2", "1"])
def test_a_proof_that_is_cut_short_says_so(tmp_path: Path, version: dict[str, Any]) -> None:
    """A round that was cancelled has such a proof, and so has one whose last cards were left out on purpose."""
    assert "MISSING" not in check(tmp_path, version)[1]
    code, output = check(tmp_path, version | {name: version[name][:7] for name in ("dealt", "slots")})
    assert (code, "  2 CARDS MISSING: the round was cancelled" in output) == (0, True)


@pytest.mark.parametrize("version", [VECTOR, version_1()], ids=["2", "1"])
@pytest.mark.parametrize(
    "name", ["table_id", "round_id", "commitment", "secret", "server_seed", "deck", "dealt", "slots"]
)
@pytest.mark.parametrize("text", ["\x1b]0;FAIR\x07\x1b[2J", "\x9b31m", "\u202e", "\ud800", "a\nFAIR  yes"], ids=ascii)
def test_texts_of_a_proof_do_not_command_the_terminal(
    tmp_path: Path, version: dict[str, Any], name: str, text: str
) -> None:
    if name in version:
        forged = [text, *version[name][1:]] if isinstance(version[name], list) else text
        code, output = check(tmp_path, version | {name: forged})
        assert "Traceback" not in output
        assert all(sign.isprintable() or sign == "\n" for sign in output)
        assert code in {1, 2} or (version["version"] == 1 and "\nFAIR  yes" not in output)


@pytest.mark.parametrize(
    "document",
    [
        "{",
        "[]",
        "5",
        "{}",
        100_000 * "[",
        {"version": 3},
        {"version": []},
        version_1(version=True),
        VECTOR | {"deck": 5},
        VECTOR | {"seeds": [5]},
    ],
)
def test_invalid_proofs_are_refused_in_a_sentence(tmp_path: Path, document: object) -> None:
    code, output = check(tmp_path, document)
    assert code == 2
    assert "Traceback" not in output


async def test_a_played_round_is_checked_from_the_database(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500, seed="mine")
        await table.play_out(betting["round_id"])
    where = ("--database", database_url, "--config", str(tmp_path / "none"))
    code, output = await asyncio.to_thread(run, betting["round_id"], "--json", *where)
    assert code == 0, output
    proof = json.loads(output)
    assert (proof["fair"], proof["commitment"]) == (True, betting["commitment"])
    assert [one["seed"] for one in proof["seeds"]] == ["mine"]
    assert check(tmp_path, proof)[0] == 0
    code, output = await asyncio.to_thread(run, "no-such-round", *where)
    assert (code, output) == (1, "We can't find this round.\n")


async def forge_round(database: Database, round_id: str) -> None:
    """Another server seed, its commitment and its cards, with every link of the journal made to fit again."""
    async with database.reading() as connection:
        round_ = await load_round(connection, round_id)
    seed = ServerSeed("ab" * 32)
    deck = deck_of(round_, seed)
    changes: dict[str, dict[str, str]] = {
        "betting_opened": {"commitment": commit_to_seed(seed, round_.table_id, round_id)},
        "shoe_revealed": {"server_seed": seed.hex},
    }
    async with stored_forgery(database) as tamperer:
        slots = iter(round_.slots)
        for row in await tamperer.now(schema.journal):
            changed = changes.get(row["kind"], {}) if row["round_id"] == round_id else {}
            if row["round_id"] == round_id and row["kind"] == "card_dealt":
                changed = {"card": card_at(round_, deck, next(slots))}
            if changed:
                data = json.dumps(json.loads(row["data"]) | changed)
                await tamperer.change(schema.journal, row, {"data": data})
        await rechain_journal(tamperer, round_.table_id)


@pytest.mark.parametrize("is_signed", [True, False])
async def test_a_round_forged_in_the_database_is_unfair_with_the_key(
    database: Database, database_url: str, tmp_path: Path, *, is_signed: bool
) -> None:
    if is_signed:
        key = secret_key(ServiceSettings(), database_url)
        await begin_signing(database, key, 1, may_replace=False)
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500, seed="mine")
        await table.play_out(round_id)
    where = (round_id, "--database", database_url, "--config", str(tmp_path / "none"))
    code, output = await asyncio.to_thread(run, *where)
    assert (code, "hmac: not checked" in output) == (0, not is_signed)
    await forge_round(database, round_id)
    code, output = await asyncio.to_thread(run, *where)
    assert code == int(is_signed), output
    assert ("UNFAIR  journal:uth-1 row" in output) == is_signed
