"""Kinds and formats of exports."""

from enum import StrEnum


class ExportKind(StrEnum):
    SETTLEMENTS = "settlements"
    SUMMARY = "summary"
    LEDGER = "ledger"
    POKER_HANDS = "poker_hands"
    POKER_PLAYERS = "poker_players"


class Format(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    JSON = "json"


class RoundFormat(StrEnum):
    """Formats of a round file."""

    HTML = "html"
    JSON = "json"
