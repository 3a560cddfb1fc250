"""Descriptions of the routes of the poker room."""

from typing import Final

from casino.history.finished_tournaments import PAGE_MAX as FINISHED_MAX
from casino.history.poker_hands import PAGE_MAX
from casino.history.tournament_results import PAGE_MAX as RESULTS_MAX
from casino.http import poker_floor, request_body, tournament_floor, tournaments
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
            QueryParameter("speed", {"type": "string", "pattern": "^[a-z0-9-]{0,40}$"}, "The name of a structure."),
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
    "GET /api/poker/tournaments/{tournament_id}/players": Described(
        "Its players by chips, then by places.",
        query=(QueryParameter("search", {"type": "string"}, "A part of their names."),),
    ),
    "POST /api/poker/tournaments/{tournament_id}/register": Described(
        "Enter a tournament, late or again too, as the message `register`.",
        takes=tournaments.ToRegister,
        refuses=(403, 409),
    ),
    "POST /api/poker/tournaments/{tournament_id}/unregister": Described(
        "Take an own entry back, as the message `unregister`.", takes=tournaments.ToUnregister, refuses=(409,)
    ),
    "GET /api/poker/tournaments/{tournament_id}/prizes": Described("Its prizes, as if registration closed now."),
    "GET /api/poker/tournaments/{tournament_id}/tables": Described("Its tables with largest and smallest stacks."),
    "GET /api/poker/tournaments/{tournament_id}/structure": Described("Its blind levels."),
    "GET /api/poker/finished-tournaments": Described(
        "Scheduled tournaments that are over and had entries, latest start first.",
        query=(
            limit(FINISHED_MAX),
            QueryParameter("currency", {"type": "string", "pattern": "^$|^[A-Z]{3}$"}),
            QueryParameter(
                "before",
                {"type": "string", "pattern": "^$|^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$"},
                "Only a value that an earlier page gave as `next`.",
            ),
        ),
    ),
    "GET /api/poker/finished-tournaments/{tournament_id}": Described(
        "Results of a tournament that is over: places, prizes, bounties, structure, and the ICM of its final table.",
        query=(QueryParameter("search", {"type": "string"}, "A part of the names of players."),),
    ),
    "GET /api/poker/entries": Described("Own entries in tournaments that are not over.", refuses=(404,)),
    "GET /api/poker/tickets": Described("Own tickets, newest first, the used ones too."),
    "GET /api/poker/results": Described(
        "Own entries that have ended or were returned, newest first, with the draws of HexaPro games.",
        query=(
            limit(RESULTS_MAX),
            QueryParameter("kind", {"enum": ["", "mtt", "sng", "hexapro"]}),
            QueryParameter("tournament", {"type": "string", "pattern": "^[A-Za-z0-9_-]{0,40}$"}),
            QueryParameter(
                "before",
                {"type": "string", "pattern": "^$|^[0-9]{1,15}-[A-Za-z0-9_-]{1,40}$"},
                "Only a value that an earlier page gave as `next`.",
            ),
        ),
    ),
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
    "GET /api/host/poker/tournaments": Described(
        "Tournaments announced or running, proposals, those that can't go on, and held prizes.", refuses=(404,)
    ),
    "GET /api/host/poker/tournament-templates": Described(
        "What a new tournament can be made of: templates, structures, prize tables and currencies.", refuses=(404,)
    ),
    "POST /api/host/poker/tournament-proposals/{proposal_id}/answer": Described(
        "Announce or reject, as the second manager, a tournament or change above the amount one may promise alone.",
        takes=tournament_floor.ToAnswer,
        refuses=(404, 409),
    ),
    "POST /api/host/poker/tournaments/preview": Described(
        "Preview of a tournament that would be announced.", takes=tournament_floor.ToPreviewTournament, refuses=(404,)
    ),
    "POST /api/host/poker/tournaments": Described(
        "Announce a tournament, or propose it to a second manager above the amount one may promise alone.",
        takes=tournament_floor.ToCreateTournament,
        refuses=(404,),
    ),
    "GET /api/host/poker/tournaments/{tournament_id}": Described(
        "One tournament with its tables, players and what staff have done.", refuses=(404,)
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/change/preview": Described(
        "Preview of a change or delay before the start.", takes=tournament_floor.ToPreviewChange, refuses=(409,)
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/change": Described(
        "Change or delay a tournament before its start.", takes=tournament_floor.ToChangeTournament, refuses=(409,)
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/pause": Described(
        "Stop the level clock; no hand begins, running ones are finished.",
        takes=tournament_floor.ToIntervene,
        refuses=(409,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/resume": Described(
        "The tournament goes on.", takes=tournament_floor.ToIntervene, refuses=(409,)
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/cancel/preview": Described(
        "Preview of the refunds of a cancellation now, by the published case or in full.",
        takes=tournament_floor.ToPreviewCancellation,
        may_be_missing=True,
        refuses=(409,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/cancel": Described(
        "Cancel a tournament by the published cases: running hands are void.",
        takes=tournament_floor.ToIntervene,
        refuses=(409,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/refund": Described(
        "Propose to cancel outside the published cases, with everything the remaining players have paid.",
        takes=tournament_floor.ToIntervene,
        refuses=(409,),
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/refund/answer": Described(
        "Approve or reject the proposal of another person.", takes=tournament_floor.ToAnswer, refuses=(403, 409)
    ),
    "POST /api/host/poker/tournaments/{tournament_id}/disqualify": Described(
        "Take a player's chips out of play after the running hand; prizes not yet credited are held.",
        takes=tournament_floor.ToDisqualify,
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
