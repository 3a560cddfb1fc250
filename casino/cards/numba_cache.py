"""Numba compilation of integer kernels, with a cache on disk. Only this module touches untyped decorators.

Machine code is kept on disk, so that only the first start compiles. A kernel contains the kernels it calls, but
its own file does not change when theirs do; so the folder is named by the content of every file that has kernels
in it, and an old kernel can never answer for new rules.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def sources_digest(package: Path) -> str:
    """A name for the content of every file a kernel may come from."""
    sources = sorted([*package.glob("cards/*.py"), *package.glob("uth/**/*.py")])
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


CACHE_DIR: Final = Path.home() / ".cache" / "casino" / "kernels" / sources_digest(Path(__file__).parent.parent)
numba.config.CACHE_DIR = str(CACHE_DIR)  # type: ignore[attr-defined]


def compiled(kernel: Kernel) -> Kernel:
    """The kernel as machine code, free of the interpreter's lock."""
    return cast("Kernel", numba.njit(cache=True, nogil=True)(kernel))


def over_arrays(function: Kernel) -> Kernel:
    """The same function with its look-up tables as arrays, which is how the compiler wants them."""
    assert isinstance(function, FunctionType)
    tables = {
        name: np.array(value, dtype=np.int16)
        for name, value in function.__globals__.items()
        if isinstance(value, tuple) and value and all(type(entry) is int for entry in value)
    }
    twin: Any = FunctionType(function.__code__, function.__globals__ | tables, function.__name__)
    return cast("Kernel", twin)
