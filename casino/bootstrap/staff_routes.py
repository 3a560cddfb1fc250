"""Routes of staff that need the running tables: console, audit log, proposals and corrections."""

from aiohttp import web

from casino.bootstrap.all_in_one import AllInOne
from casino.clock import wall_clock
from casino.http.audit_log import AuditRoutes
from casino.http.corrections import CorrectionRoutes
from casino.http.host import HostRoutes
from casino.http.poker_floor import PokerFloorRoutes
from casino.http.proposals import ProposalRoutes
from casino.http.tournament_floor import TournamentFloorRoutes
from casino.settings import Settings
from casino.storage.database import Database


def add_staff_routes(app: web.Application, database: Database, settings: Settings, all_in_one: AllInOne) -> None:
    HostRoutes(database, all_in_one.access, settings).add_to(app)
    AuditRoutes(database, settings.casino.service.currency, wall_clock).add_to(app)
    ProposalRoutes(all_in_one.access).add_to(app)
    CorrectionRoutes(database, all_in_one.access.correct, wall_clock).add_to(app)
    PokerFloorRoutes(all_in_one.ask_poker_room).add_to(app)
    TournamentFloorRoutes(all_in_one.ask_poker_room).add_to(app)
