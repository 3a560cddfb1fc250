"""Whole tournaments of random players through the hand engine and the director, on virtual time."""

import random
from dataclasses import replace

import pytest

from casino.cli.poker.simulate_tournament import SimulatedTournament
from tests.deep import DEEP
from tests.poker.tournament.published import RULES
from tests.poker.tournament.rig import TERMS

FIELDS = [(2, 6), (3, 3), (27, 9), (60, 6), (100, 2)]
SEEDS = 100 if DEEP else 1


@pytest.mark.parametrize(("players", "seats"), FIELDS)
def test_small_fields(players: int, seats: int) -> None:
    for seed in range(SEEDS):
        terms = replace(TERMS, seats=seats, structure=RULES.structures.structure("hyper"))
        tournament = SimulatedTournament(terms, players, random.Random(seed))
        assert [*tournament.play()][-1] == 1
        assert tournament.violations == []
        assert tournament.state.credited == 900 * players


def test_a_large_tournament_keeps_its_invariants() -> None:
    """10,000 players in `make test-deep`, 200 otherwise: breaks, hand-for-hand and moves at work."""
    players = 10_000 if DEEP else 200
    terms = replace(TERMS, structure=RULES.structures.structure("turbo"))
    tournament = SimulatedTournament(terms, players, random.Random(1))
    assert [*tournament.play()][-1] == 1
    assert tournament.violations == []
    assert tournament.counts["pause_ended"] >= 1
    assert tournament.counts["player_moved"] < players
    assert tournament.largest_difference <= 5, "several players may bust in one hand"
