"""Published stakes, structures and products, as the service ships them."""

from typing import Final

from casino.settings.poker import PUBLISHED, load_poker

RULES: Final = load_poker(PUBLISHED)
