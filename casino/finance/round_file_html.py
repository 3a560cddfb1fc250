"""Round file as one self-contained HTML page in plain English: no script, no image, no link, all text escaped."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from html import escape
from typing import Any, Final

from casino.audit.words import action_text
from casino.finance.html_table import Code, Html, Time, pairs, table
from casino.finance.round_file import canonical
from casino.finance.round_file_money import account_text, amount_text, change_text
from casino.finance.round_file_types import RoundFile, UnsignedRoundFile
from casino.finance.round_timeline import ACTIONS, WINDOWS, sentence
from casino.wire.card_text import card_text, is_red, slot_text

_STYLE: Final = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;width:100%;margin:.4rem 0 1.4rem}td,th{border-bottom:1px solid #ccc;padding:.3rem "
    ".5rem;text-align:left;vertical-align:top}th{white-space:nowrap}table.pairs{width:auto}"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.t{white-space:nowrap}"
    "h1,h2,h3{line-height:1.2;break-after:avoid}h2{margin:1.8rem 0 .3rem}tr{break-inside:avoid}"
    ".cards{white-space:nowrap}"
    ".card{display:inline-block;min-width:2.1em;margin:.1em .15em .1em 0;padding:.25em .2em;border:1px solid #777;"
    "border-radius:.3em;background:#fff;color:#111;font-weight:700;text-align:center;print-color-adjust:exact}"
    ".red{color:#b3121d}.big .card{min-width:2.4em;padding:.7em .2em;font-size:1.35em}.hand{margin:.2rem 0}"
    ".changed{background:#fff3bf}.note{padding:.6rem .9rem;border-left:4px solid #8a6d00;background:#fff8e1}"
    ".small{color:#555;font-size:.85em}"
    "code,pre{overflow-wrap:anywhere;white-space:pre-wrap;font-size:.82em}td code{display:block;min-width:9rem}"
    "@media print{@page{size:A4;margin:14mm}body{font-size:11px;margin:0;max-width:none}details{display:none}}"
)
_SPOTS: Final = ("ante", "blind", "trips", "play")
_STATUSES: Final = {
    "open": "Not over yet",
    "settled": "Settled",
    "cancelled": "Cancelled, all bets refunded",
    "corrected": "Re-settled with corrected cards",
    "forfeited": "Unresolved, stakes given to charity",
}
_SETTLEMENTS: Final = {
    "settled": "Settlement",
    "cancelled": "Refund",
    "reversal": "First settlement taken back",
    "corrected": "Settlement with the corrected cards",
}
_POSTING_KINDS: Final = {
    "capture": "Bets placed",
    "play": "PLAY bets",
    "play_return": "PLAY bets returned, the decisions were opened again",
    "settle": "Settlement",
    "refund": "Refund",
    "reversal": "Settlement taken back",
    "receivable": "Advance, owed by the player",
    "forfeit": "To charity",
}

View = Mapping[str, Any]


def round_page(file: RoundFile | UnsignedRoundFile) -> str:
    view, signature = file["round"], file["signature"]
    title = game_title(view)
    of_player = view.get("for_player")
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="note">Copy for {escape(of_player)}: it leaves out other players and the names of managers.</p>'
        if of_player
        else "",
        pairs(
            {
                "Table": view["table_id"],
                "Game": f"{view['game_number']}, {_day(view['day'])}",
                "Outcome": _STATUSES.get(view["status"], view["status"]),
                "Dealt by": _dealers(view),
                "Began": _moment(view["started_at"]),
                "Ended": _moment(view["ended_at"]) if view["ended_at"] else "not yet",
            }
        ),
        _played(view) if "unreadable" not in view else f"<p>{escape(view['unreadable'])}</p>",
        "<h2>Money moved</h2>",
        table(("Time (UTC)", "What", "From", "To", "Amount"), _postings(view)),
        "<h2>Chat during the round</h2>",
        table(("Time (UTC)", "Who", "Message", ""), _chat(view)),
        "<h2>Decisions by staff</h2>",
        table(("Time (UTC)", "Who", "What", "Why", "Audit row"), _audit(view)),
        "<h2>Fairness</h2>",
        _fairness(view["fairness"]) if "fairness" in view else "<p>Not available.</p>",
        "<h2>Signature</h2>",
        _signature(view, signature),
        _appendix(view),
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _dealers(view: View) -> str:
    """Every presenter with the number of cards, if the table was handed over during the round."""
    dealers = view.get("dealers", {})
    if len(dealers) > 1:
        return ", ".join(f"{name} ({count} {'card' if count == 1 else 'cards'})" for name, count in dealers.items())
    return next(iter(dealers), None) or view["presenter"] or "the machine"


def game_title(view: View) -> str:
    return f"Game {view['game_number']} of {_day(view['day'])}, table {view['table_id']}"


def game_file_name(view: View) -> str:
    """Names the downloaded file as people name the round."""
    return f"game_{view['day']}_{view['game_number'].replace(':', '')}_{view['table_id']}"


def _played(view: View) -> str:
    seats = {one["player_id"]: one for one in view["seats"]}
    names = {one["player_id"]: _who(one) for one in view["seats"]}
    shared = next((one for one in view["seats"]), None) if view["layout"] == "shared" else None
    parts = ["<h2>Cards</h2>"]
    if shared is not None:
        parts.append(_hand("Player", shared["player_cards"], shared["player_hand"]))
    parts.append(_hand("Board", view["board"], None))
    parts.append(_hand("Dealer", view["dealer_cards"], view["dealer_hand"]))
    parts += [_correction(one, seats) for one in view.get("corrections", ())]
    bets = table(("Player", "Cards", "ANTE", "BLIND", "TRIPS", "PLAY", "Decisions"), map(_seat, view["seats"]))
    parts += ["<h2>Bets and decisions</h2>", bets]
    for settled in view["settlements"]:
        parts.append(f"<h2>{escape(_SETTLEMENTS[settled['status']])}, {_moment(settled['at'])}</h2>")
        parts.append(f"<p>{escape(settled['rule'])}</p>" if "rule" in settled else "")
        rows = [row for one in settled["seats"] for row in _settled(one, seats[one["player_id"]])]
        parts.append(table(("Player", "Bet", "Staked", "Why", "Returned"), rows))
    if view["incidents"]:
        rows = [(one["incident_id"], _time(one["at"]), one["reason"], _ended(one)) for one in view["incidents"]]
        parts += ["<h2>Incidents</h2>", table(("Number", "Time (UTC)", "Problem", "How it ended"), rows)]
    is_copy = "for_player" in view
    timeline = ((_time(one["at"]), sentence(one["data"], names, is_copy=is_copy)) for one in view["journal"])
    return "".join([*parts, "<h2>What happened</h2>", table(("Time (UTC)", "What"), timeline)])


def _seat(seat: View) -> Sequence[object]:
    return (
        _who(seat),
        Html(_cards(seat["player_cards"]) + _named(seat["player_hand"])),
        *(amount_text(seat["bets"][spot], seat) for spot in _SPOTS),
        "; ".join(map(_decision, seat["decisions"])) or "none",
    )


def _settled(view: View, seat: View) -> Iterable[Sequence[object]]:
    """Lists the result spot by spot, then the whole."""
    for spot in _SPOTS:
        one = view["spots"][spot]
        if one["bet"]:
            yield (
                _who(seat),
                spot.upper(),
                amount_text(one["bet"], seat),
                one["why"],
                amount_text(one["returned"], seat),
            )
    staked, returned = amount_text(view["staked"], seat), amount_text(view["returned"], seat)
    yield _who(seat), "Total", staked, view["rule"] or "", returned


def _correction(view: View, seats: Mapping[str, View]) -> str:
    cards = ((slot_text(one["slot"]), Html(_card(one["was"])), Html(_card(one["card"]))) for one in view["cards"])
    approved = view["approved_by"] or "no second person was needed"
    parts = [
        f"<h2>Correction, {_moment(view['at'])}</h2>",
        pairs({"Reason": view["reason"], "Proposed by": view["proposed_by"], "Approved by": approved}),
        table(("Card", "Before", "After"), cards),
    ]
    if view["results"]:
        rows = [
            (
                _who(seats[one["player_id"]]),
                amount_text(one["returned_before"], seats[one["player_id"]]),
                amount_text(one["returned_after"], seats[one["player_id"]]),
                change_text(one["returned_after"] - one["returned_before"], seats[one["player_id"]]),
            )
            for one in view["results"]
        ]
        parts.append(table(("Player", "Returned before", "Returned after", "Difference"), rows))
    return "".join(parts)


def _postings(view: View) -> Iterable[Sequence[object]]:
    names = {one["player_id"]: _who(one) for one in view.get("seats", ())}
    for one in view["postings"]:
        what = _POSTING_KINDS.get(one["kind"], one["kind"].replace("_", " "))
        source, destination = account_text(one["source"], names), account_text(one["destination"], names)
        yield _time(one["at"]), what, source, destination, amount_text(one["amount"], one)


def _chat(view: View) -> Iterable[Sequence[object]]:
    for one in view["chat"]:
        yield _time(one["at"]), one["name"], one["text"], "blocked, not shown to others" if one["blocked"] else ""


def _audit(view: View) -> Iterable[Sequence[object]]:
    for one in view["audit"]:
        yield _time(one["at"]), one["actor"], action_text(one["action"]), one["reason"], one["id"]


def _ended(incident: View) -> str:
    outcomes: dict[str, str] = {
        "open": "still open",
        "resumed": "the round was resumed",
        "cancelled": "the round was cancelled and all bets refunded",
        "void": "ended with the service",
    }
    outcome = outcomes[incident["outcome"]]
    return f"{outcome}: {incident['resolution']}" if incident["resolution"] else outcome


def _signature(view: View, signature: View) -> str:
    recorded = (
        f"Row {signature['audit_row']} of the audit log holds it; the row's link in the chain is "
        f"<code>{signature['audit_digest']}</code>."
        if signature["audit_row"] is not None
        else "The audit log does not hold it."
    )
    return (
        f'<p class="small">SHA-256 of the content of this file: <code>{signature["sha256"]}</code>. {recorded} '
        f"Reference of the round: <code>{escape(view['round_id'])}</code>.</p>"
    )


def _appendix(view: View) -> str:
    links = ((one["seq"], one["kind"], Code(one["digest"])) for one in view["journal"])
    chain = table(("Number", "Event", "Link in the chain"), links)
    content = escape(canonical(view).decode())  # type: ignore[arg-type]
    return (
        f"<details><summary>Technical appendix: links of the journal chain {escape(view['journal_chain'])}</summary>"
        f"{chain}</details><details><summary>Content as JSON</summary><pre>{content}</pre></details>"
    )


def _who(seat: View) -> str:
    name: str = seat["name"] or seat["player_id"]
    return f"{name}, seat {seat['seat_no']}" if seat["seat_no"] else name


def _card(card: str) -> str:
    return f'<span class="card{" red" if is_red(card) else ""}">{card_text(card)}</span>'


def _cards(cards: Sequence[str]) -> str:
    return f'<span class="cards">{"".join(map(_card, cards))}</span>' if cards else "not dealt"


def _named(hand: View | None) -> str:
    return f'<div class="small">{escape(hand["category"].replace("_", " "))}</div>' if hand else ""


def _hand(name: str, cards: Sequence[str], hand: View | None) -> str:
    return f'<div class="hand big"><strong>{name}</strong><div>{_cards(cards)}</div>{_named(hand)}</div>'


def _fairness(view: View) -> str:
    if view["commitment"] is None:
        return "<p>A presenter dealt the cards; there was no shuffle to commit to.</p>"
    proof = view["proof"]
    if proof is None:
        return pairs({"Commitment": view["commitment"], "Deck": "shown when the round is over"})
    shown = {"Commitment": view["commitment"], "Deck": " ".join(map(card_text, proof["deck"]))}
    if proof["version"] == 1:
        shown["Secret"] = proof["secret"]
    else:
        shown["Server seed"] = proof["server_seed"]
        shown["Contributed seeds"] = ", ".join(f"{one['player']}: {one['seed']}" for one in proof["seeds"]) or "none"
    verdict = " ".join(view["faults"]) or "Fair: the cards settled on are those the committed seeds lead to."
    return pairs(shown | {"Verdict": verdict})


def _decision(decision: View) -> str:
    silent = " (no answer in time)" if decision["automatic"] else ""
    window = WINDOWS[decision["phase"]].removeprefix("the ")
    return f"{window}: {ACTIONS.get(decision['action'], decision['action'])}{silent}"


def _time(at_ms: int) -> Time:
    return Time(f"{datetime.fromtimestamp(at_ms / 1000, UTC):%H:%M:%S}")


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%-d %B %Y, %H:%M:%S} UTC"


def _day(day: str) -> str:
    return f"{date.fromisoformat(day):%-d %B %Y}"
