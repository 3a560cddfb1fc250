"""A mutant in place of a module that is already imported.

Code objects and default values are exchanged inside the existing functions and methods, so that every module that
imported one of them by name runs the mutant, too.
"""

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any


def patch(module: ModuleType, tree: ast.Module) -> None:
    """Let the imported module behave as the mutant."""
    fresh: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, str(module.__file__), "exec"), fresh)  # noqa: S102  the project's own code with one fault
    _patch_namespace(vars(module), fresh, vars(module).__setitem__)
    for function in _cached(vars(module)):
        function.cache_clear()


def _patch_namespace(old: Mapping[str, Any], new: Mapping[str, Any], put: Callable[[str, Any], None]) -> None:
    for name, value in new.items():
        before = old.get(name)
        if isinstance(before, type) and isinstance(value, type) and before.__module__ == value.__module__:
            if before is not value:
                _patch_class(before, value)
        elif (old_function := _function(before)) is not None and (new_function := _function(value)) is not None:
            _patch_function(old_function, new_function)
        elif not name.startswith("__"):
            put(name, value)


def _patch_class(old: type, new: type) -> None:
    for name, value in vars(new).items():
        function, before = _function(value), _function(vars(old).get(name))
        if function is not None and before is not None:
            _patch_function(before, function)
        elif isinstance(value, int | tuple) and not name.startswith("__"):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(old, name, value)


def _patch_function(old: FunctionType, new: FunctionType) -> None:
    if old is not new and old.__code__.co_freevars == new.__code__.co_freevars:
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__


def _function(value: object) -> FunctionType | None:
    """The plain function in a function, property, class method or cache."""
    for inner in (value, getattr(value, "fget", None), getattr(value, "__func__", None), _wrapped(value)):
        if isinstance(inner, FunctionType):
            return inner
    return None


def _wrapped(value: object) -> object:
    return getattr(value, "__wrapped__", None)


def _cached(namespace: Mapping[str, Any]) -> Iterator[Any]:
    return (value for value in namespace.values() if hasattr(value, "cache_clear"))
