"""Configuration errors, reported with file, key and reason."""

from dataclasses import dataclass

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Fault:
    file: str
    key: str
    reason: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.key, self.reason) if part)


class ConfigurationError(Exception):
    """The start is off; every fault found is in `faults`."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def errors_of(error: ValidationError, file: str) -> list[Fault]:
    """The library's findings in our words. Values are left out: one of them may be a secret."""
    return [Fault(file, _key(item["loc"]), _reason(item)) for item in error.errors()]


def _key(parts: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in parts if part != "[key]")  # the mark of a key that is itself at fault


def _reason(item: object) -> str:
    assert isinstance(item, dict)
    if item["type"] == "extra_forbidden":
        return "unknown key"
    message = str(item["msg"]).removeprefix("Value error, ")
    return message[0].lower() + message[1:]
