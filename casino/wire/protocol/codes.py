"""What each code of a refusal means, in a sentence."""

from typing import Final

from casino.errors import Code

MEANINGS: Final[dict[Code, str]] = {
    Code.NOT_AUTHENTICATED: "No session: sign in first.",
    Code.FORBIDDEN: "The session's role may not do this.",
    Code.BAD_REQUEST: "The message has the wrong shape; the sentence names the field.",
    Code.NOT_FOUND: "There is no such thing, or it is not yours.",
    Code.NO_SUCH_TABLE: "No table has this `table_id`.",
    Code.TABLE_CLOSED: "The table takes no bets now.",
    Code.TABLE_FULL: "Every seat is taken.",
    Code.BETTING_CLOSED: "Betting is not open.",
    Code.STALE_ROUND: "The round named is not the one being played.",
    Code.TABLE_PAUSED: "The round is paused; bets and decisions wait.",
    Code.BELOW_MINIMUM: "The bet is below the table's minimum.",
    Code.ABOVE_MAXIMUM: "The bet is above the table's maximum.",
    Code.NOT_A_CHIP_MULTIPLE: "The bet is no multiple of the smallest chip.",
    Code.INSUFFICIENT_FUNDS: "The balance available does not cover it.",
    Code.TRIPS_WITHOUT_ANTE: "TRIPS can only be bet together with ANTE.",
    Code.NOT_IN_ROUND: "No bet in this round, or not at this table from this connection.",
    Code.NOT_OFFERED: "This decision is not offered now.",
    Code.ALREADY_DECIDED: "Another answer is stored already.",
    Code.TOO_LATE: "The window meant is closed.",
    Code.LIMIT_REACHED: "A limit the player has set is reached.",
    Code.NO_PRESENTER: "No presenter is on shift at the table.",
    Code.NOT_PAUSED: "This is possible only while the round is paused.",
    Code.KEY_REUSED: "The key was used before, for something else.",
    Code.MUTED: "The player may not write at the moment.",
    Code.RATE_LIMITED: "Too much at once: wait a moment.",
    Code.INTERNAL: "The service failed; nothing has changed.",
    Code.DUPLICATE_CARD: "This card is already out. Console only.",
    Code.BAD_CARD: "This is no card. Console only.",
    Code.NOT_EXPECTED: "It is not the turn of this. Console only.",
}
