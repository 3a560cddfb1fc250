"""What can be exported, and how it can be written."""

from enum import StrEnum


class What(StrEnum):
    SETTLEMENTS = "settlements"
    SUMMARY = "summary"
    LEDGER = "ledger"


class Format(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    JSON = "json"


class RoundFormat(StrEnum):
    """Of the file of one round."""

    HTML = "html"
    JSON = "json"
