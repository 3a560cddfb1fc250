"""Selected live tests on a service whose gateway and tables exchange only bytes."""

from collections.abc import Iterator

import pytest

from casino.bootstrap.all_in_one import ENCODED
from tests.live.service import LiveService, started_service
from tests.live.test_console import (  # noqa: F401  the same tests, with the service below
    test_class_of_an_incident_decides_what_the_manager_may_do,
    test_floor_names_every_table_and_what_is_wrong_there,
    test_new_limits_apply_from_the_next_round_and_are_broadcast,
    test_settled_round_is_corrected_by_two_people_and_never_by_one,
)
from tests.live.test_disconnection import (  # noqa: F401
    test_a_lost_connection_returns_the_bets_of_all_its_tables,
    test_a_takeover_while_betting_keeps_the_bets_and_a_close_of_the_new_device_returns_them,
    test_the_newest_device_has_the_seat_and_the_bets_stay,
)
from tests.live.test_lobby import (  # noqa: F401
    test_lobby_is_what_the_http_route_says_and_then_every_change,
    test_two_tables_are_played_over_one_connection_and_left_one_by_one,
)
from tests.live.test_own_hands import test_each_seat_plays_its_own_cards_against_the_dealer  # noqa: F401
from tests.live.test_second_person import (  # noqa: F401
    test_colleague_takes_over_only_by_a_hand_over,
    test_finance_sees_and_answers_proposals,
)
from tests.live.test_tips import test_tip_is_paid_once_thanked_for_and_shown_at_the_console  # noqa: F401


@pytest.fixture(scope="module")
def service() -> Iterator[LiveService]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENCODED, "1")
        with started_service() as opened:
            yield opened
            opened.verify()
            assert not opened.errors()
