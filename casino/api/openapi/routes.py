"""What every route takes, answers and may refuse. A route that is not written down here fails the generation."""

from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from casino.api import accounts, bodies, cashier, corrections, responsible
from casino.api.openapi import shapes, to_finance, to_hosts, to_players
from casino.finance.asking import Format, RoundFormat, What
from casino.finance.overview import By
from casino.people.profile import PersonalSettings

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A parameter of the query."""

    name: str
    schema: Schema
    about: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """`refuses` are the statuses beyond those that follow from the route: its session, its body, its parameters."""

    about: str
    answers: type[BaseModel] | None = None
    takes: type[BaseModel] | None = None
    may_be_missing: bool = False
    asks: tuple[Asked, ...] = ()
    refuses: tuple[int, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """Media types it may answer instead, and what is in them."""


def _text(longest: int) -> Schema:
    return {"type": "string", "maxLength": longest}


_DAY: Final = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_PLACE: Final = {"type": "string", "pattern": "^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$"}
_PLACE_OR_NONE: Final = {"type": "string", "pattern": "^$|" + _PLACE["pattern"]}
_BEFORE: Final = "Only a value that an earlier page gave as `next`."


def _limit(most: int) -> Asked:
    return Asked("limit", {"type": "integer", "minimum": 1, "maximum": most})


_PERIOD: Final = (
    Asked("from", _DAY, "A UTC day, included.", required=True),
    Asked("to", _DAY, "A UTC day, included.", required=True),
    Asked("table", _text(40), "One table; empty or left out: all."),
)
_PAGE: Final = Asked("page", {"type": "integer", "minimum": 0, "maximum": 999_999})
_EXPORT: Final = (
    *_PERIOD,
    Asked("format", {"enum": ["", *Format]}, "`json` unless asked otherwise."),
    Asked("manifest", {"enum": ["true", "false"]}, "`true`: totals and hash of the export instead of it."),
)
_FILES: Final = {
    "text/csv": "A header row, then rows.",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Rows, then totals on a second sheet.",
    "application/vnd.apache.parquet": "One table.",
}

PLAYERS: Final = {
    "POST /api/register": Described(
        "Make a player's account and sign in.",
        to_players.Welcome,
        accounts.NameAndPassword,
        refuses=(409, 429),
    ),
    "POST /api/login": Described("Sign in.", to_players.Welcome, accounts.NameAndPassword, refuses=(401, 429)),
    "POST /api/guest": Described(
        "Come in without an account, with play money.",
        to_players.Welcome,
        bodies.Nothing,
        may_be_missing=True,
        refuses=(429,),
    ),
    "POST /api/logout": Described("End this session, and its sockets.", to_players.SignedOut),
    "GET /api/me": Described("Who one is, and what one has.", to_players.Me),
    "GET /api/tables": Described("The lobby.", to_players.Lobby),
    "GET /api/tables/{table_id}": Described("One table, its terms and its exact return.", to_players.TableDetails),
    "GET /api/tables/{table_id}/results": Described("How the last rounds ended.", to_players.PastRounds),
    "GET /api/history": Described(
        "Own rounds, newest first.", to_players.History, asks=(_limit(200), Asked("before", _PLACE_OR_NONE, _BEFORE))
    ),
    "GET /api/history/{round_id}": Described("One own round, whole.", to_players.Game),
    "GET /api/history/{round_id}/advice": Described(
        "What each decision of an own round was worth, once it is over.", to_players.Advice, refuses=(409, 429)
    ),
    "GET /api/settings": Described("The stored settings.", PersonalSettings),
    "PUT /api/settings": Described(
        "Replace the stored settings, all at once.", PersonalSettings, PersonalSettings, refuses=(429,)
    ),
    "GET /api/cashier": Described(
        "Own payments, newest first.",
        to_players.CashierPage,
        asks=(_limit(200), Asked("before", {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,40}$"}, _BEFORE)),
    ),
    "POST /api/cashier/deposit": Described(
        "Pay in. The same key with the same amount is the same payment.",
        to_players.Paid,
        cashier.AmountAndKey,
        refuses=(409, 429),
    ),
    "POST /api/cashier/withdraw": Described(
        "Pay out. The same key with the same amount is the same payment.",
        to_players.Paid,
        cashier.AmountAndKey,
        refuses=(409, 429),
    ),
    "POST /api/cashier/confirm": Described(
        "A payment provider's own word, signed with HMAC-SHA256 in X-Signature.",
        to_players.Confirmed,
        cashier.Word,
        refuses=(401, 404, 409),
    ),
    "GET /api/responsible": Described("What one is held to, and how it stands.", to_players.ResponsiblePage),
    "PUT /api/responsible/limits": Described(
        "Set or remove one limit.", to_players.ResponsiblePage, responsible.Limit, refuses=(409, 429)
    ),
    "PUT /api/responsible/reality-check": Described(
        "How often to be told how the evening goes.",
        to_players.ResponsiblePage,
        responsible.RealityCheck,
        refuses=(409, 429),
    ),
    "POST /api/responsible/reality-check/seen": Described(
        "The reality check was seen.",
        to_players.ResponsiblePage,
        bodies.Nothing,
        may_be_missing=True,
        refuses=(409, 429),
    ),
    "POST /api/responsible/time-out": Described(
        "No bet for some days.", to_players.ResponsiblePage, responsible.TimeOut, refuses=(409, 429)
    ),
    "POST /api/responsible/self-exclusion": Described(
        "No bet for months, or for ever.", to_players.ResponsiblePage, responsible.SelfExclusion, refuses=(409, 429)
    ),
}

HOSTS: Final = {
    "GET /api/host/floor": Described("Every table at a glance, and who is at a console.", to_hosts.TheFloor),
    "GET /api/host/incidents": Described("The error procedure.", to_hosts.Procedure),
    "GET /api/host/rounds": Described(
        "Find rounds, newest first.",
        to_hosts.FoundRounds,
        asks=(
            Asked("game_number", {"type": "string", "pattern": "^$|^[0-9]{2}:[0-9]{2}:[0-9]{2}$"}),
            Asked("table", {"type": "string", "pattern": "^[a-z0-9-]{0,40}$"}),
            Asked("day", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            Asked("player", _text(40), "A name or an id."),
            _limit(100),
            Asked("before", _PLACE, _BEFORE),
        ),
    ),
    "GET /api/host/rounds/{round_id}": Described("One round, with everybody in it.", to_hosts.WholeRound),
    "GET /api/host/audit": Described(
        "The audit log, newest first.",
        to_hosts.AuditPage,
        asks=(
            Asked("actor", _text(80)),
            Asked("action", {"type": "string", "pattern": "^[a-z_]{0,40}$"}),
            Asked("target", _text(120), "Part of what it was done to."),
            Asked("from", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            Asked("to", {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            _limit(100),
            Asked("before", {"type": "string", "pattern": "^[0-9]{0,15}$"}, _BEFORE),
        ),
    ),
    "POST /api/host/rounds/{round_id}/preview": Described(
        "Every balance a correction would move.", to_hosts.Moves, corrections.ToPreview, refuses=(409,)
    ),
    "POST /api/host/corrections": Described(
        "Propose to correct a settled round.", to_hosts.Proposed, corrections.ToPropose, refuses=(404, 409)
    ),
    "GET /api/host/corrections": Described(
        "All proposals, newest first.",
        to_hosts.Corrections,
        asks=(_limit(100), Asked("before", _PLACE, _BEFORE)),
    ),
    "POST /api/host/corrections/{correction_id}/approve": Described(
        "The second person approves: the money moves.",
        shapes.Done,
        corrections.ToApprove,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/host/corrections/{correction_id}/reject": Described(
        "Nothing moves.", shapes.Done, corrections.ToReject, refuses=(409,)
    ),
}

FINANCE: Final = {
    "GET /api/finance/house": Described("Which tables there are, and which money is play money.", to_finance.House),
    "GET /api/finance/overview": Described(
        "Results beside the exactly expected ones.",
        to_finance.Overview,
        asks=(*_PERIOD, Asked("by", {"enum": ["", *By]}, "`day` unless asked otherwise.")),
        refuses=(404,),
    ),
    "GET /api/finance/tips": Described("Tips by presenter.", to_finance.Tips, asks=_PERIOD, refuses=(404,)),
    "GET /api/finance/refunds": Described("Cancelled rounds.", to_finance.Refunds, asks=_PERIOD, refuses=(404,)),
    "GET /api/finance/cashier": Described("Money in and out.", to_finance.Flows, asks=_PERIOD, refuses=(404,)),
    "GET /api/finance/unresolved": Described("Stakes that lie in an escrow.", to_finance.Unresolved),
    "GET /api/finance/charity": Described("What was forfeited.", to_finance.Charity),
    "GET /api/finance/balance": Described("All accounts by kind.", to_finance.TrialBalance),
    "GET /api/finance/accounts": Described(
        "The accounts behind a line of the trial balance.",
        to_finance.Accounts,
        asks=(Asked("kind", _text(40)), Asked("currency", _text(3)), Asked("owner", _text(40)), _PAGE),
    ),
    "GET /api/finance/days": Described("Closed days.", to_finance.ClosedDays),
    "GET /api/finance/rows": Described(
        "Settled seats, page by page, in minor units.",
        to_finance.SettledPage,
        asks=(
            *_PERIOD,
            *(Asked(name, _text(80)) for name in ("player", "presenter", "currency", "status", "round")),
            _PAGE,
        ),
        refuses=(404,),
    ),
    "GET /api/finance/postings": Described(
        "Postings, page by page, in minor units.",
        to_finance.PostedPage,
        asks=(*_PERIOD, *(Asked(name, _text(80)) for name in ("kind", "currency", "round", "account")), _PAGE),
        refuses=(404,),
    ),
    "GET /api/finance/rounds/{round_id}": Described(
        "Everything about one round in one file.",
        to_finance.RoundFile,
        asks=(Asked("format", {"enum": ["", *RoundFormat]}, "`json` unless asked otherwise."),),
        files={"text/html": "The same, to read."},
    ),
    **{
        f"GET /api/finance/{what}": Described(
            f"The export of {what}: the same as `casino export`.",
            to_finance.EXPORTS[what],
            asks=_EXPORT,
            refuses=(404,),
            files=_FILES,
        )
        for what in What
    },
}

HEALTH: Final = {
    "GET /healthz": Described("Whether the process answers.", to_players.Health),
    "GET /readyz": Described("Whether people can play.", to_players.Health, refuses=(503,)),
    "GET /metrics": Described(
        "Figures for Prometheus, shown to some networks only.", files={"text/plain": "Prometheus text."}
    ),
}

ROUTES: Final = {**PLAYERS, **HOSTS, **FINANCE, **HEALTH}
NOT_DESCRIBED: Final = frozenset(
    {
        "GET /api/openapi.json",
        "GET /",
        "GET /host",
        "GET /finance",
        "GET /icon.svg",
        "GET /assets/{name}",
        "GET /socket.io/",
        "POST /socket.io/",
        "OPTIONS /socket.io/",
    }
)
"""The pages, the sockets, which `docs/protocol.md` describes, and this document itself."""
