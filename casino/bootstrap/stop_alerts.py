"""Escalation of stopped tables: a webhook call for every incident that stays open longer than the configured time."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from casino.clock import Clock
from casino.observability.webhook import call_webhook
from casino.settings.service import Alerts
from casino.wire.floor import FloorTable

LOOK_SECONDS: Final = 1.0
AGAIN_MS: Final = 10_000
"""A call that failed is repeated so late, until it succeeds or the table is resumed."""
CALL_SECONDS: Final = 5.0

_log = structlog.get_logger()


class StopAlerts:
    def __init__(self, settings: Alerts, floor: Callable[[], Sequence[FloorTable]], clock: Clock) -> None:
        self._settings = settings
        self._floor = floor
        self._clock = clock
        self._due_ms: dict[str, int | None] = {}  # by incident; None once it was sent

    async def run(self) -> None:
        """Runs until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._check()
            except Exception as error:  # noqa: BLE001  the next look finds every table that is still stopped
                _log.warning("stop_alerts_failed", exc_info=error)

    async def _check(self) -> None:
        """A practice table has a simulated manager."""
        stopped = {
            f"{table['table_id']} {table['paused']['incident_id']}": table
            for table in self._floor()
            if table["paused"] and not table["practice"]
        }
        self._due_ms = {
            incident: self._due_ms.get(incident, self._first_ms(table)) for incident, table in stopped.items()
        }
        for incident, table in stopped.items():
            due_ms = self._due_ms[incident]
            if due_ms is not None and self._clock() >= due_ms:
                is_sent = await self._send(table)
                self._due_ms[incident] = None if is_sent else self._clock() + AGAIN_MS

    def _first_ms(self, table: FloorTable) -> int:
        assert table["paused"], "only stopped tables are asked about"
        return table["paused"]["since"] + round(self._settings.stopped_seconds * 1000)

    async def _send(self, table: FloorTable) -> bool:
        paused, incident = table["paused"], table["incident"]
        assert paused, "only stopped tables are reported"
        alert = {
            "event": "table_stopped",
            "table_id": table["table_id"],
            "table": table["name"],
            "game_number": table["game_number"],
            "incident_id": paused["incident_id"],
            "incident_class": incident["incident_class"] if incident else None,
            "title": incident["title"] if incident else None,
            "reason": paused["reason"],
            "presenter": table["presenter"],
            "stopped_at": paused["since"],
            "sent_at": self._clock(),
        }
        failure = await call_webhook(self._settings.webhook, alert, CALL_SECONDS)
        if failure is not None:
            _log.warning("stop_alert_failed", table_id=table["table_id"], failure=failure)
            return False
        _log.info("stop_alert_sent", table_id=table["table_id"], incident_id=paused["incident_id"])
        return True
