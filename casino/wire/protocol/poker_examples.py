"""Example of every message of the namespace `/poker`, as in `examples.py`."""

from typing import Any, Final

Example = dict[str, Any]

_NOW: Final = 1790000000000
_HAND_ID: Final = "nl10-FUN-7:212"
_AT: Final = {"table_id": "nl10-FUN-7"}
_IN: Final = _AT | {"hand_id": _HAND_ID}
_POOL: Final = {"pool": "nl10:FUN"}
_TOURNAMENT_ID: Final = {"tournament_id": "sng-5b0ac0de99"}
_ENTRY_ID: Final = "e-5b0ac0de5b0ac0de"
_KEY: Final = {"key": "7c1f0a52"}
_PAIR: Final = {"category": "pair", "cards": ["7h", "7c", "As", "Kd", "2s"]}
_BLINDS: Final = {"sb": 5, "bb": 10}

SENT: Final[dict[str, Example]] = {
    "lobby": {},
    "join_pool": _POOL | _KEY | {"buy_in": 1000, "wait_for_bb": True, "auto_top_up": False},
    "sit": _AT | _KEY | {"amount": 1000, "resume": False},
    "leave_pool": _POOL,
    "join": _AT,
    "leave": _AT,
    "act": _IN | {"turn": 3, "action": "raise_to", "amount": 30},
    "pre_act": _IN | {"choice": "call", "price": 30},
    "sit_out": {"table_id": None, "when": "now", "on": True},
    "wait_for_bb": _AT | {"on": False},
    "auto_top_up": _AT | {"on": True},
    "top_up": _AT | _KEY | {"amount": 250},
    "show": _IN | {"cards": ["As"]},
    "register": _TOURNAMENT_ID | _KEY | {"pay": "money", "ticket_id": None, "amount": 0},
    "unregister": _KEY | {"entry_id": _ENTRY_ID},
    "rebuy": _TOURNAMENT_ID | _KEY,
    "add_on": _TOURNAMENT_ID | _KEY,
    "re_enter": _TOURNAMENT_ID | _KEY,
    "decline": _TOURNAMENT_ID,
    "hexa_register": _KEY | {"product": "classic", "buy_in": 100, "games": 3},
    "hexa_cancel": _KEY | {"entry_id": _ENTRY_ID},
    "follow": _TOURNAMENT_ID,
    "unfollow": _TOURNAMENT_ID,
    "report": _IN | {"seat_no": 4, "text": "Seats 4 and 5 fold to each other."},
    "chat": _AT | {"text": "Well played"},
}

_TURN: Final = {
    "no": 3,
    "seat": 2,
    "deadline": _NOW + 15_000,
    "bank_until": _NOW + 30_000,
    "protection_until": None,
}
_TABLE: Final[Example] = _AT | {
    "id": "nl10-FUN-7",
    "pool": "nl10:FUN",
    "tournament": None,
    "name": "NL10 7",
    "game": "nlhe",
    "format": "regular",
    "currency": "FUN",
    "size": 6,
    "blinds": _BLINDS,
    "ante": 0,
    "seats": [
        {
            "no": 2,
            "name": "Ann",
            "stack": 1000,
            "state": "playing",
            "connected": True,
            "bank": 15_000,
            "bounty": 0,
            "since_ms": _NOW,
        }
    ],
    "button": 1,
    "hand_no": 212,
    "next_hand_at": None,
    "next_level_at": None,
    "paused": None,
}
_DEALT: Final = {
    "seat_no": 2,
    "name": "Ann",
    "start": 1000,
    "stack": 970,
    "bet": 0,
    "folded": False,
    "all_in": False,
    "cards": [],
}
_HAND: Final[Example] = _IN | {
    "number": 212,
    "game": "nlhe",
    "root": "9f2c" * 16,
    "started_at": _NOW,
    "positions": {"button": 1, "sb": 2, "bb": 3, "posters": []},
    "posts": [{"seat": 2, "kind": "sb", "amount": 5}, {"seat": 3, "kind": "bb", "amount": 10}],
    "status": "playing",
    "street": "flop",
    "board": ["7h", "7c", "2s"],
    "price": 0,
    "pot": 60,
    "pots": [{"amount": 60, "contenders": [2, 3]}],
    "awards": [],
    "uncalled": None,
    "rake": 0,
    "seats": [_DEALT, _DEALT | {"seat_no": 3, "name": "Bo"}],
    "seq": 4711,
    "server_time": _NOW,
    "turn": _TURN,
}
_CARDS: Final[Example] = _IN | {"seat_no": 2, "cards": ["As", "Kd"], "hand": _PAIR}
_OPTIONS: Final[Example] = _IN | {
    "turn": 3,
    "fold": True,
    "check": True,
    "call": None,
    "raise": {"min": 10, "max": 970, "presets": [{"name": "1/2", "amount": 30}, {"name": "pot", "amount": 60}]},
    "deadline": _NOW + 15_000,
    "bank_until": _NOW + 30_000,
    "protection_until": None,
}
_SEAT: Final[Example] = (
    _AT
    | _POOL
    | {
        "seat_no": 2,
        "state": "playing",
        "stack": 970,
        "owes": 0,
        "bank": 15_000,
        "wait_for_bb": True,
        "auto_top_up": False,
        "sit_out_next_bb": False,
        "sit_out_until": None,
        "pre_action": "none",
        "place": None,
        "missing": None,
        "min": 1,
        "max": 30,
        "amounts": [],
        "until": None,
        "reason": None,
    }
)
_LOBBY: Final[list[Example]] = [
    _POOL
    | {
        "stake": "nl10",
        "currency": "FUN",
        "game": "nlhe",
        "format": "regular",
        "blinds": _BLINDS,
        "seats": 6,
        "buy_in_min": 500,
        "buy_in_max": 1000,
        "permille": 35,
        "cap": 100,
        "tables": 7,
        "players": 38,
        "waiting": 2,
        "average_pot": 142,
        "hands_per_hour": 74,
    }
]
_LEVEL: Final = {"number": 3, "sb": 20, "bb": 40, "ante": 0}
_TOURNAMENT: Final[Example] = _TOURNAMENT_ID | {
    "kind": "sng",
    "source": "sng-5-1000-eur",
    "name": "Sit & Go, five players",
    "game": "nlhe",
    "currency": "EUR",
    "seats": 5,
    "price": {"pool": 950, "bounty": 0, "fee": 50, "total": 1000},
    "status": "running",
    "registration_opens_at": _NOW,
    "starts_at": None,
    "is_registration_open": False,
    "late_levels": 0,
    "late_registration_until": None,
    "structure": "sng",
    "level_minutes": 5,
    "entries": 5,
    "entries_max": 5,
    "players_left": 4,
    "guarantee": 0,
    "added": 0,
    "prize_pool": 4750,
    "overlay": 0,
    "level": 3,
    "features": ["freezeout"],
}
_OWN_ENTRY: Final[Example] = _TOURNAMENT_ID | {
    "entry_id": _ENTRY_ID,
    "line": None,
    "name": "Sit & Go, five players",
    "status": "playing",
    "table_id": "sng-5b0ac0de99-1",
    "seat_no": 3,
    "chips": 1660,
    "bounty": 0,
    "rank": 3,
    "paid": 1000,
    "won": 0,
    "place": None,
    "can_unregister": False,
    "can_rebuy": False,
    "rebuy_until": None,
    "can_add_on": False,
    "can_reenter": False,
}
_HEXA_LINE: Final[Example] = {
    "line": "classic-100-eur",
    "product": "classic",
    "name": "HexaPro Classic",
    "game": "nlhe",
    "currency": "EUR",
    "buy_in": 100,
    "waiting": 2,
    "next_game": 112,
    "commitment": "9f2c" * 16,
}
_TOURNAMENT_VIEW: Final[Example] = {
    "tournament": _TOURNAMENT,
    "server_time": _NOW,
    "started_at": _NOW,
    "level": _LEVEL,
    "next_level": _LEVEL | {"number": 4, "sb": 30, "bb": 60},
    "next_level_at": _NOW + 120_000,
    "next_break_at": None,
    "on_break": False,
    "break_until": None,
    "hand_for_hand": False,
    "places_paid": 2,
    "average_stack": 1875,
    "largest_stack": 2900,
    "smallest_stack": 640,
    "tables": 1,
    "late_registration_until": None,
    "prizes": [
        {"first": 1, "last": 1, "amount": 3088, "ticket": False},
        {"first": 2, "last": 2, "amount": 1662, "ticket": False},
    ],
    "prizes_are_final": True,
    "parameters": {
        "stack": 1500,
        "entries_min": 5,
        "unregister_until": None,
        "reentries_max": 0,
        "rebuy": None,
        "addon": None,
        "bounty": None,
        "multi_buy_in": None,
        "ticket_value": 0,
        "seats_guaranteed": 0,
        "target": None,
        "flight_ends_level": None,
        "is_phase_two": False,
        "requirements": [],
        "sync_breaks": False,
        "break_minutes": 5,
    },
    "hexa": None,
    "own": None,
}

EMITTED: Final[dict[str, Example]] = {
    "poker_table": _TABLE,
    "hand": _HAND,
    "step": _IN
    | {
        "kind": "acted",
        "pot": 90,
        "pots": [{"amount": 90, "contenders": [2, 3]}],
        "at": _NOW,
        "seat": 2,
        "action": "raise_to",
        "paid": 30,
        "to": 30,
        "stack": 940,
        "all_in": False,
        "seq": 4712,
        "server_time": _NOW,
        "turn": _TURN | {"no": 4, "seat": 3},
    },
    "cards": _CARDS,
    "options": _OPTIONS,
    "hand_over": _IN
    | {
        "net": 58,
        "stack": 1058,
        "available": 9000,
        "proofs": [{"index": 0, "card": "As", "salt": "5b0a" * 16, "path": ["c0de" * 16] * 6}],
        "history": f"/api/poker/hands/{_HAND_ID}",
    },
    "seat": _SEAT,
    "lobby": {"pools": _LOBBY, "lines": [_HEXA_LINE], "tournaments": [_TOURNAMENT]},
    "tournament": _TOURNAMENT_VIEW,
    "tournament_news": _TOURNAMENT_ID
    | {
        "kind": "prize",
        "entry_id": _ENTRY_ID,
        "place": 2,
        "amount": 1662,
        "until": None,
        "table_id": None,
        "text": "You finished in place 2.",
    },
    "moved_table": _TOURNAMENT_ID
    | {"from_table_id": None, "table_id": "sng-5b0ac0de99-1", "seat_no": 3, "reason": "start"},
    "hexa": {
        "tournament_id": "hexapro-5b0ac0de99",
        "line": "classic-100-eur",
        "product": "classic",
        "game_no": 111,
        "buy_in": 100,
        "multiplier": 10,
        "number": 3005,
        "secret": "5b0a" * 16,
        "commitment": "9f2c" * 16,
        "prizes": [1000],
        "stack": 500,
        "level_minutes": 3,
        "first_hand_at": _NOW + 8_000,
        "table_id": "hexapro-5b0ac0de99-1",
    },
    "chat": _AT | {"from": "Ann", "role": "player", "text": "Well played", "at": _NOW, "code": None},
    "notice": _AT
    | {
        "level": "warning",
        "code": "hand_void",
        "text": "The server was restarted. If a hand was running, it is void: all stacks are as at its start.",
    },
    "moved": _AT,
}

ACKS: Final[dict[str, Example]] = {
    "PokerLobby": {
        "ok": True,
        "pools": _LOBBY,
        "lines": [_HEXA_LINE],
        "tournaments": [_TOURNAMENT],
        "seats": [_SEAT],
        "entries": [_OWN_ENTRY],
        "kept": [],
    },
    "RegisteredAck": {"ok": True, "entry_id": _ENTRY_ID, "available": 9000},
    "UnregisteredAck": {"ok": True, "returned": "money", "available": 10_000},
    "HexaRegisteredAck": {"ok": True, "entries": [_ENTRY_ID], "available": 9700},
    "HexaCancelledAck": {"ok": True, "available": 9800},
    "ChipsBoughtAck": {"ok": True, "entry_id": _ENTRY_ID, "stack": 3000, "available": 8000},
    "TournamentView": {"ok": True} | _TOURNAMENT_VIEW | {"own": _OWN_ENTRY},
    "PoolJoined": {
        "ok": True,
        "status": "reserved",
        **_POOL,
        **_AT,
        "seat_no": 2,
        "min": 1000,
        "max": 2410,
        "reserved_until": _NOW + 20_000,
    },
    "SatDown": {"ok": True, "seat_no": 2, "stack": 1000, "available": 9000},
    "PokerJoined": {
        "ok": True,
        "table": _TABLE,
        "hand": _HAND,
        "seat": _SEAT,
        "cards": _CARDS,
        "options": _OPTIONS,
        "available": 9000,
        "chat": [],
    },
    "SeatLeft": {"ok": True, "stack": 970, "available": 9000, "after_hand": True},
    "Acted": {"ok": True, "turn": 3, "paid": 30, "stack": 940},
    "SatOut": {"ok": True, "sitting_out": True, "until": _NOW + 600_000},
    "ToppedUp": {"ok": True, "stack": 1000, "after_hand": True, "available": 8750},
}
