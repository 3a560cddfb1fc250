"""The poker room's files: complete as shipped, and stopped with file, key and reason when they contradict."""

import shutil
from pathlib import Path

import pytest

from casino.poker import clock
from casino.poker.tournament.entries import Price
from casino.settings.poker import PUBLISHED
from tests.settings.conftest import Folder


@pytest.fixture
def poker(folder: Folder) -> Path:
    """A copy of the published files."""
    return Path(shutil.copytree(PUBLISHED, folder.path / "poker"))


def test_without_the_folder_there_is_no_poker_room(folder: Folder) -> None:
    assert folder.load().poker is None


def test_the_published_files_are_complete(folder: Folder, poker: Path) -> None:
    settings = folder.load().poker
    assert settings is not None
    assert poker.is_dir()
    assert len(settings.stakes) == 26
    assert [*settings.products] == ["classic", "highroller", "extreme", "hexaplo"]
    assert {row.id for row in settings.sit_and_gos.sng} == {"sng-5", "sng-2"}


def test_clocks_are_those_of_the_rules(folder: Folder, poker: Path) -> None:
    settings = folder.load().poker
    assert settings is not None
    assert poker.is_dir()
    terms = {name: row.terms for name, row in settings.room.clock.items()}
    published = {"cash": clock.CASH, "banzai": clock.BANZAI, "hexa_low": clock.HEXA_LOW, "hexa_high": clock.HEXA_HIGH}
    assert terms == published | {"mtt": clock.MTT, "sng": clock.SIT_AND_GO}


def test_templates_become_terms_with_the_defaults_of_the_rules(folder: Folder, poker: Path) -> None:
    settings = folder.load().poker
    assert settings is not None
    assert poker.is_dir()
    terms = {row.id: settings.tournament_terms(row, row.id, 0) for row in settings.schedule.tournament}
    daily, rebuy = terms["daily-10"], terms["rebuy-3"]
    assert (daily.price, daily.seats, daily.stack, daily.late_levels) == (Price(900, 100), 6, 5000, 6)
    assert (daily.unregister_ms, daily.entries_min, daily.entries_max) == (300_000, 3, 10_000)
    assert rebuy.rebuy is not None
    assert rebuy.addon is not None
    assert (rebuy.rebuy.price, rebuy.rebuy.chips, rebuy.addon.chips) == (Price(270), 5000, 10_000)
    assert terms["bounty-20"].price == Price(900, 200, 900)
    assert terms["sunday-satellite"].ticket_value == 10_900
    assert terms["freeroll"].is_freeroll
    assert settings.integrity.machine.hours_in_24 == 14


WRONG = [
    ("stakes.toml", "cap = 50", "cap = 1", "stake.0: cap: half of it"),
    ("stakes.toml", "sb = 2", "sb = 9", "stake.0: sb: the small blind"),
    ("stakes.toml", "buy_in_min_bb = 50", "buy_in_min_bb = 101", "stake.0: buy_in_min_bb: it is above"),
    ("stakes.toml", 'format = "regular"', 'format = "banzai"', "stake.0: buy_in_min_bb: a Banzai stake"),
    ("stakes.toml", 'id = "nl10"', 'id = "nl4"', "stake: nl4 appears more than once"),
    ("stakes.toml", 'game = "nlhe"', 'game = "stud"', "stake.0.game: "),
    ("stakes.toml", "seats = 6", "seats = 11", "stake.0.seats: "),
    ("stakes.toml", "permille = 20", "permile = 20", "stake.0.permile: unknown key"),
    ("structures.toml", '"30/60"', '"20/40"', "levels.mtt.levels: the big blind of 20/40 is not above that of 25/50"),
    ("structures.toml", '"30/60"', '"30"', "levels.mtt.levels.1: a level is written"),
    ("structures.toml", '"30/60"', "30", "levels.mtt.levels.1: a level is text"),
    ("structures.toml", "extend_to = 60", "extend_to = 26", "levels.mtt: extend_to: "),
    ("structures.toml", 'levels = "mtt"', 'levels = "mt"', "structures.regular.levels: there are no levels mt"),
    ("structures.toml", "stack = 5000", "stack = 49", "structures.regular.stack: it is below the first big blind"),
    ("payouts.toml", "[65, 35]", "[65, 34]", "tables.sng-5: the shares sum to 99, not to 100"),
    ("payouts.toml", "[65, 35]", "[35, 65]", "tables.sng-5: a place gets more"),
    ("payouts.toml", "bands = [1, 2", "bands = [2, 1", "bands: the last places"),
    ("payouts.toml", "by_three_from = 10", "by_three_from = 19", "by_three_from: it is above"),
    ("payouts.toml", "sng-5 =", "sng-6 =", "sng.toml: sng.0.prizes: payouts.toml has no table sng-5"),
    ("sng.toml", 'prizes = "winner-takes-all"', 'prizes = "many"', "sng.1.prizes: payouts.toml has no table many"),
    ("sng.toml", 'structure = "sng-2"', 'structure = "sng-3"', "sng.1.structure: there is no structure sng-3"),
    ("sng.toml", "{ pool = 190, fee = 10 }", "{ pool = 90, fee = 10 }", "sng.0: buy_ins: the total 100"),
    ("sng.toml", 'id = "sng-2"', 'id = "sng-5"', "sng: sng-5 appears more than once"),
    ("hexapro.toml", "chances = 34453", "chances = 34452", "product.0: prizes: the chances must sum to 100000"),
    ("hexapro.toml", "multiplier = 100,", "multiplier = 5,", "product.0: prizes: multipliers are listed once"),
    ("hexapro.toml", "multiplier = 1000,", "multiplier = 100000,", "product.0: prizes: the mean multiplier"),
    ("hexapro.toml", "[100, 200, 500", "[100, 100, 500", "product.0: buy_ins: 100 appears"),
    ("hexapro.toml", "[80, 12, 8]", "[80, 12, 7]", "product.0.prizes.0.percents: the shares sum to 99"),
    ("hexapro.toml", 'levels = "hexapro"', 'levels = "hexa"', "product.0.levels: there are no levels hexa"),
    ("hexapro.toml", 'id = "extreme"', 'id = "classic"', "product: classic appears more than once"),
    ("room.toml", "[clock.sng]", "[clock.snail]", "clock.snail: "),
    ("room.toml", "bank_cap = 30", "bank_cap = 14", "clock.cash: bank: it is above bank_cap"),
    ("room.toml", '["EUR", "FUN"]', '["EUR", "EUR"]', "currencies: EUR appears more than once"),
    ("room.toml", "min_to_start = 3", "min_to_start = 1", "min_to_start: "),
    ("integrity.toml", "z = 4.0", "z = 0.0", "net_flow.z: "),
    ("integrity.toml", "[squeeze]", "[squash]", "squash: unknown key"),
    ("schedule.toml", 'every = "day 19:00"', 'every = "day 24:00"', "tournament.0.every: "),
    ("schedule.toml", 'every = "day 19:00"\n', "", "tournament.0: every: name either every or at"),
    ("schedule.toml", 'every = "day 19:00"', "at = 2027-01-01T19:00:00", "tournament.0: at: name the offset"),
    ("schedule.toml", "total = 1000", "total = 1000\nfee = 1001", "tournament.0: fee: it is above the total"),
    ("schedule.toml", "added = 5000\n", "", "tournament.7: added: a freeroll needs a prize pool"),
    (
        "schedule.toml",
        'structure = "turbo"',
        'structure = "slow"',
        "tournament.1.structure: there is no struct",
    ),
    ("schedule.toml", 'structure = "turbo"', 'prizes = "none"', "tournament.1.prizes: payouts.toml has no table none"),
    (
        "schedule.toml",
        "rebuy = {",
        'bounty = { kind = "regular" }\nrebuy = {',
        "tournament.3: a tournament with",
    ),
    ("schedule.toml", "rebuy = { levels = 6 }\n", "", "tournament.3: an add-on ends the rebuy levels"),
    ("schedule.toml", "total = 3000", "total = 10900", "tournament.6.satellite_to: sunday-109 must cost more"),
    ("schedule.toml", 'satellite_to = "sunday-109"', 'satellite_to = "monday"', "satellite_to: there is no tournament"),
    ("schedule.toml", 'satellite_to = "sunday-109"\n', "", "tournament.6: seats are guaranteed by satellites only"),
    ("schedule.toml", "reentries_max = 2", 'flight_of = "daily-10"', "tournament.1: flight_ends_level: a flight names"),
    (
        "schedule.toml",
        "reentries_max = 2",
        'flight_of = "daily-10"\nflight_ends_level = 9',
        "tournament.1.flight_of: there is no tournament daily-10 with phase_two",
    ),
    ("schedule.toml", 'id = "turbo-5"', 'id = "daily-10"', "tournament: daily-10 appears more than once"),
    (
        "schedule.toml",
        "bounty = {",
        "multi_buy_in = { min = 1, max = 5, step = 1 }\nbounty = {",
        "tournament.2: multi_buy_in: it does not go with bounties",
    ),
    (
        "schedule.toml",
        "reentries_max = 2",
        "multi_buy_in = { min = 500, max = 900, step = 300 }",
        "tournament.1: steps must lead",
    ),
    (
        "schedule.toml",
        "reentries_max = 2",
        "multi_buy_in = { min = 250, max = 1000, step = 250 }",
        "tournament.1: the total is the smallest buy-in",
    ),
    (
        "schedule.toml",
        "seats_guaranteed = 1",
        "seats_guaranteed = 1\nguarantee = 50000",
        "tournament.6: a satellite guarantees seats, not money",
    ),
    ("stakes.toml", "bb = 4", "bb = 900000000000", "stake.0: bb: the largest buy-in is above"),
    ("hexapro.toml", "stack = 500", "stack = 19", "product.0.prizes.0.stack: it is below the first big blind"),
    (
        "hexapro.toml",
        "_100000 = 6853",
        "_100000 = 6000",
        "product.0: fee_per_100000: the rake equivalent of these odds",
    ),
    (
        "schedule.toml",
        "total = 1000",
        "total = 1000\nstack = 49",
        "tournament.0: the stack is below the first big blind",
    ),
    ("schedule.toml", "total = 300", "total = 0\nadded = 9", "tournament.3: a rebuy or an add-on has a price"),
    (
        "schedule.toml",
        "seats_guaranteed = 1",
        'seats_guaranteed = 1\nprizes = "sng-5"',
        "tournament.6: a satellite has no fixed shares",
    ),
    (
        "schedule.toml",
        "seats_guaranteed = 1",
        "seats_guaranteed = 9\nentries_max = 8",
        "tournament.6: more seats are guaranteed than there are entries",
    ),
    ("schedule.toml", "total = 300", "total = 0\nphase_two = true", "tournament.3: phase_two: a second phase has no"),
    (
        "schedule.toml",
        "total = 1000",
        "total = 1000\nphase_two = true",
        "tournament.0: total: players do not buy into a second",
    ),
    (
        "schedule.toml",
        "total = 1000",
        "total = 0\nphase_two = true",
        "tournament.0.phase_two: no tournament names it in flight_of",
    ),
    (
        "schedule.toml",
        "total = 1000",
        'total = 0\nphase_two = true\nflight_of = "daily-10"\nflight_ends_level = 3',
        "tournament.0: phase_two: a flight is no second phase",
    ),
    ("stakes.toml", "seats = 6", "seats = 2", "stake.0.seats: no hand could start"),
    ("room.toml", "min_to_start = 3", "min_to_start = 6", "stake.16.seats: no hand could start"),
    (
        "schedule.toml",
        "total = 500",
        "total = 500\nfee = 500",
        "tournament.1: fee: it leaves nothing for the prize pool",
    ),
    (
        "schedule.toml",
        "total = 1000",
        "total = 1000\nlate_levels = 60",
        "tournament.0.late_levels: level 60 is the last of regular and never ends",
    ),
    ("schedule.toml", "levels = 6", "levels = 61", "tournament.3.rebuy.levels: level 60 is the last of regular"),
    ("sng.toml", 'prizes = "sng-5"\n', "", "sng.0: prizes: name either prizes or satellite_to"),
    ("sng.toml", 'prizes = "sng-5"', 'satellite_to = "none"', "sng.0.satellite_to: there is no tournament none"),
    ("sng.toml", 'prizes = "sng-5"', 'satellite_to = "daily-10"', "sng.0.satellite_to: daily-10 must cost more"),
    ("sng.toml", 'prizes = "sng-5"', 'satellite_to = "sunday-109"', "sng.0.buy_ins: 5 entries of 100 pay for no"),
]


def test_breaks_have_the_length_of_the_room_unless_a_tournament_names_its_own(folder: Folder, poker: Path) -> None:
    (poker / "room.toml").write_text(
        (poker / "room.toml").read_text().replace("break_minutes = 5", "break_minutes = 7")
    )
    text = (poker / "schedule.toml").read_text().replace("guarantee = 50000", "break_minutes = 3")
    (poker / "schedule.toml").write_text(text)
    settings = folder.load().poker
    assert settings is not None
    first, second, *_ = (settings.tournament_terms(row, row.id, 0) for row in settings.schedule.tournament)
    assert (first.break_ms, second.break_ms) == (180_000, 420_000)


def test_a_sit_and_go_becomes_terms(folder: Folder, poker: Path) -> None:
    text = (poker / "sng.toml").read_text()
    (poker / "sng.toml").write_text(text + SATELLITE)
    settings = folder.load().poker
    assert settings is not None
    five, two, satellite = settings.sit_and_gos.sng
    terms = settings.sit_and_go_terms(five, five.buy_ins[3], "g1", 0)
    assert (terms.price, terms.stack, terms.structure.minutes) == (Price(950, 50), 1500, 5)
    assert (terms.entries_min, terms.entries_max, terms.late_levels, terms.sync_breaks) == (5, 5, 0, False)
    assert (terms.percents, terms.is_sit_and_go) == ((65, 35), True)
    assert settings.sit_and_go_terms(two, two.buy_ins[0], "g2", 0).percents == (100,)
    assert settings.sit_and_go_terms(satellite, satellite.buy_ins[0], "g3", 0).ticket_value == 10_900


SATELLITE = """
[[sng]]
id = "sng-satellite"
name = "Sit & Go satellite"
game = "nlhe"
seats = 5
structure = "sng-5"
satellite_to = "sunday-109"
buy_ins = [{ pool = 2200, fee = 200 }]
"""


def test_flights_and_a_second_phase_without_a_price(*, folder: Folder, poker: Path) -> None:
    with (poker / "schedule.toml").open("a") as schedule:
        schedule.write(FLIGHTS)
    folder.load()
    with (poker / "schedule.toml").open("a") as schedule:
        schedule.write('bounty = { kind = "regular" }\n')
    (line,) = folder.refusal()
    assert "tournament.9: flights and their second phase have no bounties" in line


def test_a_flight_ends_with_a_level_that_ends(*, folder: Folder, poker: Path) -> None:
    with (poker / "schedule.toml").open("a") as schedule:
        schedule.write(FLIGHTS.replace("flight_ends_level = 12", "flight_ends_level = 60"))
    (line,) = folder.refusal()
    assert "tournament.9.flight_ends_level: level 60 is the last of regular and never ends" in line


FLIGHTS = """
[[tournament]]
id = "final"
name = "Final"
every = "sunday 20:00"
total = 0
phase_two = true

[[tournament]]
id = "flight"
name = "Flight"
every = "day 12:00"
total = 1000
flight_of = "final"
flight_ends_level = 12
"""


@pytest.mark.parametrize(("file", "right", "wrong", "reason"), WRONG, ids=[row[3][:60] for row in WRONG])
def test_wrong_sums_and_impossible_combinations_stop_the_start(
    *, folder: Folder, poker: Path, file: str, right: str, wrong: str, reason: str
) -> None:
    text = (poker / file).read_text()
    assert right in text
    (poker / file).write_text(text.replace(right, wrong, 1))
    lines = folder.refusal()
    assert any(reason in line for line in lines), lines
    assert all(str(poker) in line for line in lines)


def test_a_missing_an_unknown_and_an_unreadable_file_are_named(folder: Folder, poker: Path) -> None:
    (poker / "stakes.toml").rename(poker / "stake.toml")
    (poker / "sng.toml").write_text("[")
    refused = "\n".join(folder.refusal())
    assert f"{poker / 'stakes.toml'}: cannot be read" in refused
    assert f"{poker / 'stake.toml'}: unknown file" in refused
    assert f"{poker / 'sng.toml'}: not a TOML file" in refused


def test_the_folder_must_be_one(folder: Folder) -> None:
    (folder.path / "poker").write_text("")
    assert "this is not a folder" in folder.refusal()[0]
