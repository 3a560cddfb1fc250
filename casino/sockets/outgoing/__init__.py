"""Every message the server sends and every acknowledgement it gives, exactly as they are sent.

Nothing is built from these models while the service runs: views and tables build plain payloads. They say what a
client may rely on; the types of the pages and the protocol document are generated from them, and tests hold the
payloads of played rounds against them.
"""

from casino.sockets.outgoing.to_hosts import ACKS_TO_HOSTS, TO_HOSTS
from casino.sockets.outgoing.to_players import ACKS_TO_PLAYERS, TO_PLAYERS, Loudness, Refused, Round, Settings

__all__ = ["ACKS_TO_HOSTS", "ACKS_TO_PLAYERS", "TO_HOSTS", "TO_PLAYERS", "Loudness", "Refused", "Round", "Settings"]
