"""What is generated from the messages is fresh, whole and right."""

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from casino.errors import Code
from casino.sockets import outgoing
from casino.sockets.protocol import __main__ as command
from casino.sockets.protocol.codes import MEANINGS
from casino.sockets.protocol.document import document
from casino.sockets.protocol.examples import ACKS, SENT, TOLD_IN
from casino.sockets.protocol.shapes import NAMESPACES, Namespace
from casino.sockets.protocol.typescript import type_of, typescript


def test_generated_files_are_fresh() -> None:
    assert command.stale() == []
    assert command.main(["--check"]) == 0


def test_stale_file_is_named_and_fails_the_check_until_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "protocol.ts"
    monkeypatch.setattr(command, "PROJECT", tmp_path)
    monkeypatch.setattr(command, "GENERATED", {old: typescript})
    assert command.main(["--check"]) == 1
    assert "protocol.ts is stale" in capsys.readouterr().err
    old.write_text(typescript() + "\n")
    assert command.main(["--check"]) == 1
    assert command.main([]) == 0
    assert command.main(["--check"]) == 0
    assert command.main(["--other"]) == 2


@pytest.mark.parametrize("namespace", NAMESPACES, ids=lambda namespace: str(namespace.name))
def test_every_event_has_an_acknowledgement_and_an_example_that_is_valid(namespace: Namespace) -> None:
    for name, model in namespace.sent.items():
        holds(model, SENT[namespace.name][name])
    for name, model in namespace.told.items():
        holds(model, TOLD_IN[namespace.name][name])
    for model in namespace.acks.values():
        holds(model, ACKS[model.__name__])


def holds(model: type[BaseModel], example: object) -> None:
    model.model_validate_json(json.dumps(example))


def test_refusals_are_documented_to_the_last_code() -> None:
    holds(outgoing.Refused, ACKS["Refused"])
    assert set(MEANINGS) == set(Code)


def test_every_link_of_the_document_leads_somewhere() -> None:
    text = document()
    headings = {heading.strip("`").lower() for heading in re.findall(r"^### (.+)$", text, re.MULTILINE)}
    assert set(re.findall(r"\(#([^)]+)\)", text)) <= headings


def test_schema_that_is_not_understood_is_an_error_and_never_any() -> None:
    with pytest.raises(ValueError, match="no TypeScript is known"):
        type_of({"type": "object", "additionalProperties": True})
    assert "any" not in re.findall(r": (\w+)", typescript())
