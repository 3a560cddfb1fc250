"""Whether the table is open, and who stands at it. Nothing here is about the round."""

from dataclasses import dataclass, replace

from casino.errors import Code, Refusal


@dataclass(frozen=True, slots=True)
class Shift:
    """`presenter` is on shift from opening the table until it is closed and its last round has ended."""

    is_open: bool
    presenter: str | None = None
    is_retired: bool = False  # the service stops: nothing opens any more
    tips: int = 0  # given to the presenter in this shift, in the house's currency
    play_tips: int = 0
    wants_round: bool = False  # the presenter has asked for the next round

    def opened(self, by: str, *, is_presenter: bool) -> "Shift":
        if self.is_retired:
            raise Refusal(Code.TABLE_CLOSED, "The service is stopping.")
        if not is_presenter or by == self.presenter:
            return replace(self, is_open=True)
        return Shift(is_open=True, presenter=by)

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
        """No round is being played: whoever closed the table may go."""
        return self if self.is_open else replace(self, presenter=None, tips=0, play_tips=0)

    def verify_open(self) -> None:
        if not self.is_open:
            raise Refusal(Code.TABLE_CLOSED, "The table is closed. Open it first.")
        if self.presenter is None:
            raise Refusal(Code.NO_PRESENTER, "No presenter is on shift at this table.")

    def verify_on_shift(self, by: str) -> None:
        """After a restart nobody is on shift, and the round must go on: then any presenter may."""
        if self.presenter is not None and by != self.presenter:
            raise Refusal(Code.FORBIDDEN, f"{self.presenter} is on shift at this table. Open it to take over.")
