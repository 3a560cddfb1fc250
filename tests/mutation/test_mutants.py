"""The mutants themselves: which faults are made, and that a patched module runs them."""

import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.mutants import mutants_of
from tests.mutation.patching import patch


def faults(source: str) -> list[str]:
    return [mutant.fault for mutant in mutants_of(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a < b -> a <= b", "a < b -> a >= b"]),
        ("a == b != c", ["a == b != c -> a != b != c", "a == b != c -> a == b == c"]),
        ("a + b * c", ["a + b * c -> a - b * c", "b * c -> b // c"]),
        ("a and b", ["a and b -> a or b"]),
        ("not a", ["not a -> a"]),
        ("-a", ["-a -> a"]),
        ("f(3)", ["3 -> 4", "3 -> 2"]),
        ("f(True)", ["True -> False"]),
        ("max(a, b)", ["max -> min"]),
        ("x if a else y", ["x if a else y -> x if not a else y"]),
    ],
    ids=str,
)
def test_faults_of_expressions(source: str, expected: list[str]) -> None:
    assert faults(f"value = {source}") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a", ["return a -> return None"]),
        ("return None", []),
        ("a += b", ["a += b -> pass"]),
        ("raise a", ["raise a -> pass"]),
        ("'documented'", []),
        ("f()", ["f() -> pass"]),
        ("if a: b = c", ["if a: b = c -> if not a: b = c", "b = c -> pass"]),
        ("b = c", []),
        ("b: int = c", []),
    ],
    ids=str,
)
def test_faults_of_statements(body: str, expected: list[str]) -> None:
    assert faults(f"def g(a: x < y) -> x < y:\n    {body}") == expected


def test_every_mutant_is_valid_code_with_one_difference() -> None:
    source = "def g(a):\n    if a < 3 and a:\n        return a + 1\n    return max(a, 2)\n"
    whole = ast.unparse(ast.parse(source))
    found = [ast.unparse(mutant.tree) for mutant in mutants_of(source)]
    assert len(set(found)) == len(found) == 14
    assert whole not in found
    for text in found:
        compile(text, "mutant", "exec")


MODULE = """
from dataclasses import dataclass
from functools import cache

LIMIT = 3

@dataclass(frozen=True, slots=True)
class Box:
    size: int = 5

    @property
    def double(self) -> int:
        return self.size * 2

@cache
def at_most(value):
    return min(value, LIMIT)
"""


def test_a_patched_module_runs_the_mutant_wherever_it_was_imported(tmp_path: Path) -> None:
    path = tmp_path / "boxes.py"
    path.write_text(MODULE)
    sys.modules["boxes"] = module = ModuleType("boxes")
    try:
        module.__file__ = str(path)
        exec(compile(MODULE, str(path), "exec"), vars(module))  # noqa: S102  the text above
        imported, box = module.at_most, module.Box
        assert (imported(9), box().double, box().size) == (3, 10, 5)
        results = set()
        for mutant in mutants_of(MODULE):
            patch(module, mutant.tree)
            results.add((imported(9), box().double, box().size))
            patch(module, ast.parse(MODULE))
        assert {(4, 10, 5), (2, 10, 5), (9, 10, 5), (None, 10, 5), (3, 12, 6), (3, 2, 5), (3, None, 5)} <= results
        assert (3, 10, 5) not in results
    finally:
        del sys.modules["boxes"]
