"""PHH and OHH: export, replay, and reading by PokerKit."""

import json
import random
import warnings
from decimal import Decimal
from typing import Any

import pytest
from pokerkit import HandHistory

from casino.cards.card import parse_cards
from casino.poker.commands import VoidHand
from casino.poker.notation.history import History, TournamentInfo, utc
from casino.poker.notation.ohh import to_ohh
from casino.poker.notation.phh import hands_of, parse_hand
from casino.poker.notation.phh_amounts import BadHand, Unsupported
from casino.poker.notation.phh_replay import replay_phh
from casino.poker.notation.phh_writer import to_phh
from casino.poker.positions import Positions
from casino.poker.terms import Game, RakeTerms, Showing, Terms
from casino.poker.tournament.entries import Price
from tests.poker.pokerkit_oracle import SideBySide, random_deal
from tests.poker.table import NOW, Table, opened

DWAN_IVEY: dict[str, Any] = {
    "variant": "NT",
    "antes": [500, 500, 500],
    "blinds_or_straddles": [1000, 2000, 0],
    "min_bet": 2000,
    "starting_stacks": [1125600, 2000000, 553500],
    "actions": [
        "d dh p1 Ac2d",
        "d dh p2 ????",
        "d dh p3 7h6h",
        "p3 cbr 7000 # Dwan",
        "p1 cbr 23000",
        "p2 f",
        "p3 cc",
        "d db Jc3d5c",
        "p1 cbr 35000",
        "p3 cc",
        "d db 4h",
        "p1 cbr 90000",
        "p3 cbr 232600",
        "p1 cbr 1067100",
        "p3 cc",
        "p1 sm Ac2d",
        "p3 sm 7h6h",
        "d db Jh",
    ],
    "finishing_stacks": [572100, 1997500, 1109500],
}
"""The published hand of Phil Ivey and Tom Dwan on Full Tilt's million dollar cash game, 2009."""

HEADS_UP: dict[str, Any] = {
    "variant": "NT",
    "antes": [0, 0],
    "blinds_or_straddles": [Decimal("0.5"), 1],
    "min_bet": 1,
    "starting_stacks": [50, Decimal("20.5")],
    "actions": ["d dh p1 AsAh", "d dh p2 KsKh", "p2 cbr 3", "p1 f"],
    "finishing_stacks": [49, Decimal("21.5")],
}


def stacks_of(fields: dict[str, Any]) -> list[int]:
    return [seat.stack for seat in replay_phh(parse_hand(fields))[2].seats]


def test_a_published_hand_ends_as_published() -> None:
    assert stacks_of(DWAN_IVEY) == DWAN_IVEY["finishing_stacks"]


def test_heads_up_the_button_is_player_2_and_pays_the_small_blind() -> None:
    written = parse_hand(HEADS_UP)
    assert written.step == Decimal("0.1")
    assert [written.amount(stack) for stack in stacks_of(HEADS_UP)] == [49, 21.5]


def history(table: Table, **fields: Any) -> History:  # noqa: ANN401
    return History(table.opened, table.events, **fields)


def raked_side_pot() -> Table:
    terms = Terms(Game.NLHE, 50, 100, rake=RakeTerms(60, 300))
    table = opened([2000, 10_000, 5033, 10_000], terms=terms).with_cards(
        "2c 3d 4h 8s 9c", {1: "As Ah", 3: "Kc Kd", 4: "Qc Qd"}
    )
    return table.play(
        "3 raise_to 1000", "4 call", "1 raise_to 2000", "2 fold", "3 call", "4 call", "3 raise_to 3033", "4 call"
    )


def test_an_exported_hand_replays_to_the_same_stacks() -> None:
    table = raked_side_pot()
    hole = {seat: cards for seat, cards in table.hole.items() if seat == 1}
    text = to_phh(history(table, hole=hole, names={"p1": 'Ann "the \u00e6"'}, currency="EUR", table_name="Nyhavn"))
    ((_, fields),) = hands_of(text, several=False)
    assert stacks_of(dict(fields)) == [seat.stack for seat in table.hand.seats]
    assert fields["players"] == ['Ann "the \u00e6"', "p2", "p3", "p4"]
    assert fields["_rake"] == Decimal("3.00")
    assert (fields["year"], fields["month"], fields["day"], str(fields["time"])) == (2023, 11, 14, "22:13:20")
    assert "d dh p2 ????" in fields["actions"]
    assert f"p3 cbr {Decimal('10.00')}" in fields["actions"]


def test_hidden_cards_are_not_exported() -> None:
    terms = Terms(Game.NLHE, 1, 2, showing=Showing.LOSERS_MAY_MUCK)
    table = opened([200] * 3, terms=terms).with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd", 3: "Qc Qd"})
    table.play("3 call", "1 call", "2 check", *("1 check", "2 check", "3 check") * 3)
    for text in (to_phh(history(table)), to_ohh(history(table))):
        assert "Ah" in text
        assert not any(card in text for card in ("Kc", "Kd", "Qc", "Qd"))
    ((_, fields),) = hands_of(to_phh(history(table)), several=False)
    assert fields["actions"][-2:] == ["p2 sm", "p3 sm"]
    assert stacks_of(dict(fields)) == [204, 198, 198]


def test_posts_missing_blinds_and_dead_antes() -> None:
    table = opened([200] * 4, positions=Positions(4, None, 2, (3,)), dead={2: 3}).play(
        "3 raise_to 10", "4 fold", "1 fold", "2 fold"
    )
    ((_, fields),) = hands_of(to_phh(history(table)), several=False)
    assert fields["blinds_or_straddles"] == [0, 2, -2, 0]
    assert fields["antes"] == [0, 3, 0, 0]
    assert stacks_of(dict(fields)) == [200, 195, 205, 200]


@pytest.mark.parametrize("game", Game)
def test_pokerkit_reads_what_is_written(game: Game) -> None:
    """Random hands that end alike in both: PokerKit replays our file to our stacks."""
    chance = random.Random(11)
    read = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while read < 15:
            both = SideBySide(random_deal(chance, game), chance)
            if not both.play() or both.differences:
                continue
            hole = {place + 1: both.deal.hole(place) for place in range(both.deal.count)}
            text = to_phh(History(both.opened, both.events, hole))
            assert [int(stack) for stack in [*HandHistory.loads(text)][-1].stacks] == [
                seat.stack for seat in both.ours.seats
            ]
            ((_, fields),) = hands_of(text, several=False)
            assert stacks_of(dict(fields)) == fields["finishing_stacks"]
            read += 1


def test_several_hands_in_one_file() -> None:
    one = to_phh(history(opened([200] * 3).play("3 fold", "1 fold")))
    text = f"[1]\n{one}\n[7]\n{one}\n"
    assert [name for name, _ in hands_of("note = 1\n" + text, several=True)] == ["1", "7"]


def test_a_check_the_rules_do_not_ask_for_is_skipped() -> None:
    """The big blind faces an all-in for less than its blind."""
    fields = HEADS_UP | {
        "starting_stacks": [50, Decimal("0.5")],
        "actions": ["d dh p1 AsAh", "d dh p2 KsKh", "p1 cc", "d db 2c3d4h", "d db 8s", "d db 9c"],
    }
    written = parse_hand(fields)
    assert [written.amount(seat.stack) for seat in replay_phh(written)[2].seats] == [50.5, 0]


def test_mucked_hands_lose() -> None:
    fields = DWAN_IVEY | {"actions": [line.replace("Ac2d", "????") for line in DWAN_IVEY["actions"]]}
    fields["actions"][-3] = "p1 sm"
    assert stacks_of(fields) == DWAN_IVEY["finishing_stacks"]
    river = opened([200] * 2).play("1 call", "2 check", *("2 check", "1 check") * 3)
    ((_, shown),) = hands_of(to_phh(history(river)), several=False)
    lines = [line for line in shown["actions"] if not line.startswith("p1 sm")]
    assert stacks_of(dict(shown) | {"actions": [*lines, "p1 sm"]})[1] == 202


TO_THE_RIVER: dict[str, Any] = HEADS_UP | {
    "starting_stacks": [50, 20],
    "actions": [
        *("d dh p1 AsAh", "d dh p2 KsKh", "p2 cc", "p1 cc"),
        *("d db 2c3d8h", "p1 cc", "p2 cc", "d db 9c", "p1 cc", "p2 cc", "d db Jd", "p1 cc", "p2 cc"),
    ],
}


@pytest.mark.parametrize(
    ("shown", "stacks"),
    [
        (["p1 sm AsAh", "p2 sm KsKh"], [510, 190]),
        (["p1 sm", "p2 sm KsKh"], [490, 210]),
        (["p1 sm -", "p2 sm KsKh"], [510, 190]),
    ],
    ids=["both shown", "the better hand mucked", "shown as dealt"],
)
def test_a_mucked_hand_loses_even_if_it_was_the_better_one(shown: list[str], stacks: list[int]) -> None:
    fields = TO_THE_RIVER | {"actions": [*TO_THE_RIVER["actions"], *shown]}
    assert stacks_of(fields) == stacks
    assert [stack * 10 for stack in [*HandHistory(**fields)][-1].stacks] == stacks


@pytest.mark.parametrize("player", ["p1", "p9"])
def test_a_check_more_than_the_river_has_is_an_error(player: str) -> None:
    fields = TO_THE_RIVER | {"actions": [*TO_THE_RIVER["actions"], f"{player} cc"]}
    with pytest.raises(BadHand, match=r"the hand is over$"):
        stacks_of(fields)


def test_winner_shows_nothing_if_all_others_muck() -> None:
    hidden = [line.replace("AsAh", "????").replace("KsKh", "????") for line in TO_THE_RIVER["actions"]]
    assert stacks_of(TO_THE_RIVER | {"actions": [*hidden, "p1 sm", "p2 sm -"]}) == [490, 210]
    with pytest.raises(Unsupported):
        stacks_of(TO_THE_RIVER | {"actions": [*hidden, "p1 sm -", "p2 sm -"]})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"starting_stacks": 5}, "starting_stacks is not a list"),
        ({"min_bet": "2"}, "min_bet is not a number"),
        ({"actions": ["p3 f", "p1 jumps"]}, "action 2 of the list is not an action: 'p1 jumps'"),
        ({"actions": [5]}, "action 1 of the list is not an action: '5'"),
        ({"actions": ["p\uff13 f"]}, "action 1 of the list is not an action: 'p\uff13 f'"),
        (
            {"actions": ["p3 cbr " + "9" * 5000]},
            f"action 1 of the list, 'p3 cbr {'9' * 33}': an amount is at most 1000000000000, with at most 15 decimals",
        ),
        ({"finishing_stacks": "none"}, "finishing_stacks is not a list"),
        ({"finishing_stacks": [1, 2]}, "finishing_stacks names 2 stacks, and starting_stacks 3"),
        ({"antes": 5}, "antes is not a list"),
        ({"antes": [1, 1, 1, 1]}, "antes names 4 amounts, and there are 3 players"),
        ({"starting_stacks": ["x", 1, 1]}, "starting_stacks: 'x' is not an amount"),
        ({"starting_stacks": [Decimal("nan"), 1, 1]}, "starting_stacks: 'NaN' is not an amount"),
        ({"min_bet": 10**13}, "min_bet: an amount is at most 1000000000000, with at most 15 decimals"),
        ({"starting_stacks": [0, 1, 1]}, "Every player needs a stack of 1 to 1000000000000."),
        ({"actions": ["p3 cbr ten"]}, "action 1 of the list, 'p3 cbr ten': 'ten' is not an amount"),
        ({"actions": ["p3 cbr 1"]}, "action 1 of the list, 'p3 cbr 1': the bet or raise is too small"),
        ({"actions": ["p3 cbr 999999999"]}, "action 1 of the list, 'p3 cbr 999999999': the bet or raise is too large"),
        ({"actions": ["", "p1 f"]}, "action 2 of the list, 'p1 f': it is not this player's turn"),
        ({"actions": ["p9 f"]}, "action 1 of the list, 'p9 f': there is no such player"),
        ({"actions": ["p3 f", "p1 f", "p2 cc"]}, "action 3 of the list, 'p2 cc': the hand is over"),
        ({"actions": [*DWAN_IVEY["actions"], "p9 cc"]}, "action \\d+ of the list, 'p9 cc': the hand is over"),
        ({"starting_stacks": [True, 1, 1]}, "starting_stacks: 'True' is not an amount"),
        ({"actions": ["d dh p1 AsAd", "d dh p2 AsKd", "p3 f", "p1 f"]}, "As appears twice."),
        ({"actions": ["d dh p1 AsAd", "p3 f", "p1 sm AsKd"]}, "p1 shows other cards than were dealt"),
        ({"actions": ["p3 f", "p1 f", "d db 2c3d7h"]}, "the file deals 3 board cards, and the hand has 0"),
        (
            {"actions": ["d db 2c3d7h", "p3 f", "p1 f"]},
            "action 2 of the list, 'p3 f': 3 board cards are dealt before it, and the hand has 0",
        ),
        (
            {"actions": ["p3 f", "p1 cc", "p2 cc", "p1 cc", "d db 2c3d7h8s", "p2 f"]},
            "action 4 of the list, 'p1 cc': 0 board cards are dealt before it, and the hand has 3",
        ),
    ],
)
def test_errors_name_the_field_and_the_action(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadHand, match=f"^{reason}$"):
        stacks_of(DWAN_IVEY | change)
    with pytest.raises(BadHand, match=r"^variant is missing$"):
        parse_hand({})
    with pytest.raises(BadHand, match=r"^min_bet is missing$"):
        parse_hand({name: value for name, value in DWAN_IVEY.items() if name != "min_bet"})


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"variant": "FT"}, Unsupported),
        ({"blinds_or_straddles": [1000, 2000, 4000]}, Unsupported),
        ({"blinds_or_straddles": [0, 0, 2000]}, Unsupported),
        ({"blinds_or_straddles": [0, 0, 0]}, Unsupported),
        ({"starting_stacks": [Decimal("inf"), 1, 1]}, Unsupported),
        ({"starting_stacks": [5]}, Unsupported),
        ({"actions": [*DWAN_IVEY["actions"][:8], "d db ??"]}, Unsupported),
        ({"actions": DWAN_IVEY["actions"][:4], "finishing_stacks": []}, Unsupported),
        (
            {"actions": [line.replace("Ac2d", "????").replace("7h6h", "????") for line in DWAN_IVEY["actions"]]},
            Unsupported,
        ),
        ({"antes": [1, 1, 1, 1]}, BadHand),
        ({"starting_stacks": ["x", 1, 1]}, BadHand),
        ({"actions": ["d dh p1 Ac2x"]}, BadHand),
        ({"actions": ["d dh p1 Ac2d3d"]}, BadHand),
        ({"actions": ["x1 f"]}, BadHand),
        ({"actions": ["p1 jumps"]}, BadHand),
        ({"actions": ["p3 cbr 1"]}, BadHand),
        ({"actions": ["p3 f", ""]}, BadHand),
        ({"actions": DWAN_IVEY["actions"][:-1]}, BadHand),
        ({"min_bet": None}, BadHand),
        ({"min_bet": 10**13}, BadHand),
        ({"min_bet": Decimal("1e-999999999")}, BadHand),
        ({"_unit": 0}, BadHand),
        ({"actions": ["p3 cbr 1e999999999"]}, BadHand),
        ({"actions": ["d dh p1"]}, BadHand),
        ({"actions": [5]}, BadHand),
    ],
)
def test_hands_that_are_not_played_here_and_hands_that_are_none(change: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        stacks_of(DWAN_IVEY | change)


def test_text_that_is_no_toml() -> None:
    with pytest.raises(BadHand, match="TOML"):
        [*hands_of("variant = ", several=False)]
    with pytest.raises(BadHand, match="nested too deeply"):
        [*hands_of("a = " + "[" * 100_000, several=False)]


def ohh(history_: History) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_ohh(history_))["ohh"]
    return found


def test_ohh_of_a_cash_hand() -> None:
    table = raked_side_pot()
    plain = ohh(history(table, hole={1: parse_cards("AsAh")}, currency="EUR", reader="p1"))
    assert (plain["spec_version"], plain["game_type"], plain["bet_limit"]["bet_type"]) == ("1.4.7", "Holdem", "NL")
    assert (plain["hero_player_id"], plain["tournament"], plain["dealer_seat"]) == (1, False, 4)
    assert plain["start_date_utc"] == "2023-11-14T22:13:20Z"
    preflop = [(action["action"], action.get("amount")) for action in plain["rounds"][0]["actions"]]
    assert preflop == [
        ("Post SB", 0.5), ("Post BB", 1), *[("Dealt Cards", None)] * 4,
        ("Raise", 10), ("Call", 10), ("Raise", 19.5), ("Fold", None), ("Call", 10), ("Call", 10),
    ]  # fmt: skip
    assert plain["rounds"][0]["actions"][2]["cards"] == ["As", "Ah"]
    assert plain["rounds"][0]["actions"][3]["cards"] == ["??", "??"]
    assert plain["rounds"][0]["actions"][8]["is_allin"] is True
    assert [round_["street"] for round_ in plain["rounds"]] == ["Preflop", "Flop", "Turn", "River"]
    assert [action["action"] for action in plain["rounds"][1]["actions"]] == ["Bet", "Call", *["Shows Cards"] * 3]
    assert sum(pot["rake"] for pot in plain["pots"]) == 3
    numbers = [action["action_number"] for round_ in plain["rounds"] for action in round_["actions"]]
    assert numbers == [*range(1, len(numbers) + 1)]


def test_ohh_of_a_tournament_hand_with_antes_posts_and_a_showdown() -> None:
    table = opened([200, 200, 200, 1, 200], ante=1, posters=(5,), game=Game.PLO)
    table.play("3 fold", "5 check", "1 fold", "2 check", *("2 check", "5 check") * 3)
    plain = ohh(history(table, tournament=TournamentInfo("t7", "", NOW, "EUR", Price(95, 5), 1500, "STT", ("SNG",))))
    assert plain["tournament_info"]["flags"] == ["SNG"]
    assert (plain["game_type"], plain["bet_limit"]["bet_type"], plain["currency"]) == ("Omaha", "PL", "")
    first = plain["rounds"][0]["actions"]
    assert [action["action"] for action in first][5:8] == ["Post SB", "Post BB", "Post Extra Blind"]
    assert [action["is_allin"] for action in first[:5]] == [False, False, False, True, False]
    assert plain["rounds"][-1]["street"] == "Showdown"


def test_ohh_names_the_seats_of_the_table_and_the_terms_of_the_tournament() -> None:
    table = opened([200, 200, 200])
    table.play("3 fold", "1 fold")
    assert ohh(history(table))["table_size"] == 3, "at least the highest seat"
    info = TournamentInfo("t7", "The Daily 10", NOW, "EUR", Price(400, 100, 500), 5000, "MTT", ("Bounty",))
    plain = ohh(history(table, seats=6, tournament=info))
    assert (plain["table_size"], plain["tournament"], plain["currency"]) == (6, True, "")
    assert plain["tournament_info"] == {
        "tournament_number": "t7",
        "name": "The Daily 10",
        "start_date_utc": "2023-11-14T22:13:20Z",
        "currency": "EUR",
        "buyin_amount": 4,
        "fee_amount": 1,
        "bounty_fee_amount": 5,
        "initial_stack": 5000,
        "type": "MTT",
        "flags": ["Bounty"],
    }


def test_ohh_says_who_mucked() -> None:
    terms = Terms(Game.NLHE, 1, 2, showing=Showing.LOSERS_MAY_MUCK)
    table = opened([200] * 3, terms=terms).with_cards("2c 3d 4h 8s 9c", {1: "As Ah", 2: "Kc Kd", 3: "Qc Qd"})
    table.play("3 fold", "1 call", "2 check", *("1 check", "2 check") * 3)
    shown = [action for round_ in ohh(history(table))["rounds"][-1:] for action in round_["actions"]]
    assert [(action["action"], action["player_id"]) for action in shown] == [("Shows Cards", 1), ("Mucks Cards", 2)]
    assert "cards" not in shown[1]


def test_an_open_hand_is_not_written() -> None:
    with pytest.raises(AssertionError):
        to_phh(history(opened([200] * 3)))
    void = opened([200] * 3).do(VoidHand("h1", "stop", "me"))
    assert "finishing_stacks = [200, 200, 200]" in to_phh(history(void))


@pytest.mark.parametrize(
    ("at_ms", "date"),
    [
        (0, (1970, 1, 1, 0, 0, 0)),
        (951_782_400_000, (2000, 2, 29, 0, 0, 0)),
        (951_868_799_999, (2000, 2, 29, 23, 59, 59)),
        (4_107_542_400_000, (2100, 3, 1, 0, 0, 0)),
        (NOW, (2023, 11, 14, 22, 13, 20)),
    ],
)
def test_dates_of_exported_hands(at_ms: int, date: tuple[int, ...]) -> None:
    assert utc(at_ms) == date
