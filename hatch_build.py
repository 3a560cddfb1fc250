"""Build hook of the wheel: adds the built pages and the default configuration, which lie outside the package.

An editable install gets neither: it reads both from the checkout, where they change.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = {"web/dist": "casino/shipped/pages", "config": "casino/shipped/config"}


class ShippedFiles(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if not (Path(self.root) / "web" / "dist" / "index.html").is_file():
            raise FileNotFoundError("web/dist/index.html: build the pages first, with `make setup`")
        build_data["force_include"] |= SHIPPED
