"""Mutants of a module: one small fault each, made in its syntax tree.

A fault is a swapped or loosened comparison, a number one too large or too small, swapped arithmetic, `and` for `or`,
`min` for `max`, `any` for `all`, a negated condition, a missing negation, `return None`, or a statement left out.
Annotations, decorators and docstrings stay as they are: they decide nothing.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
REMOVABLE: Final = (ast.Expr, ast.AugAssign, ast.Raise, ast.Assert, ast.Continue)
BRANCHES: Final = (ast.If, ast.For, ast.While, ast.With)


@dataclass(frozen=True)
class Mutant:
    """`fault` names the change in words: the original and its replacement as code."""

    line: int
    fault: str
    tree: ast.Module


def mutants_of(source: str) -> Iterator[Mutant]:
    """Every mutant of the source, in the order of its lines."""
    count = sum(len(_faults(node, parent)) for node, parent in _nodes(ast.parse(source)))
    found = [_mutant(source, number) for number in range(count)]
    yield from sorted(found, key=lambda mutant: mutant.line)


def _mutant(source: str, number: int) -> Mutant:
    tree = ast.parse(source)
    for node, parent in _nodes(tree):
        faults = _faults(node, parent)
        if number < len(faults):
            fault = faults[number]
            was = _text(node)
            _Replace(node, fault).visit(tree)
            return Mutant(node.lineno, f"{was} -> {_text(fault)}", ast.fix_missing_locations(tree))
        number -= len(faults)
    raise AssertionError("there is no such mutant")


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:90]


class _Replace(ast.NodeTransformer):
    def __init__(self, node: ast.AST, by: ast.AST) -> None:
        self._node, self._by = node, by

    def visit(self, node: ast.AST) -> ast.AST:
        return self._by if node is self._node else super().visit(node)


Code = ast.expr | ast.stmt
C = TypeVar("C", bound=Code)


def _nodes(tree: ast.AST, parent: ast.AST | None = None) -> Iterator[tuple[Code, ast.AST | None]]:
    """Expressions and statements that decide something, each with its parent."""
    if isinstance(tree, ast.expr | ast.stmt):
        yield tree, parent
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "type_comment", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _nodes(child, tree)


def _faults(node: Code, parent: ast.AST | None) -> list[Code]:
    return _statement_faults(node, parent) if isinstance(node, ast.stmt) else _expression_faults(node)


def _expression_faults(node: ast.expr) -> list[Code]:
    match node:
        case ast.Compare(ops=ops):
            swaps = [(place, other) for place, op in enumerate(ops) for other in COMPARISONS[type(op)]]
            return [_with_operator(node, place, other) for place, other in swaps]
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            return [_changed(node, op=ARITHMETIC[type(op)]())]
        case ast.BoolOp(op=op):
            return [_changed(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return [copy.deepcopy(operand)]
        case ast.Constant(value=bool(value)):
            return [_changed(node, value=not value)]
        case ast.Constant(value=int(value)):
            return [_changed(node, value=other) for other in (value + 1, value - 1)]
        case ast.Name(id=name) if name in NAMES:
            return [_changed(node, id=NAMES[name])]
        case ast.IfExp(test=test) if not isinstance(test, ast.Compare):
            return [_changed(node, test=_negated(test))]
    return []


def _statement_faults(node: ast.stmt, parent: ast.AST | None) -> list[Code]:
    match node:
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare):
            return [_changed(node, test=_negated(test))]
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            return [_changed(node, value=ast.Constant(None))]
        case ast.Assign() if isinstance(parent, BRANCHES):
            return [ast.copy_location(ast.Pass(), node)]
    is_removable = isinstance(node, REMOVABLE) and not _is_docstring(node)
    return [ast.copy_location(ast.Pass(), node)] if is_removable else []


def _with_operator(node: ast.Compare, place: int, other: type[ast.cmpop]) -> ast.Compare:
    return _changed(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _changed(node: C, **fields: object) -> C:
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), copy.deepcopy(test))


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
