"""Example of every message for the protocol reference. A test validates each against its model."""

from typing import Any, Final

from casino.wire.protocol import poker_examples

Example = dict[str, Any]

_ROUND_ID: Final = "b3Zq1X0d8mYw2k9L"
_AT: Final = {"table_id": "uth-1"}
_IN: Final = {"table_id": "uth-1", "round_id": _ROUND_ID}
_BETS: Final = {"ante": 500, "blind": 500, "trips": 100, "play": 0}
_PAIR: Final = {"category": "pair", "cards": ["7h", "7c", "As", "Kd", "2s"]}

SENT: Final[dict[str, dict[str, Example]]] = {
    "/table": {
        "join": _AT,
        "leave": _AT,
        "bet": _IN | {"ante": 500, "trips": 100, "seed": "4f6d1c0a92e85b73"},
        "decide": _IN | {"action": "play_2x", "phase": "deciding_flop"},
        "chat": _AT | {"text": "Good evening"},
        "tip": _AT | {"amount": 500, "key": "7c1f0a52"},
        "lobby": {},
    },
    "/host": {
        "watch": _AT,
        "open_table": _AT,
        "close_table": _AT,
        "start_round": _AT,
        "scan": _IN | {"card": "As"},
        "undo_scan": _IN,
        "report_problem": _AT | {"reason": "A card fell to the floor.", "incident_class": "card_dropped"},
        "confirm_cards": _IN,
        "swap_cards": _IN | {"slot": "flop_3", "other_slot": "turn", "reason": "Dealt in the wrong order"},
        "correct_card": _IN | {"slot": "flop_2", "card": "7c", "reason": "Scanned twice"},
        "resume": _AT | {"reason": "The card is back.", "incident_id": "14:13:05-1"},
        "cancel_round": _AT | {"reason": "The deck is not complete."},
        "approve": _AT | {"proposal_id": f"{_ROUND_ID}.1"},
        "reject": _AT | {"proposal_id": f"{_ROUND_ID}.1", "reason": "The video shows nothing wrong."},
        "take_over": _AT,
        "preview_cancel": _AT,
        "set_limits": _AT
        | {"ante_min": 500, "ante_max": 100000, "trips_min": 500, "trips_max": 50000, "reason": "A busy evening"},
        "count_deck": _AT | {"deck": "blue"},
        "count_card": _AT | {"card": "As"},
        "end_count": _AT,
        "say": _AT | {"text": "Place your bets, please."},
        "mute": _AT | {"player_id": "p-1", "minutes": 10, "reason": "Insults", "at": 1790000000000},
        "unmute": _AT | {"player_id": "p-1"},
    },
    "/poker": poker_examples.SENT,
}

_ROUND: Final[Example] = _IN | {
    "seq": 412,
    "server_time": 1790000000000,
    "game_number": "14:13:05",
    "phase": "deciding_flop",
    "deadline": 1790000010000,
    "paused": None,
    "player_cards": ["As", "Kd"],
    "board": ["7h", "7c", "2s"],
    "dealer_cards": [],
    "player_hand": _PAIR,
    "dealer_hand": None,
    "dealer_qualifies": None,
    "players": 3,
    "commitment": "9f2c" * 16,
}
_SEAT: Final[Example] = _IN | {
    "bets": _BETS,
    "decision": "check",
    "automatic": None,
    "options": ["play_2x", "check"],
    "covers_4x": True,
    "hand": _PAIR,
    "seat_no": None,
    "player_cards": ["As", "Kd"],
    "seed": "4f6d1c0a92e85b73",
}
_TABLE: Final[Example] = _AT | {
    "status": "open",
    "presenter": None,
    "players": 5,
    "in_round": 3,
    "left_to_decide": 1,
    "limits": {"ante_min": 100, "ante_max": 50000, "trips_min": 100, "trips_max": 25000},
}
_HOST: Final[Example] = _AT | {
    "round": _ROUND | {"commitment": None},
    "expects": None,
    "totals": {"ante": 1500, "blind": 1500, "trips": 200, "play": 2000},
    "totals_by_currency": [{"ante": 1500, "blind": 1500, "trips": 200, "play": 2000, "currency": "EUR"}],
    "winners": [],
    "winners_total": 0,
    "seats": [
        {
            "seat_no": None,
            "name": "Ann",
            "player_cards": ["As", "Kd"],
            "bets": _BETS,
            "decision": "check",
            "player_id": "p-1",
            "currency": "EUR",
        }
    ],
    "showdown": [],
    "tips": 500,
    "play_tips": 0,
    "presenter": "Bo",
    "status": "open",
    "is_opening": False,
    "left_to_decide": 1,
    "confirm_until": None,
    "incident": None,
    "proposal": None,
    "hand_over": {"proposal_id": "hQ0m3Vt8sY2b1n7Kd", "by": "Per", "asked_at": 1790000000000},
    "ended": {"incident_id": "14:13:05-1", "outcome": "resumed", "by": "Max", "reason": "The card is back."},
    "deck": {
        "name": "",
        "names": [],
        "counted_by": "Bo",
        "counted_at": 1790000000000,
        "rounds_since": 12,
        "count_within_rounds": 0,
        "is_due": False,
        "count": None,
    },
    "limits": {"ante_min": 100, "ante_max": 50000, "trips_min": 100, "trips_max": 25000},
    "next_limits": None,
    "limit_bounds": {"ante_min": 100, "ante_max": 500000, "trips_min": 100, "trips_max": 250000},
    "practice": False,
}
_RESULT: Final[Example] = _IN | {
    "status": "settled",
    "result": "win",
    "spots": {
        "ante": {"bet": 500, "outcome": "win", "returned": 1000},
        "blind": {"bet": 500, "outcome": "push", "returned": 500},
        "trips": {"bet": 100, "outcome": "lose", "returned": 0},
        "play": {"bet": 1000, "outcome": "win", "returned": 2000},
    },
    "staked": 2100,
    "returned": 3500,
    "balance": 101400,
}

_CHAT: Final[Example] = _AT | {
    "from": "Ann",
    "role": "player",
    "text": "Good evening",
    "at": 1790000000000,
    "code": None,
}
_LOBBY: Final[list[Example]] = [
    {
        "id": "uth-1",
        "table_id": "uth-1",
        "name": "Ultimate Texas Hold'em 1",
        "dealing": "auto",
        "hands": "shared",
        "seats": None,
        "language": "en",
        "multi_table": True,
        "limits": _TABLE["limits"],
        "status": "open",
        "players": 5,
        "presenter": None,
    }
]

EMITTED: Final[dict[str, Example]] = {
    "round": _ROUND,
    "seat": _SEAT,
    "result": _RESULT,
    "balance": {"balance": 101400, "available": 101400},
    "chat": _CHAT,
    "notice": _AT
    | {
        "level": "warning",
        "code": "round_cancelled",
        "text": "The round is cancelled and every bet is refunded. Incident 14:13:05-1.",
        "incident_id": "14:13:05-1",
    },
    "table": _TABLE,
    "settings": {
        "chat_shown": True,
        "video_quality": "auto",
        "voice": {"muted": False, "volume": 80},
        "sound": {"muted": True, "volume": 40},
        "view": "immersive",
        "language": "da",
        "reduced_motion": False,
        "trainer": True,
        "decision_keys": False,
    },
    "reality_check": {
        "since": 1790000000000,
        "elapsed": 3600000,
        "staked": 42000,
        "returned": 39500,
        "net": -2500,
    },
    "lobby": {"tables": _LOBBY},
    "moved": _AT,
    "host": _HOST,
    "drill": _AT
    | {
        "situation": "A card slips out of your hand and falls to the floor.",
        "at": 1790000000000,
        "expected": None,
        "reported": None,
        "text": "What do you do?",
    },
}
EMITTED_IN: Final = {
    "/table": EMITTED,
    "/host": EMITTED | {"chat": _CHAT | {"player_id": "p-1"}},
    "/poker": EMITTED | poker_examples.EMITTED,
}

ACKS: Final[dict[str, Example]] = {
    "Done": {"ok": True},
    "Joined": {
        "ok": True,
        "round": _ROUND,
        "seat": _SEAT,
        "table": _TABLE,
        "balance": 100_000,
        "available": 98_900,
        "chat": [_CHAT],
    },
    "BetsStand": {"ok": True, "bets": _BETS, "available": 98900},
    "Watching": {"ok": True, "host": _HOST, "chat": [_CHAT | {"player_id": "p-1"}], "muted": ["p-1"]},
    "Preview": {
        "ok": True,
        "round_id": _ROUND_ID,
        "moves": [
            {
                "player_id": "p-1",
                "name": "Ann",
                "currency": "EUR",
                "amount": 2100,
                "balance_before": 97900,
                "balance_after": 100000,
                "available_before": 97900,
                "available_after": 100000,
                "covered": True,
                "receivable": 0,
            }
        ],
        "totals": [{"currency": "EUR", "amount": 2100}],
    },
    "Decided": {"ok": True, "pending": True, "proposal_id": f"{_ROUND_ID}.1"},
    "LimitsSet": {"ok": True, "in_force": False},
    "TipGiven": {"ok": True, "available": 98400},
    "InTheLobby": {"ok": True, "tables": _LOBBY},
    **poker_examples.ACKS,
    "Refused": {"ok": False, "error": {"code": "too_late", "message": "The time for this decision is over."}},
}
