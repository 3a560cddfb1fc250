"""A round file as one page that needs nothing else: no script, no picture, no address. Every text is escaped."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from casino.finance.period import time_text
from casino.finance.round_file import canonical
from casino.money import format_amount

_STYLE: Final = (
    "body{font:14px/1.4 system-ui,sans-serif;max-width:84rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;width:100%;margin:.4rem 0 1.4rem}td,th{border-bottom:1px solid #ccc;padding:.2rem "
    ".5rem;text-align:left;vertical-align:top}th{white-space:nowrap}table.pairs{width:auto}"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.t{white-space:nowrap}"
    "h1,h2,h3{line-height:1.2;break-after:avoid}h2{margin:1.6rem 0 .3rem}tr{break-inside:avoid}"
    "code,pre{overflow-wrap:anywhere;white-space:pre-wrap;font-size:.82em}td code{display:block;min-width:9rem}"
    "@media print{@page{size:A4 landscape;margin:12mm}body{font-size:10px;margin:0;max-width:none}}"
)
_SPOTS: Final = ("ante", "blind", "trips", "play")

View = dict[str, Any]


class Code(str):
    """Long signs without a space: they are broken anywhere."""


class Time(str):
    """Never broken."""


class Number(str):
    """To the right."""


_CLASSES: Final[dict[type, str]] = {Number: "n", Time: "t"}


def round_page(file: View) -> str:
    told, signature = file["round"], file["signature"]
    parts = [
        f"<h1>Round {escape(told['round_id'])}</h1>",
        _pairs(
            {
                "Table": told["table_id"],
                "Game number": f"{told['day']} {told['game_number']}",
                "Status": told["status"],
                "Presenter": told["presenter"] or "the machine",
                "Began": time_text(told["started_at"]),
                "Ended": time_text(told["ended_at"]) if told["ended_at"] else "not yet",
            }
        ),
        _played(told) if "unreadable" not in told else f"<p>{escape(told['unreadable'])}</p>",
        "<h2>Timeline</h2>",
        _table(
            ("No", "Time", "What", "Details", "Link in the chain"),
            (
                (one["seq"], _time(one["at"]), one["kind"], Code(_plain(one["data"])), Code(one["digest"]))
                for one in told["journal"]
            ),
        ),
        "<h2>Postings</h2>",
        _table(
            ("Operation", "Time", "Kind", "From", "To", "Amount"),
            (
                (
                    f"{one['id']}/{one['line']}",
                    _time(one["at"]),
                    one["kind"],
                    Code(one["source"]),
                    Code(one["destination"]),
                    _amount(one["amount"], one),
                )
                for one in told["postings"]
            ),
        ),
        "<h2>Audit log</h2>",
        _table(
            ("Row", "Time", "Who", "What", "Why", "Link in the chain"),
            (
                (one["id"], _time(one["at"]), one["actor"], one["action"], one["reason"], Code(one["digest"]))
                for one in told["audit"]
            ),
        ),
        "<h2>Signature</h2>",
        _signature(signature),
        f"<details><summary>Content as JSON</summary><pre>{escape(canonical(told).decode())}</pre></details>",
    ]
    title = f"<title>Round {escape(told['round_id'])}</title>"
    head = f'<meta charset="utf-8">{title}<style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _signature(told: View) -> str:
    return (
        f"<p>The SHA-256 of the content of this file, <code>{told['sha256']}</code>, stands in row "
        f"{told['audit_row']} of the audit log, whose link in the chain is <code>{told['audit_digest']}</code>. "
        "The content as JSON, as it was hashed, stands below.</p>"
    )


def _played(told: View) -> str:
    seats = {one["player_id"]: one for one in told["seats"]}
    parts = [
        "<h2>Cards</h2>",
        _pairs({"Board": _cards(told["board"]), "Dealer": _hand(told["dealer_cards"], told["dealer_hand"])}),
        "<h2>Bets and decisions</h2>",
        _table(
            ("Player", "Cards and hand", "ANTE", "BLIND", "TRIPS", "PLAY", "Decisions"),
            (
                (
                    _who(one),
                    _hand(one["player_cards"], one["player_hand"]),
                    *(_amount(one["bets"][spot], one) for spot in _SPOTS),
                    "; ".join(_decision(decision) for decision in one["decisions"]),
                )
                for one in told["seats"]
            ),
        ),
    ]
    for settled in told["settlements"]:
        parts.append(f"<h2>{escape(settled['status'].capitalize())}, {time_text(settled['at'])}</h2>")
        parts.append(f"<p>{escape(settled['rule'])}</p>" if "rule" in settled else "")
        rows = [row for one in settled["seats"] for row in _settled(one, seats[one["player_id"]])]
        parts.append(_table(("Player", "Spot", "Staked", "Why", "Returned"), rows))
    parts += ["<h2>Incidents</h2>", _table(("Id", "Time", "Reason", "Outcome", "Resolution"), _incidents(told))]
    return "".join([*parts, "<h2>Fairness</h2>", _fairness(told["fairness"])])


def _settled(told: View, seat: View) -> Iterable[Sequence[object]]:
    """Spot by spot, and then what it comes to by which row of the rules."""
    for spot in _SPOTS:
        one = told["spots"][spot]
        if one["bet"]:
            yield _who(seat), spot.upper(), _amount(one["bet"], seat), one["why"], _amount(one["returned"], seat)
    yield _who(seat), "in all", _amount(told["staked"], seat), told["rule"] or "", _amount(told["returned"], seat)


def _who(seat: View) -> str:
    return f"{seat['name'] or ''} ({seat['player_id']})"


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards) or "not dealt"


def _hand(cards: Sequence[str], hand: View | None) -> str:
    if hand is None:
        return _cards(cards)
    return f"{_cards(cards)}: {hand['category'].replace('_', ' ')} ({' '.join(hand['cards'])})"


def _incidents(told: View) -> Iterable[Sequence[object]]:
    for one in told["incidents"]:
        yield one["incident_id"], _time(one["at"]), one["reason"], one["outcome"], one["resolution"]


def _fairness(told: View) -> str:
    if told["commitment"] is None:
        return "<p>The cards were dealt by a person; there was no shoe to promise.</p>"
    if told["deck"] is None:
        return _pairs({"Promise": told["commitment"], "Deck": "not shown"})
    verdict = " ".join(told["faults"]) or "The promise was kept: the deck was fixed before the first bet."
    shown = {"Promise": told["commitment"], "Secret": told["secret"], "Deck": " ".join(told["deck"])}
    return _pairs(shown | {"Verdict": verdict})


def _decision(decision: View) -> str:
    silent = " (no answer)" if decision["automatic"] else ""
    return f"{decision['action']}{silent} at {time_text(decision['at'])}"


def _amount(minor: int, seat: View) -> Number:
    """In the currency of the seat or posting; a seat has none before betting closes."""
    currency = seat["currency"]
    return Number(f"{format_amount(minor, currency)} {currency}" if currency else f"{minor} minor units")


def _time(at_ms: int) -> Time:
    return Time(time_text(at_ms).replace("T", " "))


def _pairs(pairs: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in pairs.items())
    return f'<table class="pairs">{rows}</table>'


def _cell(value: object) -> str:
    text = escape(f"{value}")
    if isinstance(value, Code):
        return f"<td><code>{text}</code></td>"
    name = _CLASSES.get(type(value))
    return f'<td class="{name}">{text}</td>' if name else f"<td>{text}</td>"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>None.</p>"


def _plain(data: View) -> str:
    return json.dumps({name: value for name, value in data.items() if name not in ("kind", "version", "at_ms")})
