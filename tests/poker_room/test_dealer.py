"""Shoes: sealed at rest, read by the dealer alone, proven card by card after the hand."""

import hmac
import pickle

import pytest

from casino.cards.card import DECK
from casino.cards.merkle import is_proven
from casino.poker.commands import Entrant, OpenHand
from casino.poker.events import HandOpened
from casino.poker.hand import begin, open_hand
from casino.poker.positions import Positions
from casino.poker.state import Hand
from casino.poker.terms import Game, Terms
from casino.poker_room.dealer import Dealer
from casino.poker_room.shoe import Shoe, ShoeSeal, new_shoe
from tests.poker_room.stored_tables import fixed_shoe, play

SEAL = ShoeSeal("a secret key of tests")


def dealt(game: Game, shoe: Shoe) -> Hand:
    """Seats 1, 2, 4 with the button at 2: cards go to 4, 1, 2."""
    entrants = tuple(Entrant(seat, player, 1000) for seat, player in ((1, "ann"), (2, "bob"), (4, "dee")))
    command = OpenHand("h1", "t1", 1, Terms(game, 5, 10), entrants, Positions(2, 4, 1), shoe.root)
    opened, *_ = open_hand(command, 0)
    assert isinstance(opened, HandOpened)
    return begin(opened)


def test_cards_go_clockwise_from_the_left_of_the_button_one_at_a_time() -> None:
    shoe = fixed_shoe("4c 1c 2c 4d 1d 2d".replace("1", "A") + " 5h 6h 7h 8h 9h")
    dealer = Dealer.of(shoe, dealt(Game.NLHE, shoe))
    assert [dealer.hole(seat) for seat in (4, 1, 2)] == [("4c", "4d"), ("Ac", "Ad"), ("2c", "2d")]
    assert dealer.board() == ("5h", "6h", "7h", "8h", "9h")


def test_omaha_players_get_four_cards() -> None:
    shoe = fixed_shoe()
    dealer = Dealer.of(shoe, dealt(Game.PLO, shoe))
    assert dealer.hole(4) == (DECK[0], DECK[3], DECK[6], DECK[9])
    assert dealer.board() == DECK[12:17]


def test_proofs_cover_own_board_and_shown_cards_only() -> None:
    shoe = new_shoe()
    hand, _ = play(dealt(Game.NLHE, shoe), shoe, ("raise_to 100", "call", "fold"), 5, void=False)
    dealer = Dealer.of(shoe, hand)
    folded = next(seat.seat_no for seat in hand.seats if not seat.is_live)
    for seat_no in (None, 1, 2, 4):
        proofs = dealer.proofs(hand, seat_no)
        assert all(is_proven(shoe.root, proof) for proof in proofs)
        cards = {proof.card for proof in proofs}
        assert cards >= set(hand.board)
        is_own = seat_no == folded
        assert bool(cards & set(dealer.hole(folded))) is is_own
        assert len(cards) == 5 + 4 + 2 * is_own


def test_a_hand_won_without_a_showdown_proves_nothing_hidden() -> None:
    shoe = new_shoe()
    hand, _ = play(dealt(Game.NLHE, shoe), shoe, ("fold", "fold"), 5, void=False)
    assert Dealer.of(shoe, hand).proofs(hand, None) == []


def test_a_sealed_shoe_opens_with_its_own_key_only() -> None:
    shoe = new_shoe()
    sealed = SEAL.close(shoe)
    opened = SEAL.open(sealed)
    assert opened is not None
    assert (opened.root, [opened.card(place) for place in range(52)]) == (
        shoe.root,
        [shoe.card(place) for place in range(52)],
    )
    assert ShoeSeal("another key of the tests").open(sealed) is None
    assert SEAL.open(sealed[:-9] + "AAAAAAAA=") is None
    assert not [card for card in DECK if f'"{card}"' in sealed]


def test_shoes_are_shuffled_and_each_has_its_own_secret() -> None:
    roots = {new_shoe().root for _ in range(50)}
    assert len(roots) == 50
    assert Shoe(DECK, "0" * 64).root != Shoe(DECK, "1" * 64).root


def test_the_salt_of_a_card_is_the_hmac_of_its_index() -> None:
    secret = "".join(f"{byte:02x}" for byte in range(200, 232))
    shoe = Shoe(DECK, secret)
    for index in range(len(DECK)):
        assert shoe.prove(index).salt == hmac.digest(bytes.fromhex(secret), bytes([index]), "sha256").hex()


def test_a_shoe_is_never_printed_or_pickled() -> None:
    shoe = fixed_shoe()
    assert repr(shoe) == "Shoe(face down)"
    assert repr(Dealer.of(shoe, dealt(Game.NLHE, shoe))) == "Dealer(face down)"
    with pytest.raises(TypeError):
        pickle.dumps(shoe)
