"""Generated protocol files: current, complete and correct."""

import re
from collections import Counter
from pathlib import Path

import pytest

from casino.errors import Code
from casino.wire import events
from casino.wire.protocol import __main__ as command
from casino.wire.protocol.codes import MEANINGS
from casino.wire.protocol.document import document
from casino.wire.protocol.examples import ACKS, EMITTED_IN, SENT
from casino.wire.protocol.schemas import NAMESPACES, Namespace
from casino.wire.protocol.typescript import type_of, typescript
from tests.wire.validation import holds, holds_reply


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
    for name, model in namespace.emitted.items():
        holds(model, EMITTED_IN[namespace.name][name])
    for model in namespace.acks.values():
        holds_reply(model, ACKS[model.__name__])


def test_refusals_are_documented_to_the_last_code() -> None:
    holds(events.Refused, ACKS["Refused"])
    assert set(MEANINGS) == set(Code)


def test_every_link_of_the_document_leads_somewhere() -> None:
    text = document()
    headings = Counter(heading.strip("`").lower() for heading in re.findall(r"^### (.+)$", text, re.MULTILINE))
    anchors = {f"{name}-{number}" if number else name for name, times in headings.items() for number in range(times)}
    assert set(re.findall(r"\(#([^)]+)\)", text)) <= anchors


def test_link_to_a_shape_leads_to_its_section_also_where_namespaces_share_names() -> None:
    text = document()
    assert "[Seat](#seat)" in text
    assert "[PokerSeat](#seat-1)" in text
    sections = [heading for heading in re.findall(r"^### (.+)$", text, re.MULTILINE) if heading.strip("`") == "seat"]
    assert len(sections) == 2


def test_schema_that_is_not_understood_is_an_error_and_never_any() -> None:
    with pytest.raises(ValueError, match="no TypeScript is known"):
        type_of({"type": "object", "additionalProperties": True})
    assert "any" not in re.findall(r": (\w+)", typescript())
