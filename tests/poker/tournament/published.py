"""The published stakes, structures and products, as the service ships them."""

import os
from typing import Final

from casino.settings.poker import PUBLISHED, load_poker

RULES: Final = load_poker(PUBLISHED)
DEEP: Final = bool(os.environ.get("CASINO_TEST_DEEP"))
