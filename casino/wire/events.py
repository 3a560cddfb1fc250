"""Events and acknowledgements of the server.

The models define what clients may rely on. The running service builds plain payloads, not models. The pages' types and
the protocol document are generated from the models, and tests validate payloads of played rounds against them.
"""

from casino.wire.host_events import ACKS_TO_HOSTS, TO_HOSTS
from casino.wire.player_events import ACKS_TO_PLAYERS, TO_PLAYERS, Loudness, Refused, Round, Settings

__all__ = ["ACKS_TO_HOSTS", "ACKS_TO_PLAYERS", "TO_HOSTS", "TO_PLAYERS", "Loudness", "Refused", "Round", "Settings"]
