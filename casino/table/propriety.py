"""What is refused before the rules of the game are asked: because of who stands at the table, or whether it is open."""

from casino.errors import Code, Refusal
from casino.table.shift import Shift
from casino.uth.commands import Command, DealCard, PlaceBet, Resume, UndoCard
from casino.uth.state import Round


def verify_command(command: Command, round_: Round | None, shift: Shift, *, is_machine: bool) -> None:
    """What is taken back from a closed table is never refused here."""
    if isinstance(command, PlaceBet) and (command.ante or command.trips) and not shift.is_open:
        raise Refusal(Code.TABLE_CLOSED, "The table is closed.")
    if isinstance(command, DealCard | UndoCard):
        if is_machine:
            raise Refusal(Code.NOT_EXPECTED, "At this table only the machine deals.")
        shift.verify_on_shift(command.by)
    if round_ is None:
        code = Code.NOT_PAUSED if isinstance(command, Resume) else Code.STALE_ROUND
        raise Refusal(code, "No round is being played.")


def verify_start(by: str, shift: Shift, *, is_machine: bool, is_at_rest: bool) -> None:
    if is_machine:
        raise Refusal(Code.NOT_EXPECTED, "The machine begins its rounds by itself.")
    shift.verify_open()
    shift.verify_on_shift(by)
    if not is_at_rest:
        raise Refusal(Code.NOT_EXPECTED, "A round is being played.")


def verify_idle_hands(*, is_machine: bool, is_at_rest: bool) -> None:
    """For whoever wants to count the deck."""
    if is_machine:
        raise Refusal(Code.NOT_EXPECTED, "Nobody holds the cards of this table.")
    if not is_at_rest:
        raise Refusal(Code.NOT_EXPECTED, "The deck is counted between rounds.")
