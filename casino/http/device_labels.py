"""Device labels from the User-Agent header: browser and system, for a person's own list of sessions."""

import re
from typing import Final

LABEL_LENGTH_MAX: Final = 60

_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip
_PRODUCT: Final = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]{0,39}")


def device_label(user_agent: str) -> str:
    """Returns such as `Firefox, Linux`; the product name for a script; empty if there is none."""
    browser = _first(_BROWSERS, user_agent)
    system = _first(_SYSTEMS, user_agent)
    found = ", ".join(part for part in (browser, system) if part)
    if browser:
        return found
    product = _PRODUCT.match(user_agent)
    return product[0].strip()[:LABEL_LENGTH_MAX] if product else ""


def _first(known: tuple[tuple[str, str], ...], text: str) -> str:
    return next((label for mark, label in known if mark in text), "")
