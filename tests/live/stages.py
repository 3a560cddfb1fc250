"""Round at a presenter's table, brought to any phase and to its end with a known result."""

from typing import Final

from tests.live.clients import Clients, Host, Player
from tests.live.hands import WINDOWS, Hand

CREDIT: Final = 100_000
HAND: Final = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")
PHASES: Final = (
    "betting",
    "dealing_hole",
    "deciding_preflop",
    "dealing_flop",
    "deciding_flop",
    "dealing_river",
    "deciding_river",
    "showdown",
)
STEPS: Final = {  # phase: cards to scan and what Ann answers, when the round is in it
    "dealing_hole": (HAND.player, ""),
    "deciding_preflop": ("", "check"),
    "dealing_flop": (HAND.flop, ""),
    "deciding_flop": ("", "check"),
    "dealing_river": (HAND.turn_river, ""),
    "deciding_river": ("", "play_1x"),
    "showdown": (HAND.dealer, ""),
}
WINDOW_MS: Final = 60_000


async def play_on(host: Host, ann: Player, table_id: str, round_id: str, phases: tuple[str, ...]) -> None:
    """One step after the other, each in its phase."""
    for phase in phases:
        cards, action = STEPS[phase]
        await host.phase(table_id, round_id, phase)
        if cards:
            await host.scan(table_id, round_id, cards)
        if action:
            await ann.decide(table_id, round_id, action, phase=phase)


async def bring_to(clients: Clients, host: Host, table_id: str, phase: str) -> tuple[Player, str]:
    """Brings a round at a presenter's table to this phase, with half of the cards in dealing phases."""
    ann = await clients.player()
    await host.take_over(table_id)
    await ann.join(table_id)
    round_id = await host.start(table_id)
    await ann.bet(table_id, round_id, 500, 100)
    if phase == "betting":
        return ann, round_id
    before = PHASES[1 : PHASES.index(phase)]
    await play_on(host, ann, table_id, round_id, before)
    await host.phase(table_id, round_id, phase)
    if phase.startswith("dealing") or phase == "showdown":
        await host.scan(table_id, round_id, STEPS[phase][0].split()[0])
    return ann, round_id


async def finish(
    host: Host, table_id: str, phase: str, ann: Player, round_id: str, *, is_closing: bool = False
) -> None:
    """After an outage: the round is in the same phase, with full time, and is played to its end.

    A house that is closing may be gone with the last of its rounds: then the money is looked at later.
    """
    joined = await ann.join(table_id)
    view, seat = joined["round"], joined["seat"]
    if phase == "betting":
        assert seat["bets"]["ante"] == 0
        assert joined["available"] == CREDIT
        return
    assert (view["round_id"], view["phase"]) == (round_id, phase)
    assert seat["bets"] == {"ante": 500, "blind": 500, "trips": 100, "play": 500 if phase == "showdown" else 0}
    if phase in WINDOWS:  # with the whole time again
        assert WINDOW_MS - 30_000 < view["deadline"] - view["server_time"] <= WINDOW_MS
        assert seat["options"]
    await host.ok("watch", {"table_id": table_id})
    out = view["player_cards"] + view["board"] + view["dealer_cards"]
    cards, action = STEPS[phase]
    rest = [card for card in cards.split() if card not in out]
    if rest:
        assert len(rest) == len(cards.split()) - 1, "the cards already out are still out"
        await host.scan(table_id, round_id, " ".join(rest))
    if action:
        await ann.decide(table_id, round_id, action, phase=phase)
    await play_on(host, ann, table_id, round_id, PHASES[PHASES.index(phase) + 1 :])
    result = await ann.result(round_id)
    assert (result["staked"], result["returned"], result["result"]) == (1600, 2900, "win"), phase
    assert is_closing or await ann.money() == (CREDIT + 1300,) * 2
