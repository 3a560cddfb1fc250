"""Shift: whether the table is open, and the presenter on duty. Independent of the round."""

from dataclasses import dataclass, replace

from casino.errors import Code, Refusal


@dataclass(frozen=True, slots=True)
class HandOver:
    """Request of a presenter to take over this table."""

    id: str
    by: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Shift:
    """`presenter` is on shift from opening the table until it is closed and its last round has ended."""

    is_open: bool
    presenter: str | None = None
    is_retired: bool = False  # the service stops and opens no table
    tips: int = 0  # received in this shift, in the default currency
    play_tips: int = 0
    wants_round: bool = False  # the presenter requested the next round
    hand_over: HandOver | None = None

    def opened(self, by: str, *, is_presenter: bool) -> "Shift":
        if self.is_retired:
            raise Refusal(Code.TABLE_CLOSED, "The service is stopping.")
        if is_presenter:
            self.verify_on_shift(by)
        if not is_presenter or by == self.presenter:
            return replace(self, is_open=True)
        return Shift(is_open=True, presenter=by)

    def with_hand_over(self, wanted: HandOver | None) -> "Shift":
        return replace(self, hand_over=wanted)

    def handed_over(self) -> "Shift":
        """Starts the shift of the presenter who requested the table."""
        assert self.hand_over is not None
        return Shift(is_open=self.is_open, presenter=self.hand_over.by, is_retired=self.is_retired)

    def tipped(self, amount: int, *, is_play_money: bool) -> "Shift":
        if is_play_money:
            return replace(self, play_tips=self.play_tips + amount)
        return replace(self, tips=self.tips + amount)

    def wanting(self, *, is_wanted: bool) -> "Shift":
        return replace(self, wants_round=is_wanted)

    def closed(self) -> "Shift":
        return replace(self, is_open=False, wants_round=False)

    def retired(self) -> "Shift":
        return replace(self, is_open=False, wants_round=False, is_retired=True)

    def at_rest(self) -> "Shift":
        """Ends the shift of a closed table once no round is running."""
        return self if self.is_open else replace(self, presenter=None, tips=0, play_tips=0, hand_over=None)

    def verify_open(self) -> None:
        if not self.is_open:
            raise Refusal(Code.TABLE_CLOSED, "The table is closed. Open it first.")
        if self.presenter is None:
            raise Refusal(Code.NO_PRESENTER, "No presenter is on shift at this table. Open it first.")

    def verify_on_shift(self, by: str) -> None:
        verify_on_shift(by, self.presenter)


def verify_on_shift(by: str, presenter: str | None) -> None:
    """After a restart no presenter is on shift; any presenter may then continue the round."""
    if presenter is not None and by != presenter:
        raise Refusal(Code.FORBIDDEN, f"{presenter} is on shift at this table. Ask to take it over.")


def verify_presenter(by: str, presenter: str | None, *, is_machine: bool) -> None:
    """Presenters act at presenter tables, and at a colleague's only after a hand-over; raises `forbidden`."""
    if is_machine:
        raise Refusal(Code.FORBIDDEN, "This table is dealt automatically. Presenters can only watch it.")
    verify_on_shift(by, presenter)
