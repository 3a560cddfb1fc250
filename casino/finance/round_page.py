"""A round file as one page that needs nothing else: no script, no picture, no address. Every text is escaped."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from casino.finance.period import time_text
from casino.finance.round_file import canonical
from casino.money import format_amount

_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}td,th{border-bottom:1px solid #ccc;padding:.25rem "
    ".5rem;text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "h1,h2{line-height:1.2}code{overflow-wrap:anywhere;font-size:.85em}"
)

View = dict[str, Any]


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
                (one["seq"], time_text(one["at"]), one["kind"], _plain(one["data"]), one["digest"])
                for one in told["journal"]
            ),
        ),
        "<h2>Postings</h2>",
        _table(
            ("Operation", "Time", "Kind", "From", "To", "Amount"),
            (
                (
                    f"{one['id']}/{one['line']}",
                    time_text(one["at"]),
                    one["kind"],
                    one["source"],
                    one["destination"],
                    _amount(one["amount"], one),
                )
                for one in told["postings"]
            ),
        ),
        "<h2>Audit log</h2>",
        _table(
            ("Row", "Time", "Who", "What", "Why", "Link in the chain"),
            (
                (one["id"], time_text(one["at"]), one["actor"], one["action"], one["reason"], one["digest"])
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
        _pairs({"Board": " ".join(told["board"]), "Dealer": " ".join(told["dealer_cards"])}),
        "<h2>Bets and decisions</h2>",
        _table(
            ("Player", "Cards", "ANTE", "BLIND", "TRIPS", "PLAY", "Decisions"),
            (
                (
                    f"{one['name'] or ''} ({one['player_id']})",
                    " ".join(one["player_cards"]),
                    *(_amount(one["bets"][spot], one) for spot in ("ante", "blind", "trips", "play")),
                    "; ".join(_decision(decision) for decision in one["decisions"]),
                )
                for one in told["seats"]
            ),
        ),
    ]
    for settled in told["settlements"]:
        parts.append(f"<h2>{escape(settled['status'].capitalize())}, {time_text(settled['at'])}</h2>")
        parts.append(f"<p>{escape(settled.get('rule', ''))}</p>")
        rows = (
            (
                f"{seats[one['player_id']]['name'] or ''} ({one['player_id']})",
                one["rule"] or "",
                "; ".join(f"{name.upper()}: {spot['why']}" for name, spot in one["spots"].items() if spot["bet"]),
                _amount(one["staked"], seats[one["player_id"]]),
                _amount(one["returned"], seats[one["player_id"]]),
            )
            for one in settled["seats"]
        )
        parts.append(_table(("Player", "Rule", "Spot by spot, in minor units", "Staked", "Returned"), rows))
    parts += ["<h2>Incidents</h2>", _table(("Id", "Time", "Reason", "Outcome", "Resolution"), _incidents(told))]
    return "".join([*parts, "<h2>Fairness</h2>", _fairness(told["fairness"])])


def _incidents(told: View) -> Iterable[Sequence[object]]:
    for one in told["incidents"]:
        yield one["incident_id"], time_text(one["at"]), one["reason"], one["outcome"], one["resolution"]


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


def _amount(minor: int, seat: View) -> str:
    """In the currency of the seat or posting; a seat has none before betting closes."""
    return f"{format_amount(minor, seat['currency'])} {seat['currency']}" if seat["currency"] else f"{minor}"


def _pairs(pairs: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in pairs.items())
    return f"<table>{rows}</table>"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(f'{cell}')}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>None.</p>"


def _plain(data: View) -> str:
    return json.dumps({name: value for name, value in data.items() if name not in ("kind", "version", "at_ms")})
