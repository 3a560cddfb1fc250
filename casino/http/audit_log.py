"""Audit log routes for managers and finance: search by plain words, and download as CSV."""

import csv
import io
from typing import Final

from aiohttp import web
from typing_extensions import TypedDict

from casino.audit import log as audit_log
from casino.audit.reading import Wanted
from casino.audit.search import ReadableRow, readable_page
from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.finance.period import time_text
from casino.http.authorization import SESSION, add_route, only
from casino.http.host import DAY_MS, OFFICE, day_in, limit_in, midnight_ms, query_parameter, words_in
from casino.security.spreadsheet_formulas import neutralize_formulas
from casino.storage.database import Database
from casino.users.roles import Role

EXPORT_ROWS_MAX: Final = 50_000
_PAGE: Final = 200
"""Rows read and written at once: few enough that no bet waits noticeably."""
_COLUMNS: Final = (
    "row", "time_utc", "who", "role", "action", "what", "about", "game_number", "table", "proposed_by", "approved_by",
    "before", "after", "reason", "target",
)  # fmt: skip


class AuditPage(TypedDict):
    rows: list[ReadableRow]
    next: str | None


class AuditRoutes:
    def __init__(self, database: Database, currency: str, clock: Clock) -> None:
        """`currency` is that of the house, for amounts recorded without one."""
        self._database = database
        self._currency = currency
        self._clock = clock

    def add_to(self, app: web.Application) -> None:
        add_route(app, "GET", "/api/host/audit", self.page, OFFICE)
        long = only(Role.MANAGER, Role.FINANCE, takes_long=True)
        add_route(app, "GET", "/api/host/audit.csv", self.download, long)

    async def page(self, request: web.Request) -> AuditPage:
        before, limit = query_parameter(request, "before"), limit_in(request)
        rows = await self._rows(request, None if before is None else int(before), limit)
        following = str(rows[-1]["id"]) if len(rows) == limit and rows[-1]["id"] > 1 else None
        return {"rows": rows, "next": following}

    async def download(self, request: web.Request) -> web.Response:
        """Returns every row of the search, newest first, and records the download."""
        text = io.StringIO(newline="")
        writer, count, before = csv.writer(text), 0, None
        writer.writerow(_COLUMNS)
        while rows := await self._rows(request, before, _PAGE):
            writer.writerows([neutralize_formulas(value) for value in _cells(row)] for row in rows)
            count, before = count + len(rows), rows[-1]["id"]
            if count > EXPORT_ROWS_MAX:
                text_ = f"The search has more than {EXPORT_ROWS_MAX:,} rows. Choose fewer days or more words."
                raise Refusal(Code.BAD_REQUEST, text_)
        user = request[SESSION].user
        entry = audit_log.Entry(user.name, user.role, "audit_export", "audit log", after={"rows": count})
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
        headers = {"Content-Disposition": 'attachment; filename="audit_log.csv"'}
        return web.Response(text=text.getvalue(), content_type="text/csv", charset="utf-8", headers=headers)

    async def _rows(self, request: web.Request, before: int | None, limit: int) -> list[ReadableRow]:
        from_day, to_day = day_in(request, "from"), day_in(request, "to")
        wanted = Wanted(
            actor=query_parameter(request, "actor"),
            action=query_parameter(request, "action"),
            target=query_parameter(request, "target"),
            from_ms=None if from_day is None else midnight_ms(from_day),
            until_ms=None if to_day is None else midnight_ms(to_day) + DAY_MS,
            before=before,
        )
        async with self._database.reading(long_running=True) as connection:
            return await readable_page(connection, wanted, words_in(request, "words"), limit, self._currency)


def _cells(row: ReadableRow) -> list[str]:
    played = row["round"]
    return [
        f"{row['id']}",
        time_text(row["at"]),
        row["actor"],
        row["role"],
        row["action"],
        row["action_text"],
        row["subject"],
        played["game_number"] if played else "",
        played["table_id"] if played else "",
        row["proposed_by"] or "",
        row["approved_by"] or "",
        row["before_text"],
        row["after_text"],
        row["reason"],
        row["target"],
    ]
