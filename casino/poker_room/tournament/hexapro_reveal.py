"""View of a HexaPro draw for the three players of its game."""

from casino.poker_room.tournament.hexapro_lines import Line
from casino.poker_room.tournament.hexapro_store import CommittedDraw
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.wire.poker_hexapro import HexaReveal


def reveal_view(running: RunningTournament, line: Line, draw: CommittedDraw, now_ms: int) -> HexaReveal:
    terms = running.state.terms
    assert terms.draw is not None
    (table,) = running.tables.values()
    return {
        "tournament_id": running.tournament_id,
        "line": line.line,
        "product": line.product.product_id,
        "game_no": draw.no,
        "buy_in": line.buy_in,
        "multiplier": terms.draw.multiplier,
        "number": draw.number,
        "secret": draw.secret,
        "commitment": draw.commitment,
        "prizes": [*running.state.prizes],
        "stack": terms.stack,
        "level_minutes": terms.structure.minutes,
        "first_hand_at": table.next_hand_at or now_ms,
        "table_id": table.terms.table_id,
    }
