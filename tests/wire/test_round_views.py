"""Views of a round: the data of each audience, in the documented form."""

import pytest

from casino.uth.bets import Action
from casino.uth.commands import CancelRound, ReportProblem
from casino.uth.phases import OFFERED, Phase
from casino.uth.results import results
from casino.uth.state import Round
from casino.wire import host_events, player_events
from casino.wire.round_views import host_view, idle_view, outcome_view, public_view, result_view, seat_view
from tests.uth.tabletop import OWN, RICH, SCANNED, Tabletop, table_in

NAMES = {"ann": "Ann", "bob": "Bob"}
ROUND_KEYS = set(
    "table_id round_id game_number phase deadline paused player_cards board dealer_cards player_hand dealer_hand "
    "dealer_qualifies players".split()
)


def numbered(round_: Round) -> player_events.Round:
    return {**public_view(round_, NAMES), "seq": 1, "server_time": 0}


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.IDLE, Phase.CANCELLED)])
def test_public_view_shows_exactly_the_cards_that_are_out(phase: Phase) -> None:
    view = public_view(table_in(phase).round, NAMES)
    assert view.keys() >= ROUND_KEYS
    street = list(Phase).index(phase)
    assert view["player_cards"] == (["As", "Kd"] if street > 2 else [])
    assert view["board"] == ["7h", "7c", "2s", "Jd", "3c"][: 5 if street > 6 else 3 if street > 4 else 0]
    assert view["dealer_cards"] == (["Qh", "Qd"] if phase is Phase.SETTLED else [])


def test_hands_are_named_when_they_can_be() -> None:
    assert public_view(table_in(Phase.DEALING_HOLE).round, NAMES)["player_hand"] is None
    preflop = public_view(table_in(Phase.DECIDING_PREFLOP).round, NAMES)
    assert preflop["player_hand"] == {"category": "high_card", "cards": ["As", "Kd"]}
    assert preflop["dealer_hand"] is None
    assert preflop["dealer_qualifies"] is None
    settled = public_view(table_in(Phase.SETTLED).round, NAMES)
    assert settled["player_hand"] == {"category": "pair", "cards": ["7h", "7c", "As", "Kd", "Jd"]}
    assert settled["dealer_hand"] == {"category": "two_pair", "cards": ["Qh", "Qd", "7h", "7c", "Jd"]}
    assert settled["dealer_qualifies"] is True


def test_deadline_is_shown_only_while_players_are_timed() -> None:
    for phase in (Phase.BETTING, *OFFERED):
        table = table_in(phase)
        assert public_view(table.round, NAMES)["deadline"] == table.round.due_ms
        table.do(ReportProblem("card dropped", "pia"))
        assert public_view(table.round, NAMES)["deadline"] is None
    confirming = table_in(Phase.DEALING_FLOP, SCANNED)
    confirming.deal("7h 7c 2s")
    assert public_view(confirming.round, NAMES)["deadline"] is None


def test_pause_is_shown_with_its_incident() -> None:
    table = table_in(Phase.DECIDING_FLOP)
    table.do(ReportProblem("card dropped", "pia"))
    paused = public_view(table.round, NAMES)["paused"]
    assert paused == {"reason": "card dropped", "since": table.now_ms, "incident_id": "12:00:00-1"}


def test_shared_table_hides_the_decisions_of_others() -> None:
    table = table_in(Phase.DECIDING_PREFLOP)
    view = public_view(table.round, NAMES)
    assert "seats" not in view
    assert view["players"] == 2


def test_seat_view_of_a_player_with_a_decision_to_make() -> None:
    view = seat_view(table_in(Phase.DECIDING_PREFLOP).round, "bob", RICH)
    assert view == {
        "table_id": "uth-1",
        "round_id": "r1",
        "bets": {"ante": 1000, "blind": 1000, "trips": 300, "play": 0},
        "decision": None,
        "automatic": None,
        "options": ["play_4x", "play_3x", "check"],
        "covers_4x": True,
        "hand": {"category": "high_card", "cards": ["As", "Kd"]},
        "seat_no": None,
        "player_cards": ["As", "Kd"],
        "seed": None,
    }


def test_seat_view_marks_automatic_decisions() -> None:
    assert seat_view(table_in(Phase.DEALING_FLOP).round, "ann", RICH)["automatic"] == "auto_checked"
    assert seat_view(table_in(Phase.SHOWDOWN).round, "ann", RICH)["automatic"] == "auto_folded"
    table = table_in(Phase.DECIDING_PREFLOP)
    table.decide(Action.PLAY_4X, "ann")
    view = seat_view(table.round, "ann", RICH)
    assert (view["decision"], view["automatic"], view["options"]) == ("play_4x", None, [])
    assert view["bets"]["play"] == 2000


def test_watcher_of_a_shared_table_sees_the_hand_but_has_no_bets() -> None:
    view = seat_view(table_in(Phase.DECIDING_PREFLOP).round, "eve", RICH)
    assert view["bets"] == {"ante": 0, "blind": 0, "trips": 0, "play": 0}
    assert view["player_cards"] == ["As", "Kd"]
    assert view["options"] == []


def own_table() -> Tabletop:
    table = Tabletop(OWN)
    table.bet("bob", 1000, seat_no=5)
    table.bet("ann", 500, seat_no=2)
    table.time_out()
    table.deal("As Kd 2c 2d")
    return table


def test_own_hands_are_face_up_for_all_players() -> None:
    table = own_table()
    table.decide(Action.PLAY_4X, "bob")
    view = public_view(table.round, NAMES)
    assert (view["player_cards"], view["player_hand"]) == ([], None)
    assert view["seats"] == [
        {
            "seat_no": 2,
            "name": "Ann",
            "player_cards": ["As", "Kd"],
            "bets": {"ante": 500, "blind": 500, "trips": 0, "play": 0},
            "decision": None,
        },
        {
            "seat_no": 5,
            "name": "Bob",
            "player_cards": ["2c", "2d"],
            "bets": {"ante": 1000, "blind": 1000, "trips": 0, "play": 4000},
            "decision": "play_4x",
        },
    ]


def test_own_seat_has_its_own_hand_and_a_watcher_none() -> None:
    table = own_table()
    bob = seat_view(table.round, "bob", RICH)
    assert (bob["seat_no"], bob["player_cards"]) == (5, ["2c", "2d"])
    assert bob["hand"] is not None
    assert bob["hand"]["category"] == "pair"
    eve = seat_view(table.round, "eve", RICH)
    assert (eve["seat_no"], eve["player_cards"], eve["hand"]) == (None, [], None)


def test_host_sees_what_comes_next_and_the_money_on_each_spot() -> None:
    table = table_in(Phase.DEALING_FLOP)
    view = host_view(table.round, NAMES, numbered(table.round), {})
    assert view["expects"] == "flop_1"
    assert view["totals"] == {"ante": 1500, "blind": 1500, "trips": 300, "play": 0}
    assert [(seat["player_id"], seat["name"]) for seat in view["seats"]] == [("ann", "Ann"), ("bob", "Bob")]
    assert view["round"] == numbered(table.round)


def test_result_view_of_a_settled_and_of_a_cancelled_round() -> None:
    table = table_in(Phase.SETTLED)
    view = result_view(table.round, results(table.round)["bob"], 97_700)
    assert view == {
        "table_id": "uth-1",
        "round_id": "r1",
        "status": "settled",
        "result": "fold",
        "spots": {
            "ante": {"bet": 1000, "outcome": "lose", "returned": 0},
            "blind": {"bet": 1000, "outcome": "lose", "returned": 0},
            "trips": {"bet": 300, "outcome": "lose", "returned": 0},
            "play": {"bet": 0, "outcome": "none", "returned": 0},
        },
        "staked": 2300,
        "returned": 0,
        "balance": 97_700,
    }
    table = table_in(Phase.DECIDING_FLOP)
    table.do(CancelRound("deck incomplete", "max"))
    cancelled = result_view(table.round, results(table.round)["ann"], 100_000)
    assert (cancelled["status"], cancelled["result"], cancelled["returned"]) == ("cancelled", None, 1000)
    assert (cancelled["balance"], cancelled["incident_id"]) == (100_000, "12:00:00-1")
    assert cancelled["spots"]["ante"] == {"bet": 500, "outcome": "push", "returned": 500}


def test_seat_view_says_whether_the_balance_covers_the_largest_play() -> None:
    table = Tabletop()
    table.bet("ann", 500)
    assert seat_view(table.round, "ann", 2000)["covers_4x"] is True
    assert seat_view(table.round, "ann", 1999)["covers_4x"] is False
    assert seat_view(table.round, "eve", 1999)["covers_4x"] is None


def test_table_without_a_round_is_idle_in_the_same_shape() -> None:
    view = idle_view("uth-1")
    assert view.keys() == public_view(Tabletop().round, NAMES).keys()
    assert (view["phase"], view["round_id"], view["board"]) == ("idle", None, [])


@pytest.mark.parametrize(
    ("deal", "winner"),
    [
        ("As Kd | 7h 7c 2s Jd 3c | Qh Qd", "dealer"),
        ("As Ad | 7h 7c 2s Jd 3c | Qh Qd", "player"),
        ("4h 4d | As Ks Qs Js Ts | 2h 3d", "tie"),
    ],
)
def test_outcome_names_the_winner_of_the_shared_hand(deal: str, winner: str) -> None:
    round_ = table_in(Phase.SETTLED, deal=deal).round
    outcome = outcome_view(round_)
    assert (outcome["status"], outcome["winner"]) == (Phase.SETTLED, winner)
    assert outcome["player_cards"] + outcome["board"] + outcome["dealer_cards"] == deal.replace("|", "").split()
    assert "players" not in outcome


def test_outcome_of_own_hands_and_of_a_round_without_cards_has_no_winner() -> None:
    table = Tabletop(OWN)
    table.bet("ann", 500, seat_no=3)
    table.time_out()
    table.deal("As Kd")
    table.do(CancelRound("deck incomplete", "max"))
    assert outcome_view(table.round)["winner"] is None
    table = table_in(Phase.DEALING_HOLE)
    table.do(CancelRound("deck incomplete", "max"))
    assert outcome_view(table.round)["winner"] is None


def test_console_gets_the_announcement_once_all_cards_are_out() -> None:
    assert (
        host_view(table_in(Phase.DECIDING_RIVER).round, NAMES, numbered(table_in(Phase.DECIDING_RIVER).round), {})[
            "showdown"
        ]
        == []
    )
    (shared,) = host_view(table_in(Phase.SETTLED).round, NAMES, numbered(table_in(Phase.SETTLED).round), {})["showdown"]
    assert (shared["seat_no"], shared["hand"]["category"], shared["winner"]) == (None, "pair", "dealer")
    table = Tabletop(OWN)
    table.bet("ann", 500, seat_no=3)
    table.bet("bob", 500, seat_no=6)
    table.time_out()
    for street in ("As Kd 9c 9d", "7h 7c 2s", "Jd 3c"):
        table.deal(street)
        table.time_out()
    table.deal("8h 8d")
    shown = host_view(table.round, NAMES, numbered(table.round), {})["showdown"]
    assert [(one["seat_no"], one["winner"]) for one in shown] == [(3, "dealer"), (6, "player")]
    assert [(one["name"], one["folded"]) for one in shown] == [
        ("Ann", True),
        ("Bob", True),
    ]  # no player answered in time


def test_console_shows_folded_seats() -> None:
    table = own_table()
    table.decide(Action.PLAY_4X, "bob")
    for street in ("7h 7c 2s", "Jd 3c"):
        table.time_out()
        table.deal(street)
    table.time_out()
    table.deal("8h 8d")
    shown = host_view(table.round, NAMES, numbered(table.round), {})["showdown"]
    assert [(one["seat_no"], one["name"], one["folded"]) for one in shown] == [(2, "Ann", True), (5, "Bob", False)]


def test_host_view_lists_winners_once_the_round_is_settled() -> None:
    table = Tabletop()
    table.bet("ann", 500)
    table.bet("bob", 1000, 300)
    table.time_out()
    table.deal("As Ad")
    table.decide(Action.PLAY_4X)
    table.time_out()
    for street in ("7h 7c 2s", "Jd 3c"):
        table.deal(street)
        table.time_out()
    assert _seen(table)["winners"] == []
    table.deal("Qh Kd")
    view = _seen(table)
    assert view["winners"] == [{"seat_no": None, "name": "Ann", "won": 2500, "currency": "EUR"}]
    assert view["winners_total"] == 1


def _seen(table: Tabletop) -> host_events.HostRound:
    return host_view(table.round, NAMES, numbered(table.round), {"ann": "EUR", "bob": "FUN"})
