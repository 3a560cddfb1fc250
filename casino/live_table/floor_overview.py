"""Overview of a table for managers: the state it publishes, and its problems."""

from collections.abc import Collection

from casino.live_table import hand_over, proposals
from casino.live_table.console import Console
from casino.live_table.table_state import TableState
from casino.settings import TableSettings
from casino.uth.phases import Phase
from casino.wire.floor import Alarm, FloorTable, PublishedState
from casino.wire.player_events import Table
from casino.wire.round_views import pause_view


def published_state(state: TableState, console: Console, summary: Table, consoles: Collection[str]) -> PublishedState:
    """Returns what a table publishes in the directory: the summary for the lobby, and details for staff.

    `consoles` are the names of staff whose console shows the table.
    """
    round_, shift = state.round, state.shift
    return {
        **summary,
        "dealing": console.settings.dealing,
        "phase": round_.phase if round_ else Phase.IDLE,
        "game_number": round_.game_number if round_ else None,
        "started_at": round_.started_ms if round_ else None,
        "paused": pause_view(round_.paused) if round_ else None,
        "expects": round_.expects if round_ else None,
        "incident": console.incident_view(round_),
        "round_id": round_.round_id if round_ else None,
        "proposal": proposals.view(round_, console.settings),
        "hand_over": hand_over.view(shift),
        "is_count_due": console.is_count_due,
        "tips": shift.tips,
        "is_failing": state.is_failing,
        "consoles": sorted(set(consoles)),
    }


def floor_view(table: TableSettings, published: PublishedState) -> FloorTable:
    """Returns the entry of a table in the floor overview, from its published state."""
    return {
        "name": table.name,
        "dealing": table.dealing,
        "hands": table.hands,
        "practice": table.practice,
        "confirm_ms": round(table.seconds.confirm * 1000),
        "chips": list(table.chips.values),
        **published,
        "alarms": _alarms(table, published),
    }


def _alarms(table: TableSettings, published: PublishedState) -> list[Alarm]:
    """Returns alarms, most urgent first: proposal, hand_over, paused, failing, no_presenter, presenter_away, count_due.

    A practice table raises none, since it has a simulated manager, and false alarms train staff to ignore them.
    """
    if table.practice:
        return ["failing"] if published["is_failing"] else []
    presenter, is_open = published["presenter"], published["status"] == "open"
    needs_presenter = table.dealing == "presenter" and is_open
    found: dict[Alarm, bool] = {
        "proposal": published["proposal"] is not None,
        "hand_over": published["hand_over"] is not None,
        "paused": published["paused"] is not None,
        "failing": published["is_failing"],
        "no_presenter": needs_presenter and presenter is None,
        "presenter_away": presenter is not None and presenter not in published["consoles"],
        "count_due": needs_presenter and published["is_count_due"],
    }
    return [alarm for alarm, is_on in found.items() if is_on]
