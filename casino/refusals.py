"""Refusal sentences for players: one reason per situation, with its code and its English sentence.

The pages show these sentences in the player's language (`web/src/lib/i18n`); the English ones travel as a fallback.
Where situations share a code, `params.reason` tells them apart.
"""

from collections.abc import Mapping
from enum import StrEnum
from string import Formatter
from typing import Final

from casino.errors import Code, Param, Refusal
from casino.money import format_amount

AMOUNTS: Final = frozenset({"minimum", "maximum", "chip", "left", "limit"})
"""Parameters in minor units. `currency` names their currency; without it they are amounts of the table."""
MOMENTS: Final = frozenset({"until"})
"""Parameters in UTC milliseconds."""
_TABLE_CURRENCY: Final = "EUR"  # a table shows amounts with two decimals, whatever currency its players have


class Reason(StrEnum):
    """Closed list of situations in which a player is refused. A reason named like its code is that code's default."""

    def __new__(cls, code: Code, reason: str, sentence: str) -> "Reason":
        member = str.__new__(cls, reason)
        member._value_ = reason
        member.code = code
        member.sentence = sentence
        return member

    code: Code
    sentence: str

    # Requests
    NOT_AUTHENTICATED = Code.NOT_AUTHENTICATED, "not_authenticated", "Please sign in."
    FORBIDDEN = Code.FORBIDDEN, "forbidden", "Your account can't do this."
    BAD_REQUEST = Code.BAD_REQUEST, "bad_request", "Something is wrong with this entry. Check it and try again."
    NOT_FOUND = Code.NOT_FOUND, "not_found", "This doesn't exist, or it isn't yours."
    RATE_LIMITED = Code.RATE_LIMITED, "rate_limited", "Too many requests. Wait a moment, then try again."
    INTERNAL = Code.INTERNAL, "internal", "Something went wrong on our side. Nothing has changed."
    KEY_REUSED = Code.KEY_REUSED, "key_reused", "This was already sent with another amount. Start again."
    OTHER_SITE = Code.FORBIDDEN, "other_site", "Open our own page to play; other sites can't use this service."
    BUSY = Code.RATE_LIMITED, "busy", "We are very busy right now. Try again shortly."

    # Signing in
    WRONG_CREDENTIALS = Code.NOT_AUTHENTICATED, "wrong_credentials", "Wrong username or password."
    ACCOUNT_DISABLED = Code.NOT_AUTHENTICATED, "account_disabled", "This account is disabled. Please contact us."
    SECOND_FACTOR_REQUIRED = (
        Code.SECOND_FACTOR_REQUIRED,
        "second_factor_required",
        "Enter the code from your authenticator app.",
    )
    WRONG_CODE = (
        Code.SECOND_FACTOR_REQUIRED,
        "wrong_code",
        "That code is wrong, too old or used already. Enter a new one.",
    )
    TRY_AGAIN_LATER = Code.RATE_LIMITED, "try_again_later", "Too many attempts. Try again in {seconds} seconds."
    SIGN_IN_BUSY = Code.RATE_LIMITED, "sign_in_busy", "Too many people are signing in right now. Please try again."
    NO_GUESTS = Code.FORBIDDEN, "no_guests", "Guests can't play here. Please create an account."
    NO_GUEST_NAME = Code.INTERNAL, "no_guest_name", "We couldn't find a free guest name. Please try again."

    # Names and passwords
    NAME_TAKEN = Code.BAD_REQUEST, "name_taken", "This username is taken. Choose another one."
    NAME_EMPTY = Code.BAD_REQUEST, "name_empty", "Enter a username."
    NAME_TOO_LONG = Code.BAD_REQUEST, "name_too_long", "A name can have at most {characters} characters."
    NAME_INVISIBLE = Code.BAD_REQUEST, "name_invisible", "A name can't contain invisible or control characters."
    NAME_SPACES = Code.BAD_REQUEST, "name_spaces", "A name can't start or end with a space or contain two in a row."
    NAME_ACCENT = Code.BAD_REQUEST, "name_accent", "A name can't start with an accent."
    NAME_SYMBOLS = (
        Code.BAD_REQUEST,
        "name_symbols",
        "A name can't contain , ; | \" and can use = + - @ only right after a letter or digit.",
    )
    NAME_ALPHABETS = Code.BAD_REQUEST, "name_alphabets", "Use letters of one alphabet only."
    NAME_RESERVED = Code.BAD_REQUEST, "name_reserved", "This name looks like one of our staff. Choose another one."
    NAME_UNWANTED = Code.BAD_REQUEST, "name_unwanted", "This name isn't allowed. Choose another one."
    WEAK_PASSWORD = Code.WEAK_PASSWORD, "weak_password", "This password is too easy to guess. Choose another one."
    PASSWORD_TOO_SHORT = Code.WEAK_PASSWORD, "password_too_short", "A password needs at least {characters} characters."
    PASSWORD_TOO_LONG = Code.BAD_REQUEST, "password_too_long", "A password can have at most {characters} characters."
    PASSWORD_IS_NAME = Code.WEAK_PASSWORD, "password_is_name", "Choose a password that isn't your name."
    PASSWORD_SEQUENCE = (
        Code.WEAK_PASSWORD,
        "password_sequence",
        "This password is a simple sequence or repetition. Choose one that is harder to guess.",
    )
    PASSWORD_COMMON = (
        Code.WEAK_PASSWORD,
        "password_common",
        "This is one of the most common passwords. Choose one that is harder to guess.",
    )
    WRONG_PASSWORD = Code.FORBIDDEN, "wrong_password", "Your current password is wrong."
    NO_PASSWORD = Code.FORBIDDEN, "no_password", "Guests have no password."
    SESSION_ENDED = Code.NOT_FOUND, "session_ended", "That device is already signed out."

    # Tables
    NO_SUCH_TABLE = Code.NO_SUCH_TABLE, "no_such_table", "This table doesn't exist."
    TABLE_CLOSED = Code.TABLE_CLOSED, "table_closed", "This table is closed."
    TABLE_FULL = Code.TABLE_FULL, "table_full", "You have no seat at this table. You'll get the next free one."
    SEAT_TAKEN = Code.TABLE_FULL, "seat_taken", "That seat is taken. Choose another one."
    TABLE_ALONE = Code.FORBIDDEN, "table_alone", "This table can't be combined with others. Leave {table} first."
    OTHER_TABLE_ALONE = (
        Code.FORBIDDEN,
        "other_table_alone",
        "{table} can't be combined with other tables. Leave it first.",
    )
    NOT_AT_TABLE = Code.NOT_IN_ROUND, "not_at_table", "You aren't at this table on this device. Join it first."
    TABLE_BUSY = Code.RATE_LIMITED, "table_busy", "The table is very busy. Try again."
    LEAVING_UNSAVED = (
        Code.INTERNAL,
        "leaving_unsaved",
        "You have left. We return an open bet as soon as we can.",
    )
    OUTCOME_UNKNOWN = (
        Code.INTERNAL,
        "outcome_unknown",
        "We don't know yet whether this was saved. Watch your seat.",
    )
    NOT_SAVED = Code.INTERNAL, "not_saved", "We can't save changes right now. Your bets are unchanged."
    TABLE_FAILED = Code.INTERNAL, "table_failed", "Something went wrong at this table. Your bets are unchanged."

    TABLE_STOPPED = Code.INTERNAL, "table_stopped", "This table has stopped. Choose another one; your bets are safe."

    # Bets
    STALE_ROUND = Code.STALE_ROUND, "stale_round", "That round is over."
    NO_ROUND = Code.STALE_ROUND, "no_round", "No round is being played. Wait for the next one."
    TABLE_PAUSED = Code.TABLE_PAUSED, "table_paused", "The table is paused. Your bets are unchanged."
    DECISION_PAUSED = (
        Code.TABLE_PAUSED,
        "decision_paused",
        "The table is paused. Your timer is reset when play resumes.",
    )
    BETTING_CLOSED = Code.BETTING_CLOSED, "betting_closed", "Betting is closed."
    TRIPS_WITHOUT_ANTE = Code.TRIPS_WITHOUT_ANTE, "trips_without_ante", "Place an ANTE before you bet on TRIPS."
    BELOW_MINIMUM = Code.BELOW_MINIMUM, "below_minimum", "That is below the minimum."
    ANTE_BELOW_MINIMUM = Code.BELOW_MINIMUM, "ante_below_minimum", "The ANTE must be at least {minimum}."
    TRIPS_BELOW_MINIMUM = Code.BELOW_MINIMUM, "trips_below_minimum", "TRIPS must be at least {minimum}."
    ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "above_maximum", "That is above the maximum."
    ANTE_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "ante_above_maximum", "The ANTE can be at most {maximum}."
    TRIPS_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "trips_above_maximum", "TRIPS can be at most {maximum}."
    NOT_A_CHIP_MULTIPLE = Code.NOT_A_CHIP_MULTIPLE, "not_a_chip_multiple", "This table's chips can't make that amount."
    NOT_A_MULTIPLE_OF = Code.NOT_A_CHIP_MULTIPLE, "not_a_multiple_of", "Bets must be multiples of {chip}."
    INSUFFICIENT_FUNDS = Code.INSUFFICIENT_FUNDS, "insufficient_funds", "Your balance doesn't cover this."

    # Decisions
    NOT_IN_ROUND = Code.NOT_IN_ROUND, "not_in_round", "You have no bet in this round."
    NOT_OFFERED = Code.NOT_OFFERED, "not_offered", "This choice isn't available now."
    NOT_OPEN_YET = Code.NOT_OFFERED, "not_open_yet", "It isn't time for this decision yet."
    NOT_YOUR_TURN = Code.NOT_YOUR_TURN, "not_your_turn", "It isn't your turn."
    ALREADY_DECIDED = Code.ALREADY_DECIDED, "already_decided", "You have already decided."
    TOO_LATE = Code.TOO_LATE, "too_late", "Time is up."

    # Poker room
    REGISTRATION_CLOSED = Code.REGISTRATION_CLOSED, "registration_closed", "Registration is closed."
    ALREADY_REGISTERED = Code.ALREADY_REGISTERED, "already_registered", "You are already registered."
    NOT_REGISTERED = Code.NOT_REGISTERED, "not_registered", "You aren't registered for this tournament."
    REQUIREMENTS_NOT_MET = (
        Code.REQUIREMENTS_NOT_MET,
        "requirements_not_met",
        "Your account doesn't meet the requirements of this tournament yet.",
    )
    TICKET_UNUSABLE = Code.TICKET_UNUSABLE, "ticket_unusable", "This ticket can't be used here."
    TOO_MANY_TABLES = Code.TOO_MANY_TABLES, "too_many_tables", "You play at too many tables. Leave one first."
    BLOCKED = Code.BLOCKED, "blocked", "You can't do this at the moment. Please contact us."
    NO_SUCH_STAKE = Code.NOT_FOUND, "no_such_stake", "This stake isn't offered."
    OTHER_CURRENCY = Code.FORBIDDEN, "other_currency", "These tables are played in another currency."
    STAKE_TOO_HIGH = Code.INSUFFICIENT_FUNDS, "stake_too_high", "You need at least {minimum} to sit down at this stake."
    SEAT_LAPSED = Code.TOO_LATE, "seat_lapsed", "Your seat is no longer reserved. Join again to get a seat."
    TABLE_GONE = Code.NO_SUCH_TABLE, "table_gone", "This table is closed. Join again to get a seat."
    BUY_IN_BELOW_MINIMUM = Code.BELOW_MINIMUM, "buy_in_below_minimum", "The smallest buy-in here is {minimum}."
    BUY_IN_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "buy_in_above_maximum", "The largest buy-in here is {maximum}."
    NOT_THE_STACK = Code.BAD_REQUEST, "not_the_stack", "That isn't the stack you left with."
    TOP_UP_BELOW_MINIMUM = Code.BELOW_MINIMUM, "top_up_below_minimum", "Add at least {minimum}."
    TOP_UP_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "top_up_above_maximum", "You can add at most {maximum}."
    STACK_FULL = Code.NOT_OFFERED, "stack_full", "You have as many chips as this table allows."
    LEAVING_TABLE = Code.NOT_OFFERED, "leaving_table", "You are leaving this table."
    NO_SEAT = Code.NOT_IN_ROUND, "no_seat", "You have no seat at this table."
    NOT_IN_HAND = Code.NOT_IN_ROUND, "not_in_hand", "You aren't in this hand."
    HAND_OVER = Code.STALE_ROUND, "hand_over", "That hand is over."
    TURN_OVER = Code.TOO_LATE, "turn_over", "This decision has already been made."
    CHECK_NOT_FREE = Code.NOT_OFFERED, "check_not_free", "You can't check: there is a bet to call."
    NOTHING_TO_CALL = Code.NOT_OFFERED, "nothing_to_call", "There is no bet to call."
    NO_RAISE = Code.NOT_OFFERED, "no_raise", "You can't bet or raise now."
    RAISE_BELOW_MINIMUM = Code.BELOW_MINIMUM, "raise_below_minimum", "Bet or raise to at least {minimum}."
    RAISE_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "raise_above_maximum", "You can bet or raise to at most {maximum}."
    NOTHING_IN_ADVANCE = Code.NOT_OFFERED, "nothing_in_advance", "There is nothing to choose in advance."
    PRICE_CHANGED = Code.TOO_LATE, "price_changed", "The bet has changed. Choose again."
    SHOW_TOO_EARLY = Code.NOT_OFFERED, "show_too_early", "You can show your cards when the hand is over."
    SHOW_TOO_LATE = Code.TOO_LATE, "show_too_late", "You can show cards only in the first seconds after the hand."
    SHOW_NOT_OPEN = (
        Code.NOT_OFFERED,
        "show_not_open",
        "Only the winner and players who folded on the last street may show cards.",
    )
    NOT_YOUR_CARDS = Code.BAD_REQUEST, "not_your_cards", "Show one or more of your own cards, each of them once."
    NO_POKER_CHAT = Code.FORBIDDEN, "no_poker_chat", "There is no chat at poker tables."
    CHAT_WITH_CARDS = Code.NOT_OFFERED, "chat_with_cards", "You can't write while you have cards."
    NO_SUCH_SEAT = Code.NOT_FOUND, "no_such_seat", "Report another player of a hand at your table."
    REPORTS_USED_UP = (
        Code.RATE_LIMITED,
        "reports_used_up",
        "You have sent as many reports as a day allows. Please contact us if it is urgent.",
    )

    # Own limits
    LIMIT_REACHED = Code.LIMIT_REACHED, "limit_reached", "This round could cost more than your own limit leaves you."
    REALITY_CHECK_DUE = Code.LIMIT_REACHED, "reality_check_due", "Confirm your reality check, then you can bet again."
    BREAK = Code.LIMIT_REACHED, "break", "You are taking a break until {until}."
    EXCLUDED = Code.LIMIT_REACHED, "excluded", "You have excluded yourself until {until}."
    EXCLUDED_FOR_GOOD = Code.LIMIT_REACHED, "excluded_for_good", "You have excluded yourself permanently."
    TIME_LIMIT = Code.LIMIT_REACHED, "time_limit", "Your time limit of {minutes} minutes is used up until {until}."
    DEPOSIT_LIMIT = (
        Code.LIMIT_REACHED,
        "deposit_limit",
        "Your deposit limit of {limit} leaves you {left} until {until}.",
    )
    LOSS_LIMIT = (
        Code.LIMIT_REACHED,
        "loss_limit",
        "Your loss limit of {limit} leaves you {left} until {until}, and this round could cost more.",
    )

    # Cashier
    NO_PAYMENTS = Code.FORBIDDEN, "no_payments", "Deposits and withdrawals aren't available here."
    PAYMENTS_PENDING = (
        Code.RATE_LIMITED,
        "payments_pending",
        "Several of your payments are still being processed. Wait until one is done.",
    )
    PAYMENT_BELOW_MINIMUM = Code.BELOW_MINIMUM, "payment_below_minimum", "The smallest amount is {minimum}."
    PAYMENT_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "payment_above_maximum", "The largest amount is {maximum}."
    PLAY_MONEY_FULL = Code.ABOVE_MAXIMUM, "play_money_full", "You can top up play money to {maximum} at most."
    NO_PLAY_MONEY_WITHDRAWAL = Code.FORBIDDEN, "no_play_money_withdrawal", "Play money can't be withdrawn."
    ABOVE_AVAILABLE = Code.INSUFFICIENT_FUNDS, "above_available", "That is more than your available balance."

    # Chat and tips
    MUTED = Code.MUTED, "muted", "You can't write at this table at the moment."
    CHAT_EMPTY = Code.BAD_REQUEST, "chat_empty", "Write something first."
    CHAT_TOO_LONG = Code.BAD_REQUEST, "chat_too_long", "A message can have at most {characters} characters."
    CHAT_LINK = Code.BAD_REQUEST, "chat_link", "Links and addresses aren't allowed in the chat."
    CHAT_UNWANTED = Code.BAD_REQUEST, "chat_unwanted", "Please choose other words."
    CHAT_REPEATED = Code.BAD_REQUEST, "chat_repeated", "You have just written that."
    NO_PRESENTER = Code.NO_PRESENTER, "no_presenter", "No presenter is at this table right now."
    TIP_BELOW_MINIMUM = Code.BELOW_MINIMUM, "tip_below_minimum", "A tip is at least {minimum}."
    TIP_ABOVE_MAXIMUM = Code.ABOVE_MAXIMUM, "tip_above_maximum", "A tip at this table is at most {maximum}."

    # History and fairness
    NO_SUCH_ROUND = Code.NOT_FOUND, "no_such_round", "We can't find this round."
    ROUND_UNREADABLE = (
        Code.INTERNAL,
        "round_unreadable",
        "We can't read the record of this round. Please contact us.",
    )
    DEALT_BY_PRESENTER = (
        Code.NOT_FOUND,
        "dealt_by_presenter",
        "A presenter dealt this round. It has no shuffle to verify.",
    )
    PROOF_TOO_EARLY = (
        Code.NOT_OFFERED,
        "proof_too_early",
        "The round isn't over yet. Its server seed is shown afterwards.",
    )
    PROOF_LOST = Code.NOT_FOUND, "proof_lost", "The proof of this round is no longer available. Please contact us."
    TRAINER_TOO_EARLY = Code.NOT_OFFERED, "trainer_too_early", "The round isn't over yet. Come back when it is."
    TRAINER_FAILED = Code.INTERNAL, "trainer_failed", "We couldn't work out these values. Try again shortly."

    @property
    def is_default(self) -> bool:
        """Whether the page shows this sentence for its code alone, also to refusals without a reason."""
        return str(self) == str(self.code)

    @property
    def params(self) -> frozenset[str]:
        """Names of the parameters in the sentence."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self.sentence) if name)

    def refusal(self, *, shown: Mapping[str, str] | None = None, **params: Param) -> Refusal:
        """Returns the refusal with these values. `shown` has the English texts of moments.

        Raises `TypeError` if `params` are not those of the sentence; amounts may have a `currency`.
        """
        if params.keys() - {"currency"} != self.params:
            raise TypeError(f"{self} needs {sorted(self.params)}, not {sorted(params)}")
        currency = str(params.get("currency", ""))
        texts = {
            name: _amount(int(value), currency) if name in AMOUNTS else str(value) for name, value in params.items()
        }
        message = self.sentence.format_map({**texts, **(shown or {})})
        named = {} if self.is_default else {"reason": str(self)}
        return Refusal(self.code, message, {**named, **params})


def _amount(minor: int, currency: str) -> str:
    amount = format_amount(minor, currency or _TABLE_CURRENCY)
    return f"{amount} {currency}" if currency else amount
