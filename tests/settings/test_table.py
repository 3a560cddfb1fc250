"""Settings of a table file: allowed values, and the error texts of mistakes."""

import pytest

from casino.cards.ranking import Category
from casino.money import Odds
from casino.settings import TableSettings
from casino.uth.bets import Limits
from casino.uth.paytable import STANDARD
from casino.uth.terms import Layout, Windows
from tests.settings.conftest import TABLE, Folder

DESCENDING = (
    "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind two_pair pair high_card"
)

REFUSED = [
    # what is written below id and name | the key | the reason
    # unknown keys
    ("colour = 'green'", "colour", "unknown key"),
    ("[limit]\nante_min = 100", "limit", "unknown key"),
    ("[limits]\nante_minimum = 100", "limits.ante_minimum", "unknown key"),
    ("[chips]\nvalues = [100]\ncolour = 'red'", "chips.colour", "unknown key"),
    ("[seconds]\nbet = 15", "seconds.bet", "unknown key"),
    ("[paytable]\nplay = { flush = '1:1' }", "paytable.play", "unknown key"),
    # wrong types
    ("[limits]\nante_min = '100'", "limits.ante_min", "valid integer"),
    ("[limits]\nante_min = true", "limits.ante_min", "valid integer"),
    ("[limits]\nante_min = 100.0", "limits.ante_min", "valid integer"),
    ("[limits]\nante_min = nan", "limits.ante_min", "valid integer"),
    ("[limits]\nante_min = [100]", "limits.ante_min", "valid integer"),
    ("limits = 100", "limits", "valid dictionary"),
    ("language = 1", "language", "valid string"),
    ("multi_table = 1", "multi_table", "valid boolean"),
    ("multi_table = 'yes'", "multi_table", "valid boolean"),
    ("dealing = 1", "dealing", "'auto' or 'presenter'"),
    ("dealing = 'robot'", "dealing", "'auto' or 'presenter'"),
    ("hands = 'Shared'", "hands", "'shared' or 'own'"),
    ("language = 'english'", "language", "pattern"),
    ("[chips]\nvalues = 100", "chips.values", "valid list"),
    ("[chips]\nvalues = ['100']", "chips.values.0", "valid integer"),
    ("[chips]\nvalues = [100, true]", "chips.values.1", "valid integer"),
    ("[chips]\nvalues = [100, 500.0]", "chips.values.1", "valid integer"),
    ("[seconds]\nbetting = '15'", "seconds.betting", "valid number"),
    ("[seconds]\nbetting = true", "seconds.betting", "valid number"),
    # limits
    ("[limit_bounds]\nante_maximum = 100", "limit_bounds.ante_maximum", "unknown key"),
    ("[limit_bounds]\nante_max = 100", "limit_bounds.ante_max", "limits.ante_max is outside"),
    ("[limit_bounds]\ntrips_min = 200", "limit_bounds.trips_min", "limits.trips_min is outside"),
    ("[limits]\nante_min = -100", "limits.ante_min", "greater than 0"),
    ("[limits]\nante_min = 0", "limits.ante_min", "greater than 0"),
    ("[limits]\ntrips_max = -1", "limits.trips_max", "greater than 0"),
    ("[limits]\nante_max = 1000000000001", "limits.ante_max", "less than or equal to 1000000000000"),
    ("[limits]\nante_max = 9223372036854775808", "limits.ante_max", "less than or equal to"),
    ("[limits]\nante_min = 50100", "limits", "ante_min is above ante_max"),
    ("[limits]\ntrips_min = 25100", "limits", "trips_min is above trips_max"),
    ("[limits]\nante_min = 510\nante_max = 590", "limits.ante_max", "no multiple of the smallest chip, 100"),
    ("[limits]\ntrips_min = 10\ntrips_max = 90", "limits.trips_max", "no multiple of the smallest chip, 100"),
    # chips
    ("[chips]\nvalues = []", "chips.values", "at least 1"),
    ("[chips]\nvalues = [2,4,6,8,10,12,14,16,18,20,22]", "chips.values", "at most 10"),
    ("[chips]\nvalues = [0]", "chips.values.0", "greater than 0"),
    ("[chips]\nvalues = [100, -500]", "chips.values.1", "greater than 0"),
    ("[chips]\nvalues = [100, 100]", "chips.values", "a chip value appears twice"),
    ("[chips]\nvalues = [100, 250]", "chips.values", "every chip must be a multiple of the smallest, 100"),
    ("[chips]\nvalues = [25, 100]", "chips.values", "smallest chip of 25 a payout would leave a fraction"),
    ("[chips]\nvalues = [5]", "chips.values", "smallest chip of 5 a payout would leave a fraction"),
    ("[chips]\nvalues = [1]", "chips.values", "smallest chip of 1 a payout would leave a fraction"),
    ("[paytable]\ntrips = { straight = '10:3', flush = '7:1' }", "chips.values", "would leave a fraction"),
    # seats
    ("hands = 'shared'\nseats = 7", "seats", 'only a table with hands = "own" has seats'),
    ("hands = 'own'\nseats = 8", "seats", "less than or equal to 7"),
    ("hands = 'own'\nseats = 0", "seats", "greater than or equal to 1"),
    ("hands = 'own'\nseats = '7'", "seats", "valid integer"),
    # seconds
    ("[seconds]\nbetting = 0", "seconds.betting", "greater than 0"),
    ("[seconds]\nbetting = -1", "seconds.betting", "greater than 0"),
    ("[seconds]\ndecide_preflop = 0.0", "seconds.decide_preflop", "greater than 0"),
    ("[seconds]\ndecide_flop = 0", "seconds.decide_flop", "greater than 0"),
    ("[seconds]\ndecide_river = 0", "seconds.decide_river", "greater than 0"),
    ("[seconds]\nresume_within = 0", "seconds.resume_within", "greater than 0"),
    ("[seconds]\ncard = -0.1", "seconds.card", "greater than or equal to 0"),
    ("[seconds]\nbetting = 3601", "seconds.betting", "less than or equal to 3600"),
    ("[seconds]\nbetting = nan", "seconds.betting", "finite number"),
    ("[seconds]\nbetting = inf", "seconds.betting", "finite number"),
    ("[seconds]\nconfirm = nan", "seconds.confirm", "finite number"),
    ("[seconds]\ncard = -inf", "seconds.card", "finite number"),
    # paytables
    ("[paytable]\nblind = '3:2'", "paytable.blind", "valid dictionary"),
    ("[paytable]\nblind = { flush = '1:2' }", "paytable: blind", "flush pays less than straight"),
    ("[paytable]\nblind = { straight = '4:1' }", "paytable: blind", "flush pays less than straight"),
    ("[paytable]\nblind = { pair = '1:1' }", "paytable: blind", "two_pair pays less than pair"),
    ("[paytable]\nblind = { royal_flush = 'push' }", "paytable: blind", "royal_flush pays less than straight_flush"),
    ("[paytable]\nblind = { flush = 'lose' }", "paytable: blind", "a winning hand cannot lose its BLIND"),
    ("[paytable]\nblind = { high_card = 'lose' }", "paytable: blind", "a winning hand cannot lose its BLIND"),
    ("[paytable]\ntrips = { flush = '3:1' }", "paytable: trips", "flush pays less than straight"),
    ("[paytable]\ntrips = { flush = 'lose' }", "paytable: trips", "flush pays less than straight"),
    ("[paytable]\ntrips = { flush = 'push' }", "paytable: trips", "flush pays less than straight"),
    ("[paytable]\ntrips = { royal_flush = '39:1' }", "paytable: trips", "royal_flush pays less than straight_flush"),
    ("[paytable]\nblind = { flsh = '3:2' }", "paytable.blind.flsh", "not a hand; the hands are high_card, pair"),
    ("[paytable]\ntrips = { Flush = '7:1' }", "paytable.trips.Flush", "not a hand"),
    ("[paytable]\ntrips = { '' = '7:1' }", "paytable.trips.", "not a hand"),
    *(
        (f"[paytable]\nblind = {{ flush = {written} }}", "paytable.blind.flush", "odds are written like")
        for written in ("'3/2'", "'-1:1'", "''", "3", "1.5", "true", "'3:2 '", "'1:2:3'", "'1e3:1'", "'５:1'", "'Push'")
    ),
    ("[paytable]\nblind = { flush = '1:0' }", "paytable.blind.flush", "to a positive whole number, not 1:0"),
    ("[paytable]\nblind = { royal_flush = '1000000:1' }", "paytable.blind.royal_flush", "odds are written like"),
]


@pytest.mark.parametrize(("written", "key", "reason"), REFUSED)
def test_mistake_is_reported_with_file_key_and_reason(folder: Folder, written: str, key: str, reason: str) -> None:
    file = folder.table(TABLE + written)
    [line] = folder.refusal()
    assert line.startswith(f"{file}: {key}: ")
    assert reason in line


def test_a_table_is_called_as_its_file_is_unless_it_says_otherwise(folder: Folder) -> None:
    folder.table("", "Corner_2.toml")
    folder.table('id = "uth-1"', "main.toml")
    [corner, main] = folder.load().tables
    assert (corner.id, corner.name) == ("Corner_2", "Corner_2")
    assert (main.id, main.name) == ("uth-1", "main")


@pytest.mark.parametrize(
    ("written", "key", "reason"),
    [
        ('id = 1\nname = "Table 1"', "id", "valid string"),
        ('id = ""\nname = "Table 1"', "id", "pattern"),
        ('id = "UTH 1"\nname = "Table 1"', "id", "pattern"),
        ('id = "../uth"\nname = "Table 1"', "id", "pattern"),
        ('id = "uth\\n"\nname = "Table 1"', "id", "pattern"),
        (f'id = "{"a" * 41}"\nname = "Table 1"', "id", "pattern"),
        ('id = "uth-1"\nname = ""', "name", "at least 1 character"),
        (f'id = "uth-1"\nname = "{"a" * 81}"', "name", "at most 80 characters"),
    ],
)
def test_an_id_and_a_name_must_be_such(folder: Folder, written: str, key: str, reason: str) -> None:
    file = folder.table(written)
    [line] = folder.refusal()
    assert line.startswith(f"{file}: {key}: ")
    assert reason in line


def loaded(folder: Folder, written: str = "") -> TableSettings:
    folder.table(TABLE + written)
    return folder.load().tables[0]


def test_keys_left_out_have_the_values_of_the_rules(folder: Folder) -> None:
    terms = loaded(folder).terms()
    assert terms.layout is Layout.SHARED
    assert terms.limits == Limits(100, 50_000, 100, 25_000, smallest_chip=100)
    assert terms.windows == Windows(15_000, 12_000, 10_000, 10_000, confirm_ms=0)
    assert terms.paytable == STANDARD


def test_the_standard_paytables_are_those_of_the_rules(folder: Folder) -> None:
    paytable = loaded(folder).paytable.in_force()
    blind = [str(paytable.blind_odds(Category(hand))) for hand in DESCENDING.split()]
    trips = [str(paytable.trips_odds(Category(hand))) for hand in DESCENDING.split()]
    assert blind == ["500:1", "50:1", "10:1", "3:1", "3:2", "1:1", "0:1", "0:1", "0:1", "0:1"]
    assert trips == ["50:1", "40:1", "30:1", "8:1", "7:1", "4:1", "3:1", "None", "None", "None"]


def test_a_key_left_out_of_a_section_keeps_its_default(folder: Folder) -> None:
    table = loaded(folder, "[limits]\nante_min = 200\n[seconds]\nbetting = 20\n[paytable]\nblind = { flush = '2:1' }")
    assert (table.limits.ante_min, table.limits.ante_max) == (200, 50_000)
    assert (table.seconds.betting, table.seconds.decide_flop) == (20, 10)
    assert table.paytable.in_force().blind_odds(Category.FLUSH) == Odds(2, 1)
    assert table.paytable.in_force().blind_odds(Category.ROYAL_FLUSH) == Odds(500, 1)
    assert table.paytable.in_force().trips == STANDARD.trips


@pytest.mark.parametrize("key", ["between_rounds", "round_min", "card", "confirm"])
@pytest.mark.parametrize("zero", ["0", "0.0"])
def test_a_pause_may_be_nothing(folder: Folder, key: str, zero: str) -> None:
    assert getattr(loaded(folder, f"[seconds]\n{key} = {zero}").seconds, key) == 0


@pytest.mark.parametrize(("seconds", "milliseconds"), [("0.05", 50), ("0.0001", 1), ("0.6", 600), ("3600", 3_600_000)])
def test_a_window_is_never_rounded_to_nothing(folder: Folder, seconds: str, milliseconds: int) -> None:
    assert loaded(folder, f"[seconds]\nbetting = {seconds}").terms().windows.betting_ms == milliseconds


def test_only_a_presenter_has_time_to_take_a_card_back(folder: Folder) -> None:
    written = "dealing = '{}'\n[seconds]\nconfirm = 2.5"
    assert loaded(folder, written.format("presenter")).terms().windows.confirm_ms == 2_500
    assert loaded(folder, written.format("auto")).terms().windows.confirm_ms == 0


@pytest.mark.parametrize("values", ["[50]", "[50, 100, 500]", "[2]", "[100, 500, 2500, 10000]"])
def test_a_smallest_chip_that_pays_3_to_2_exactly_is_taken(folder: Folder, values: str) -> None:
    assert loaded(folder, f"[chips]\nvalues = {values}").terms().paytable.is_exact_for(2)


def test_an_odd_smallest_chip_is_taken_where_no_odds_have_halves(folder: Folder) -> None:
    table = loaded(folder, "[chips]\nvalues = [25, 100]\n[paytable]\nblind = { flush = '2:1' }")
    assert table.terms().limits.smallest_chip == 25


def test_chips_stand_from_the_smallest_up(folder: Folder) -> None:
    assert loaded(folder, "[chips]\nvalues = [10000, 100, 2500, 500]").chips.values == [100, 500, 2_500, 10_000]


def test_limits_need_not_be_chip_multiples_if_one_is_between_them(folder: Folder) -> None:
    assert loaded(folder, "[limits]\nante_min = 150\nante_max = 210").terms().limits.ante_min == 150


def test_push_and_lose_are_odds_too(folder: Folder) -> None:
    written = "[paytable]\nblind = { straight = 'push' }\ntrips = { three_of_a_kind = 'lose', straight = 'push' }"
    paytable = loaded(folder, written).paytable.in_force()
    assert paytable.blind_odds(Category.STRAIGHT) == Odds(0, 1)
    assert paytable.trips_odds(Category.STRAIGHT) == Odds(0, 1)
    assert paytable.trips_odds(Category.THREE_OF_A_KIND) is None


def test_equal_pay_for_two_hands_is_not_a_rise(folder: Folder) -> None:
    paytable = loaded(folder, "[paytable]\ntrips = { flush = '8:1', full_house = '16:2' }").paytable.in_force()
    assert paytable.trips_odds(Category.FLUSH) == Odds(8, 1)


def test_an_own_hands_table_may_have_fewer_seats(folder: Folder) -> None:
    table = loaded(folder, "hands = 'own'\nseats = 5")
    assert (table.terms().layout, table.seats) == (Layout.OWN, 5)
