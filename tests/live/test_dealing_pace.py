"""Pace of a machine-dealt round: players can look at a street before the next one comes."""

from tests.live.clients import Clients

CARD_MS = 500  # of the kind "paced"


async def test_dealer_pauses_between_streets_after_all_players_have_played(clients: Clients) -> None:
    table_id = clients.service.table("paced")
    player = await clients.player()
    await player.join(table_id)
    round_id = (await player.phase(table_id, None, "betting"))["round_id"]
    await player.bet(table_id, round_id, 500)
    await player.phase(table_id, round_id, "deciding_preflop")
    await player.decide(table_id, round_id, "play_4x")
    await player.phase(table_id, round_id, "settled")
    shown_ms: dict[int, int] = {}
    for round_ in player.all("round"):
        if round_["round_id"] == round_id:
            shown_ms.setdefault(len(round_["board"]) + len(round_["dealer_cards"]), round_["server_time"])
    assert shown_ms[4] - shown_ms[3] >= 3 * CARD_MS, "between flop and turn"
    assert shown_ms[6] - shown_ms[5] >= 3 * CARD_MS, "between river and showdown"
