"""Routes of the poker room for players; those of its floor are among the routes of staff."""

from aiohttp import web

from casino.bootstrap.all_in_one import AllInOne
from casino.history.poker_hands import UnsealDeck
from casino.history.tournament_results import OpenText
from casino.http.poker import PokerRoutes, no_room
from casino.http.tournaments import TournamentRoutes
from casino.settings import Settings
from casino.storage.database import Database


def add_poker_routes(
    app: web.Application, database: Database, settings: Settings, all_in_one: AllInOne | None, *, service_key: str
) -> None:
    """Without a running service no room answers and no deck is opened."""
    ask_room = all_in_one.ask_poker_room if all_in_one else no_room
    unseal: UnsealDeck = all_in_one.unsealed_deck if all_in_one else lambda _sealed: None
    open_text: OpenText = all_in_one.unsealed_text if all_in_one else lambda _sealed: None
    PokerRoutes(database, ask_room, settings.poker, unseal, service_key=service_key).add_to(app)
    TournamentRoutes(database, ask_room, open_text).add_to(app)
