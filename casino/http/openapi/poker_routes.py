"""Descriptions of the routes of the poker room."""

from typing import Final

from casino.history.poker_hands import PAGE_MAX
from casino.http import poker_floor, request_body
from casino.http.openapi.described import Described, QueryParameter, limit

_NUMBER: Final = {"type": "string", "pattern": "^[0-9]{0,15}$"}
_DAY: Final = {"type": "string", "pattern": "^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}

POKER: Final = {
    "GET /api/poker/lobby": Described(
        "All pools with their players, of one currency if it is given.",
        query=(QueryParameter("currency", {"type": "string", "pattern": "^$|^[A-Z]{3}$"}),),
        refuses=(404,),
    ),
    "GET /api/poker/tournaments": Described(
        "Tournaments that are announced or running. Every filter may be left out.",
        query=(
            QueryParameter("currency", {"type": "string", "pattern": "^$|^[A-Z]{3}$"}),
            QueryParameter("type", {"enum": ["", "mtt", "sng"]}),
            QueryParameter("game", {"enum": ["", "nlhe", "plo"]}),
            QueryParameter("status", {"enum": ["", "registering", "running"]}),
            QueryParameter("guaranteed", {"enum": ["", "true", "false"]}),
            QueryParameter("buy_in_min", _NUMBER, "The smallest total, in minor units."),
            QueryParameter("buy_in_max", _NUMBER, "The largest total, in minor units."),
            QueryParameter("from", _NUMBER, "The earliest start, as a time in milliseconds."),
        ),
        refuses=(404,),
    ),
    "GET /api/poker/tournaments/{tournament_id}": Described(
        "One tournament: clock, level, breaks, prizes and numbers of players."
    ),
    "GET /api/poker/tournaments/{tournament_id}/players": Described("Its players by chips, then by places."),
    "GET /api/poker/tournaments/{tournament_id}/prizes": Described("Its prizes, as if registration closed now."),
    "GET /api/poker/tournaments/{tournament_id}/tables": Described("Its tables with largest and smallest stacks."),
    "GET /api/poker/tournaments/{tournament_id}/structure": Described("Its blind levels."),
    "GET /api/poker/entries": Described("Own entries in tournaments that are not over.", refuses=(404,)),
    "GET /api/poker/tickets": Described("Own tickets, newest first, the used ones too."),
    "GET /api/poker/odds": Described("The multipliers of HexaPro products, their chances and the rake, as played."),
    "GET /api/poker/own": Described("Today's own result, and stacks left with lately that decide the next buy-in."),
    "GET /api/poker/hands": Described(
        "Own hands, newest first.",
        query=(
            limit(PAGE_MAX),
            QueryParameter(
                "before",
                {"type": "string", "pattern": "^$|^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$"},
                "Only a value that an earlier page gave as `next`.",
            ),
            QueryParameter(
                "table", {"type": "string", "pattern": "^[A-Za-z0-9_-]{0,40}$"}, "One table; left out: all."
            ),
            QueryParameter(
                "pool", {"type": "string", "pattern": "^$|^[a-z0-9][a-z0-9-]{0,39}:[A-Z]{3}$"}, "One stake."
            ),
            QueryParameter("from", _DAY, "A UTC day, included."),
            QueryParameter("to", _DAY, "A UTC day, included."),
            QueryParameter("outcome", {"enum": ["", "won", "lost", "showdown"]}),
        ),
    ),
    "GET /api/poker/hands/{hand_id}": Described("One own hand as the player saw it, step by step, with proofs."),
    "GET /api/poker/hands/export": Described(
        "Own hands that ended at least a day ago, opponents under names of that sitting only.",
        query=(
            QueryParameter("format", {"enum": ["phh", "ohh"]}, required=True),
            QueryParameter("from", _DAY, "A UTC day, included."),
            QueryParameter("to", _DAY, "A UTC day, included."),
        ),
        files={"application/toml": "PHH, one section a hand.", "text/plain": "OHH, a blank line between hands."},
    ),
}

POKER_FLOOR: Final = {
    "GET /api/host/poker/floor": Described(
        "Every poker table at a glance, and tables that can't go on after a restart, with what to do.", refuses=(404,)
    ),
    "POST /api/host/poker/tables/{table_id}/return_chips": Described(
        "Return the chips of a table that can't go on to its players, and close it.", takes=poker_floor.ToReturn
    ),
    "GET /api/host/poker/reports": Described(
        "Reports of players about others, newest first.",
        query=(limit(100), QueryParameter("before", {"type": "string", "pattern": "^$|^[0-9]{1,15}$"})),
        refuses=(404,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/cancel/preview": Described(
        "Preview of the refunds of a cancellation now, by the published case.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/cancel": Described(
        "Cancel a tournament by the published cases: running hands are void.",
        takes=poker_floor.ToCancel,
        refuses=(409,),
    ),
    "POST /api/host/poker/tables/{table_id}/pause": Described(
        "No hand begins at the table; a running one is finished.", takes=poker_floor.ToPause, refuses=(409,)
    ),
    "POST /api/host/poker/tables/{table_id}/resume": Described(
        "Hands begin again.", takes=poker_floor.ToResume, may_be_missing=True, refuses=(409,)
    ),
    "POST /api/host/poker/tables/{table_id}/void/preview": Described(
        "Preview of the amounts that voiding the running hand would return to each player.",
        takes=request_body.Nothing,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/host/poker/tables/{table_id}/void": Described(
        "Void the hand that the preview named: every stack is as at its start.",
        takes=poker_floor.ToVoid,
        refuses=(409,),
    ),
}
