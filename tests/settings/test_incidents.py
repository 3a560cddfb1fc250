"""Settings of `incidents.toml`: allowed values, and the defaults without the file."""

from pathlib import Path

import pytest

from casino.settings import load_settings
from tests.settings.conftest import TABLE, Folder

CLASS = """
[classes.card_dropped]
title = "Card dropped"
situation = "A card falls."
steps = ["Leave it.", "Wait."]
may_continue = true
resolutions = ["resume", "cancel"]
"""


def incidents(folder: Folder, text: str) -> Path:
    file = folder.path / "incidents.toml"
    file.write_text(text)
    return file


def test_without_a_file_the_built_in_classes_are_in_force_and_the_projects_own_file_says_the_same(
    folder: Folder,
) -> None:
    built_in = folder.load().incidents
    named = "card_exposed_early wrong_card_scanned card_dropped wrong_order extra_card scanner_dead deck_incomplete"
    assert set(f"{named} dealer_ill stream_lost something_else".split()) == set(built_in)
    assert load_settings(Path(__file__).parents[2] / "config").incidents == built_in


def test_a_file_takes_the_place_of_all_of_them(folder: Folder) -> None:
    incidents(folder, CLASS)
    loaded = folder.load().incidents
    assert list(loaded) == ["card_dropped"]
    assert loaded["card_dropped"].steps == ["Leave it.", "Wait."]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("title = ", "titel = "), "classes.card_dropped.titel: unknown key"),
        (('["resume", "cancel"]', '["resume"]'), "resolutions: cancel is always possible, so it belongs in the list"),
        (('["resume", "cancel"]', '["cancel", "cancel"]'), "resolutions: a resolution appears twice"),
        (('["resume", "cancel"]', '["shrug", "cancel"]'), "resolutions.0: input should be"),
        (("may_continue = true", "may_continue = false"), "a round may be resumed exactly where may_continue is true"),
        (("may_continue = true", "may_continue = 1"), "may_continue: input should be a valid boolean"),
        (('["Leave it.", "Wait."]', "[]"), "steps: list should have at least 1 item"),
        (("card_dropped", "Card-Dropped"), "string should match pattern"),
    ],
)
def test_a_wrong_file_stops_the_start_with_file_key_and_reason(
    folder: Folder, change: tuple[str, str], fault: str
) -> None:
    file = incidents(folder, CLASS.replace(*change))
    refusal = folder.refusal()
    assert all(line.startswith(f"{file}: classes") for line in refusal)
    assert any(fault in line for line in refusal), refusal


def test_a_broken_file_or_a_folder_in_its_place_is_named(folder: Folder) -> None:
    file = incidents(folder, "[classes")
    (line,) = folder.refusal()
    assert line.startswith(f"{file}: not a TOML file")
    file.unlink()
    file.mkdir()
    assert folder.refusal() == [f"{file}: this is not a file that can be read"]


def deck_of(prefix: str) -> str:
    cards = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    return "\n".join(f'{prefix}{number:02} = "{card}"' for number, card in enumerate(cards))


PRESENTER = TABLE + 'dealing = "presenter"\n'


def test_scanner_codes_name_the_cards_of_each_deck(folder: Folder) -> None:
    folder.table(PRESENTER + f"[scanner.decks.red]\n{deck_of('R')}\n[scanner.decks.blue]\n{deck_of('B')}\n")
    (table,) = folder.load().tables
    assert table.scanner.first_deck == "red"
    assert table.scanner.card_of("R51", "red") == "As"
    assert table.scanner.card_of("As", "red") == "As"  # the pad


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"[scanner.decks.red]\n{deck_of('R').replace('As', 'Ks')}", "no code leads to As"),
        (f"[scanner.decks.red]\n{deck_of('R')}\nextra = 'As'", "more than one code leads to the same card"),
        (f"[scanner.decks.red]\n{deck_of('R').replace('R00', 'As')}", "the code As is the name of another card"),
        (f"[scanner.decks.red]\n{deck_of('R').replace('R00', 'aS')}", "the code aS is the name of another card"),
        (f"[scanner.decks.red]\n{deck_of('R').replace('R00', '10h')}", "the code 10h is the name of another card"),
        (f"[scanner.decks.red]\n{deck_of('R')}\n[scanner.decks.blue]\n{deck_of('R')}", "has this code already"),
        (f"[scanner.decks.red]\n{deck_of('R').replace('As', 'Zz')}", "not a card"),
        ("[deck]\ncount_within_rounds = -1", "deck.count_within_rounds: input should be greater than or equal to 0"),
    ],
)
def test_codes_that_cannot_name_a_whole_deck_stop_the_start(folder: Folder, text: str, fault: str) -> None:
    folder.table(PRESENTER + text)
    assert any(fault in line for line in folder.refusal())


def test_only_presenter_tables_have_a_deck_count_or_practice(folder: Folder) -> None:
    for text in ("practice = true", "[deck]\ncount_within_rounds = 5"):
        folder.table(TABLE + text)
        assert any('dealing = "presenter"' in line for line in folder.refusal()), text


def test_practice_currency_is_reserved(folder: Folder) -> None:
    config = folder.service_file('[service]\ncurrency = "XTS"')
    assert folder.refusal() == [f"{config}: service.currency: XTS is the money of practice tables"]
