"""A table as those see it who watch over the floor: how it stands, and what is wrong there."""

from collections.abc import Collection

from casino.settings import TableSettings
from casino.table.messages import Payload


def floor_view(table: TableSettings, standing: Payload, consoles: Collection[str]) -> Payload:
    """`consoles` are the names of those whose console shows the table now."""
    return {
        "name": table.name,
        "dealing": table.dealing,
        "hands": table.hands,
        "practice": table.practice,
        "confirm_ms": round(table.seconds.confirm * 1000),
        "chips": table.chips.values,
        **standing,
        "consoles": sorted(consoles),
        "alarms": _alarms(table, standing, consoles),
    }


def _alarms(table: TableSettings, standing: Payload, consoles: Collection[str]) -> list[str]:
    """The most urgent first: paused, failing, no_presenter, presenter_away, count_due.

    Practice has a manager of its own: a red table there would teach people not to look.
    """
    if table.practice:
        return ["failing"] if standing["is_failing"] else []
    presenter, is_open = standing["presenter"], standing["status"] == "open"
    needs_presenter = table.dealing == "presenter" and is_open
    found = {
        "paused": standing["paused"] is not None,
        "failing": standing["is_failing"],
        "no_presenter": needs_presenter and presenter is None,
        "presenter_away": presenter is not None and presenter not in consoles,
        "count_due": needs_presenter and standing["is_count_due"],
    }
    return [alarm for alarm, is_on in found.items() if is_on]
