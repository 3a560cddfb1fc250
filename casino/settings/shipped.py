"""Locations of the files that come with the service: the built pages and the default configuration.

A wheel has them inside the package (`hatch_build.py`); an editable install reads them from the checkout.
"""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_IN_WHEEL: Final = _PACKAGE / "shipped"
_IN_CHECKOUT: Final = _PACKAGE.parent

PAGES: Final = _IN_WHEEL / "pages" if _IN_WHEEL.is_dir() else _IN_CHECKOUT / "web" / "dist"
CONFIG: Final = (_IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT) / "config"
