"""`python -m casino.wire.protocol [--check]`: writes the generated files, or checks that they are current."""

import sys
from pathlib import Path
from typing import Final

from casino.wire.protocol.currencies import currencies
from casino.wire.protocol.document import document
from casino.wire.protocol.refusal_texts import refusal_texts
from casino.wire.protocol.typescript import typescript

PROJECT: Final = Path(__file__).resolve().parents[3]
GENERATED: Final = {
    PROJECT / "web" / "src" / "lib" / "protocol.ts": typescript,
    PROJECT / "web" / "src" / "lib" / "currencies.ts": currencies,
    PROJECT / "web" / "src" / "lib" / "i18n" / "refusals.en.ts": refusal_texts,
    PROJECT / "docs" / "protocol.md": document,
}


def stale() -> list[Path]:
    return [path for path, make in GENERATED.items() if not path.exists() or path.read_text() != make()]


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m casino.wire.protocol [--check]\n")
        return 2
    found = stale()
    for path in found:
        name = path.relative_to(PROJECT)
        if arguments:
            sys.stderr.write(f"{name} is stale: run make protocol\n")
        else:
            path.write_text(GENERATED[path]())
            sys.stdout.write(f"{name} written\n")
    return 1 if arguments and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
