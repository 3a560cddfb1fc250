"""Descriptions of all routes: input, output and refusals. The generation fails on a route that is missing here."""

from typing import Final

from casino.finance.export_types import ExportKind, Format, RoundFormat
from casino.finance.overview import By
from casino.finance.poker_rake import RakeBy
from casino.finance.tournament_money import FIGURES
from casino.http import (
    accounts,
    admin,
    cashier,
    corrections,
    finance_requests,
    own_account,
    request_body,
    responsible_gaming,
    second_factor,
)
from casino.http.openapi import export_rows
from casino.http.openapi.described import Described, QueryParameter, limit, text
from casino.http.openapi.poker_routes import POKER, POKER_FLOOR
from casino.users.profile import PersonalSettings
from casino.users.roles import Role

_DAY: Final = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_PLACE: Final = {"type": "string", "pattern": "^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$"}
_PLACE_OR_NONE: Final = {"type": "string", "pattern": "^$|" + _PLACE["pattern"]}
_BEFORE: Final = "Only a value that an earlier page gave as `next`."


_PERIOD: Final = (
    QueryParameter("from", _DAY, "A UTC day, included.", required=True),
    QueryParameter("to", _DAY, "A UTC day, included.", required=True),
    QueryParameter("table", text(40), "One table; empty or left out: all."),
)
_PAGE: Final = QueryParameter("page", {"type": "integer", "minimum": 0, "maximum": 999_999})
_EXPORT: Final = (
    *_PERIOD,
    QueryParameter("format", {"enum": ["", *Format]}, "`json` unless asked otherwise."),
    QueryParameter(
        "money", {"type": "string", "pattern": "^$|^real$|^[A-Z]{3}$"}, "`real`, or one currency; left out: all."
    ),
    QueryParameter("manifest", {"enum": ["true", "false"]}, "`true`: totals and hash of the export instead of it."),
)
_FILES: Final = {
    "text/csv": "A header row, then rows.",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Rows, then totals on a second sheet.",
    "application/vnd.apache.parquet": "One table.",
}

PLAYERS: Final = {
    "POST /api/register": Described(
        "Make a player's account and sign in.",
        takes=accounts.NameAndPassword,
        refuses=(409, 429),
    ),
    "POST /api/login": Described("Sign in.", takes=accounts.SignIn, refuses=(401, 429)),
    "POST /api/guest": Described(
        "Come in without an account, with play money.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(429,),
    ),
    "POST /api/logout": Described("End this session, and its sockets."),
    "GET /api/me": Described("Who one is, and what one has."),
    "POST /api/password": Described(
        "Change your own password; ends every other session.",
        takes=own_account.PasswordChange,
        refuses=(403, 429),
    ),
    "GET /api/sessions": Described("Own sessions, newest first."),
    "DELETE /api/sessions": Described("End every own session but this one."),
    "DELETE /api/sessions/{session_id}": Described("End one own session."),
    "GET /api/second-factor": Described("Whether a second factor is set up, and needed."),
    "POST /api/second-factor/begin": Described(
        "A new secret for an authenticator app; nothing changes until it is confirmed.",
        takes=second_factor.EnrolmentRequest,
        refuses=(429,),
    ),
    "POST /api/second-factor/confirm": Described(
        "Set up the second factor with the first code of the app.",
        takes=second_factor.EnrolmentCode,
        refuses=(409, 429),
    ),
    "POST /api/second-factor/remove": Described(
        "Remove the second factor where the role does not need one.",
        takes=second_factor.RemovalRequest,
        refuses=(404, 429),
    ),
    "GET /api/tables": Described("The lobby."),
    "GET /api/tables/{table_id}": Described("One table, its terms and its exact return."),
    "GET /api/tables/{table_id}/results": Described("How the last rounds ended."),
    "GET /api/history": Described(
        "Own rounds, newest first.",
        query=(limit(200), QueryParameter("before", _PLACE_OR_NONE, _BEFORE)),
    ),
    "GET /api/history/{round_id}": Described("One own round, whole."),
    "GET /api/fairness/{round_id}": Described("The fairness proof of a machine-dealt round that is over. Public."),
    "GET /api/history/{round_id}/advice": Described(
        "Value of each decision of an own round, once it is over.", refuses=(409, 429)
    ),
    "GET /api/settings": Described("The stored settings."),
    "PUT /api/settings": Described("Replace the stored settings, all at once.", takes=PersonalSettings, refuses=(429,)),
    "GET /api/cashier": Described(
        "Own payments, newest first.",
        query=(limit(200), QueryParameter("before", {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"}, _BEFORE)),
    ),
    "POST /api/cashier/deposit": Described(
        "Pay in. The same key with the same amount is the same payment.",
        takes=cashier.AmountAndKey,
        refuses=(409, 429),
    ),
    "POST /api/cashier/withdraw": Described(
        "Pay out. The same key with the same amount is the same payment.",
        takes=cashier.AmountAndKey,
        refuses=(409, 429),
    ),
    "POST /api/cashier/confirm": Described(
        "A payment provider's own word, signed with HMAC-SHA256 in X-Signature.",
        takes=cashier.Word,
        refuses=(401, 404, 409),
    ),
    "GET /api/responsible": Described("Limits and exclusions in force, and their use."),
    "PUT /api/responsible/limits": Described(
        "Set or remove one limit.", takes=responsible_gaming.Limit, refuses=(409, 429)
    ),
    "PUT /api/responsible/reality-check": Described(
        "How often to be reminded of time and result.",
        takes=responsible_gaming.RealityCheck,
        refuses=(409, 429),
    ),
    "POST /api/responsible/reality-check/seen": Described(
        "The reality check was seen.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(409, 429),
    ),
    "POST /api/responsible/time-out": Described(
        "No bet for some days.", takes=responsible_gaming.TimeOut, refuses=(409, 429)
    ),
    "POST /api/responsible/self-exclusion": Described(
        "Self-exclusion for months, or permanently.",
        takes=responsible_gaming.SelfExclusion,
        refuses=(409, 429),
    ),
}

_AUDIT_BEFORE: Final = QueryParameter("before", {"type": "string", "pattern": "^[0-9]{0,15}$"}, _BEFORE)
_AUDIT: Final = (
    QueryParameter("words", text(200), "Plain words: a name, a game number, part of an action or of a reason."),
    QueryParameter("actor", text(80)),
    QueryParameter("action", {"type": "string", "pattern": "^[a-z_]{0,40}$"}),
    QueryParameter("target", text(120), "Part of what it was done to."),
    QueryParameter("from", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
    QueryParameter("to", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
)

HOSTS: Final = {
    "GET /api/host/floor": Described("Every table at a glance, and who is at a console."),
    "GET /api/host/incidents": Described("The error procedure."),
    "GET /api/host/rounds": Described(
        "Find rounds, newest first.",
        query=(
            QueryParameter("game_number", {"type": "string", "pattern": "^$|^[0-9]{2}:[0-9]{2}:[0-9]{2}$"}),
            QueryParameter("table", {"type": "string", "pattern": "^[a-z0-9-]{0,40}$"}),
            QueryParameter("day", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            QueryParameter("player", text(40), "A name or an id."),
            limit(100),
            QueryParameter("before", _PLACE, _BEFORE),
        ),
    ),
    "GET /api/host/tips": Described("The presenter's own tips since midnight UTC, at all tables."),
    "GET /api/host/rounds/{round_id}": Described("One round, with all its players."),
    "GET /api/host/cancellations": Described(
        "Cancelled rounds by table, phase and person; today unless asked otherwise.",
        query=(
            QueryParameter("from", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            QueryParameter("to", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
        ),
    ),
    "GET /api/host/audit": Described("The audit log, newest first.", query=(*_AUDIT, limit(100), _AUDIT_BEFORE)),
    "GET /api/host/audit.csv": Described(
        "Every row of the search.", query=_AUDIT, files={"text/csv": "A header row, then rows."}
    ),
    "GET /api/host/chat": Described(
        "Search the chat archive, blocked messages included, newest first.",
        query=(
            QueryParameter("table", {"type": "string", "pattern": "^[a-z0-9-]{0,40}$"}),
            QueryParameter("player", text(40), "A name or an id."),
            QueryParameter("text", text(200), "Words of the message."),
            QueryParameter("from", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            QueryParameter("to", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            QueryParameter("blocked", {"enum": ["", "true", "false"]}, "`true`: only messages that were refused."),
            limit(100),
            QueryParameter("before", {"type": "string", "pattern": "^$|^[0-9]{15}-[0-9a-f]{12}-[0-9]{8,20}$"}, _BEFORE),
        ),
    ),
    "POST /api/host/rounds/{round_id}/preview": Described(
        "Every balance a correction would move.", takes=corrections.ToPreview, refuses=(409,)
    ),
    "POST /api/host/corrections": Described(
        "Propose to correct a settled round.", takes=corrections.ToPropose, refuses=(404, 409)
    ),
    "GET /api/host/corrections": Described(
        "All proposals, newest first.",
        query=(limit(100), QueryParameter("before", _PLACE, _BEFORE)),
    ),
    "POST /api/host/corrections/{correction_id}/approve": Described(
        "The second person approves: the money moves.",
        takes=corrections.ToApprove,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/host/corrections/{correction_id}/reject": Described(
        "Nothing moves.", takes=corrections.ToReject, refuses=(409,)
    ),
}

ADMIN: Final = {
    "GET /api/admin/users": Described(
        "Users by name; staff, unless a role is asked for.",
        query=(
            QueryParameter("role", {"enum": ["", *Role]}),
            QueryParameter("words", text(200), "Part of the name."),
            QueryParameter("after", text(80), "Only a value that an earlier page gave as `next`."),
            limit(100),
        ),
    ),
    "POST /api/admin/users": Described("Add a user.", takes=admin.NewUser),
    "POST /api/admin/users/{user_id}/password": Described(
        "Set a new password; ends every session of the user.", takes=admin.NewPassword
    ),
    "POST /api/admin/users/{user_id}/role": Described(
        "Change the role of staff; ends every session of the user.", takes=admin.NewRole
    ),
    "POST /api/admin/users/{user_id}/disable": Described(
        "Sign the user out everywhere, and refuse to sign in.", takes=request_body.Nothing, may_be_missing=True
    ),
    "POST /api/admin/users/{user_id}/enable": Described(
        "Let the user sign in again.", takes=request_body.Nothing, may_be_missing=True
    ),
    "POST /api/admin/users/{user_id}/second-factor/reset": Described(
        "Remove the second factor of a user who has lost it.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(409,),
    ),
}

FINANCE: Final = {
    "GET /api/finance/house": Described("Tables of the service, and currencies that are play money."),
    "GET /api/finance/overview": Described(
        "Results compared with the exactly expected ones.",
        query=(*_PERIOD, QueryParameter("by", {"enum": ["", *By]}, "`day` unless asked otherwise.")),
        refuses=(404,),
    ),
    "GET /api/finance/poker/rake": Described(
        "Rake of poker, in minor units.",
        query=(*_PERIOD, QueryParameter("by", {"enum": ["", *RakeBy]}, "`day` unless asked otherwise.")),
        refuses=(404,),
    ),
    "GET /api/finance/poker/tournaments": Described(
        "Money of tournaments: entries, prizes, refunds, fees and what the house paid, in minor units.",
        query=_PERIOD,
        refuses=(404,),
    ),
    "GET /api/finance/poker/hexapro": Described(
        "HexaPro games as drawn against the published odds, by product and currency, in minor units.",
        query=_PERIOD,
        refuses=(404,),
    ),
    "GET /api/finance/poker/hexapro/games": Described(
        "The games behind these figures, by page.",
        query=(
            *_PERIOD,
            QueryParameter("product", text(60)),
            QueryParameter("currency", text(3)),
            QueryParameter("multiplier", text(7)),
            _PAGE,
        ),
        refuses=(404,),
    ),
    "GET /api/finance/poker/tickets": Described("Tickets that can still be used, the oldest first."),
    "GET /api/finance/poker/held": Described("Held prizes of disqualified players."),
    "GET /api/finance/tips": Described("Tips by presenter.", query=_PERIOD, refuses=(404,)),
    "GET /api/finance/refunds": Described("Cancelled rounds.", query=_PERIOD, refuses=(404,)),
    "GET /api/finance/proposals": Described("Proposals about running rounds that wait for a second person."),
    "POST /api/finance/proposals/{proposal_id}/approve": Described(
        "The second person approves: what was proposed happens.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/finance/proposals/{proposal_id}/reject": Described(
        "The round stays paused.", takes=corrections.ToReject, refuses=(409,)
    ),
    "GET /api/finance/cashier": Described("Money in and out.", query=_PERIOD, refuses=(404,)),
    "GET /api/finance/unresolved": Described("Stakes in an escrow account."),
    "GET /api/finance/charity": Described("Forfeited stakes."),
    "GET /api/finance/balance": Described("All accounts by kind."),
    "GET /api/finance/accounts": Described(
        "The accounts behind a line of the trial balance.",
        query=(
            QueryParameter("kind", text(40)),
            QueryParameter("currency", text(3)),
            QueryParameter("owner", text(40)),
            _PAGE,
        ),
    ),
    "GET /api/finance/days": Described("Closed days."),
    "GET /api/finance/open-days": Described("Days that are over and not closed, and months to lock."),
    "GET /api/finance/receivables": Described("Amounts players owe after corrections."),
    "GET /api/finance/requests": Described("Requests that need a second person, open ones first."),
    "POST /api/finance/requests": Described(
        "Request a day close, a month lock, a credit, or a decision about a debt.",
        takes=finance_requests.ToRequest,
        refuses=(404, 409),
    ),
    "POST /api/finance/requests/{request_id}/approve": Described(
        "The second person approves: what was requested happens.",
        takes=corrections.ToApprove,
        may_be_missing=True,
        refuses=(404, 409),
    ),
    "POST /api/finance/requests/{request_id}/reject": Described(
        "Nothing happens.", takes=corrections.ToReject, refuses=(404, 409)
    ),
    "GET /api/finance/rows": Described(
        "Settled seats, page by page, in minor units.",
        export_rows.SettledPage,
        query=(
            *_PERIOD,
            *(QueryParameter(name, text(80)) for name in ("player", "presenter", "currency", "status", "round")),
            _PAGE,
        ),
        refuses=(404,),
    ),
    "GET /api/finance/postings": Described(
        "Postings, page by page, in minor units.",
        export_rows.PostedPage,
        query=(
            *_PERIOD,
            *(QueryParameter(name, text(80)) for name in ("kind", "currency", "round", "account", "event")),
            QueryParameter("figure", {"enum": [*FIGURES]}, "Postings behind this figure of tournaments."),
            _PAGE,
        ),
        refuses=(404,),
    ),
    "GET /api/finance/rounds/{round_id}": Described(
        "Everything about one round in one file, or a copy for one player.",
        query=(
            QueryParameter("format", {"enum": ["", *RoundFormat]}, "`json` unless asked otherwise."),
            QueryParameter(
                "player", text(40), "The id of a player in the round: without other players and names of managers."
            ),
        ),
        files={"text/html": "The same, to read."},
    ),
    **{
        f"GET /api/finance/{what}": Described(
            f"The export of {what}: the same as `casino export`.",
            export_rows.EXPORTS[what],
            query=_EXPORT,
            refuses=(404,),
            files=_FILES,
        )
        for what in ExportKind
    },
}

HEALTH: Final = {
    "GET /healthz": Described("Whether the process answers."),
    "GET /readyz": Described("Whether people can play.", refuses=(503,)),
    "GET /metrics": Described(
        "Figures for Prometheus, shown to some networks only.", files={"text/plain": "Prometheus text."}
    ),
}

ROUTES: Final = {**PLAYERS, **POKER, **HOSTS, **POKER_FLOOR, **ADMIN, **FINANCE, **HEALTH}
NOT_DESCRIBED: Final = frozenset(
    {
        "GET /api/openapi.json",
        "GET /",
        "GET /host",
        "GET /finance",
        "GET /poker",
        "GET /icon.svg",
        "GET /assets/{name}",
        "GET /socket.io/",
        "POST /socket.io/",
        "OPTIONS /socket.io/",
        "* /socket.io/",
    }
)
"""The pages, the sockets (described in `docs/protocol.md`), and this document itself."""
