"""Settings of `incidents.toml`: classes of incidents, the presenter's procedure, and the manager's options.

The procedure is data, so that a house changes it without changing the service. Nothing here pauses or cancels.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from casino.settings.base import Section

BUILT_IN: Final = Path(__file__).with_name("incidents.toml")
"""In force where the configuration folder has no such file."""

Sentence = Annotated[str, Field(min_length=1, max_length=300)]
ClassName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]


def _each_once(resolutions: list[str]) -> list[str]:
    if len(set(resolutions)) != len(resolutions):
        raise ValueError("a resolution appears twice")
    if "cancel" not in resolutions:
        raise ValueError("cancel is always possible, so it belongs in the list")
    return resolutions


class IncidentClass(Section):
    title: Annotated[str, Field(min_length=1, max_length=40)]
    situation: Sentence
    steps: Annotated[list[Sentence], Field(min_length=1, max_length=8)]
    may_continue: bool
    count_deck: bool = False
    """The deck is in doubt: it must be counted before betting opens again."""
    change_presenter: bool = False
    """The presenter cannot go on: the round is resumed only with a colleague on shift."""
    resolutions: Annotated[
        list[Literal["correct_card", "resume", "cancel"]], Field(min_length=1), AfterValidator(_each_once)
    ]

    @model_validator(mode="after")
    def _what_cannot_go_on_is_not_resumed(self) -> Self:
        if self.may_continue != ("resume" in self.resolutions):
            raise ValueError("resolutions: a round may be resumed exactly where may_continue is true")
        if "correct_card" in self.resolutions and not self.may_continue:
            raise ValueError("resolutions: in a round that may not continue there is no card to correct")
        return self


class Incidents(Section):
    classes: Annotated[Mapping[ClassName, IncidentClass], Field(min_length=1, max_length=30)]
