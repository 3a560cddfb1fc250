"""Invalid messages, generated from the models of valid ones: fields are hostile, missing, or unknown."""

import math
from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st
from pydantic import BaseModel

from casino.wire.protocol.examples import SENT
from tests.live.test_bad_input import ACTIONS, AMOUNTS, CARDS, STRINGS, STRUCTURES, deep

Message = tuple[str, Any]

_EXTRA: Final = ("__proto__", "constructor", "player_id", "available_minor", "role", "", "\x00", "ok", "x" * 500)
DEPTH_MAX: Final = 300
"""What the official client can still encode; `tests/live/test_bad_input.py` sends deeper ones as raw text."""
_NUMBERS: Final = st.one_of(
    st.integers(), st.integers(2**53 - 2, 2**64 + 2), st.floats(), st.sampled_from([math.nan, math.inf, -0.0, 1e308])
)
_TEXTS: Final = st.one_of(
    st.text(max_size=80),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Zl", "Zp"]), min_size=1, max_size=20),
    st.sampled_from([one for one in STRINGS if len(one) <= 5_000]),
)
_LISTED: Final = st.sampled_from([*AMOUNTS, *STRUCTURES, *CARDS, *ACTIONS, deep(100), deep(DEPTH_MAX)])
_NESTED: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)),
    max_leaves=12,
)
HOSTILE: Final = st.one_of(_LISTED, _NUMBERS, _TEXTS, _NESTED)


@st.composite
def messages(
    draw: st.DrawFn, namespace: str, models: Mapping[str, type[BaseModel]], right: Mapping[str, Any]
) -> Message:
    """`right` are values that make sense at this moment, such as the id of a table."""
    event = draw(st.sampled_from(sorted(models)))
    if draw(st.integers(0, 9)) == 0:
        return event, draw(HOSTILE)
    known: dict[str, Any] = SENT[namespace][event]
    message = {name: right.get(name, known.get(name)) for name in models[event].model_fields}
    for name in list(message):
        way = draw(st.integers(0, 9))
        if way < 5:
            continue
        if way == 9:
            del message[name]
        else:
            message[name] = draw(HOSTILE)
    if draw(st.integers(0, 4)) == 0:
        message[draw(st.sampled_from(_EXTRA))] = draw(HOSTILE)
    return event, message
