"""Terms of a HexaPro game: a tournament of three players whose prize pool has been drawn."""

from casino.poker.tournament.entries import Price
from casino.poker.tournament.hexapro import PLAYERS, Product
from casino.poker.tournament.structure import Structure
from casino.poker.tournament.terms import TournamentTerms


def hexapro_terms(product: Product, buy_in: int, number: int, tournament_id: str, starts_ms: int) -> TournamentTerms:
    """The terms the drawn number leads to. Raises `ValueError` for a number no draw can have."""
    prize = product.drawn(number)
    return TournamentTerms(
        tournament_id,
        product.name,
        product.game,
        PLAYERS,
        Price(buy_in),
        Structure(product.product_id, prize.minutes, product.levels),
        prize.stack,
        starts_ms,
        late_levels=0,
        unregister_ms=None,
        entries_min=PLAYERS,
        entries_max=PLAYERS,
        sync_breaks=False,
        percents=prize.percents,
        draw=product.draw(number, buy_in),
    )
