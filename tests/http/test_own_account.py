"""Own account: changing the password, listing and ending sessions, on both databases."""

import pytest

from casino.errors import Code, Refusal
from casino.http.authorization import SESSIONS
from casino.http.device_labels import device_label
from casino.http.known_devices import KnownDevices
from casino.http.own_account import OwnAccount
from casino.security.device_cookies import DeviceCookies
from casino.security.rate_limit import MINUTE_MS
from casino.users.passwords import Passwords
from casino.users.roles import Role
from casino.users.sessions import DAY_MS, HOUR_MS
from tests.http.conftest import PASSWORD, Asker
from tests.http.test_accounts import actions, error_of

pytestmark = pytest.mark.req("SEC-2")

NEW = "another good password"


def revocations_by(asker: Asker) -> list[str]:
    revoked: list[str] = []

    async def listen(session_id: str) -> None:
        revoked.append(session_id)

    asker.app[SESSIONS].on_signed_out.append(listen)
    return revoked


async def test_changing_the_password_ends_the_other_sessions_at_once(asker: Asker) -> None:
    token, other = await asker.register(), await asker.token_of("Ann")
    found = await asker.app[SESSIONS].find(other)
    assert found is not None
    revoked = revocations_by(asker)
    answer = await asker.post("/api/password", {"current": PASSWORD, "new": NEW}, token)
    assert (answer.status, await answer.json()) == (200, {"ok": True})
    assert revoked == [found.id]
    assert ((await asker.me(token))[0], (await asker.me(other))[0]) == (200, 401)
    assert (await asker.post("/api/login", {"name": "Ann", "password": PASSWORD})).status == 401
    assert (await asker.post("/api/login", {"name": "Ann", "password": NEW})).status == 200
    assert ("Ann", "player", "password_changed") in await actions(asker.database)


async def test_wrong_current_password_changes_nothing_and_is_limited(asker: Asker) -> None:
    token, other = await asker.register(), await asker.token_of("Ann")
    codes = [
        await error_of(await asker.post("/api/password", {"current": "wrong", "new": NEW}, token)) for _ in range(6)
    ]
    assert codes == [(403, "forbidden")] * 5 + [(429, "rate_limited")]
    assert (await asker.me(other))[0] == 200
    owner = await asker.post("/api/password", {"current": PASSWORD, "new": NEW}, other)
    assert owner.status == 200, "the thief of one session does not block the owner's other one"
    assert (await asker.me(token))[0] == 401
    assert (await asker.post("/api/login", {"name": "Ann", "password": NEW})).status == 200


async def test_one_session_guesses_the_password_at_most_30_times_an_hour(one_asker: Asker) -> None:
    token, now_ms, wrong = await one_asker.register(), [0], 0
    session = await one_asker.app[SESSIONS].find(token)
    assert session is not None
    passwords = Passwords()
    sessions, database = one_asker.app[SESSIONS], one_asker.database
    devices = KnownDevices(database, DeviceCookies("k" * 64), is_encrypted=False)
    own_account = OwnAccount(database, sessions, passwords, devices=devices, limit_clock=lambda: now_ms[0])
    for _ in range(59):
        for _ in range(5):
            with pytest.raises(Refusal) as refused:
                await own_account.verify_current_password(session, "wrong")
            wrong += refused.value.code is Code.FORBIDDEN
        now_ms[0] += MINUTE_MS
    passwords.close()
    assert wrong == 30


@pytest.mark.parametrize(("role", "new"), [(Role.PLAYER, "password1"), (Role.MANAGER, "tdu9vk2xq7m")])
async def test_weak_new_password_is_refused(one_asker: Asker, role: Role, new: str) -> None:
    await one_asker.add("Sue", role)
    token = await one_asker.token_of("Sue")
    answer = await one_asker.post("/api/password", {"current": PASSWORD, "new": new}, token)
    assert await error_of(answer) == (400, "weak_password")


async def test_weak_password_is_refused_at_registration(one_asker: Asker) -> None:
    answer = await one_asker.post("/api/register", {"name": "Ann", "password": "Passw0rd!"})
    assert await error_of(answer) == (400, "weak_password")


async def test_guest_has_no_password_to_change(one_asker: Asker) -> None:
    answer = await one_asker.post("/api/password", {"current": "", "new": NEW}, await one_asker.guest())
    assert await error_of(answer) == (403, "forbidden")


async def test_sessions_are_listed_with_device_and_time_and_without_references(asker: Asker) -> None:
    first = await asker.register()
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    login = await asker.post("/api/login", {"name": "Ann", "password": PASSWORD}, User_Agent=firefox)
    second = (await login.json())["token"]
    answer = await asker.get("/api/sessions", second)
    text, listed = await answer.text(), (await answer.json())["sessions"]
    assert first not in text
    assert second not in text
    assert sorted((one["current"], one["device"]) for one in listed) == [(False, "Python"), (True, "Firefox, Linux")]
    assert all(one["expires_at"] - one["created_at"] == 30 * DAY_MS for one in listed)
    assert [(await asker.get("/api/me", one["id"])).status for one in listed] == [401, 401]


async def test_one_session_or_all_others_can_be_ended(asker: Asker) -> None:
    tokens = [await asker.register(), *[await asker.token_of("Ann") for _ in range(3)]]
    mine = tokens[0]
    revoked = revocations_by(asker)
    listed = (await (await asker.get("/api/sessions", mine)).json())["sessions"]
    one = next(session for session in listed if not session["current"])
    own = {"Authorization": f"Bearer {mine}"}
    assert (await asker.client.delete(f"/api/sessions/{one['id']}", headers=own)).status == 200
    assert (await asker.client.delete(f"/api/sessions/{one['id']}", headers=own)).status == 404
    assert len(revoked) == 1
    rest = await asker.client.delete("/api/sessions", headers=own)
    assert await rest.json() == {"ended": 2}
    assert [(await asker.me(token))[0] for token in tokens] == [200, 401, 401, 401]
    assert [action for _, _, action in await actions(asker.database)][-2:] == ["sessions_ended"] * 2


async def test_users_end_only_their_own_sessions(one_asker: Asker) -> None:
    ann, bob = await one_asker.register("Ann"), await one_asker.register("Bob")
    of_bob = (await (await one_asker.get("/api/sessions", bob)).json())["sessions"][0]["id"]
    for handle in (of_bob, of_bob[:8], "x" * 64):
        answer = await one_asker.client.delete(f"/api/sessions/{handle}", headers={"Authorization": f"Bearer {ann}"})
        assert await error_of(answer) == (404, "not_found")
    assert (await one_asker.me(bob))[0] == 200


@pytest.mark.parametrize("role", Role)
async def test_staff_are_signed_in_for_hours_and_players_for_weeks(one_asker: Asker, role: Role) -> None:
    await one_asker.add("Sue", role)
    listed = (await (await one_asker.get("/api/sessions", await one_asker.token_of("Sue"))).json())["sessions"]
    lasts_ms = listed[0]["expires_at"] - listed[0]["created_at"]
    assert lasts_ms == (30 * DAY_MS if role is Role.PLAYER else 12 * HOUR_MS)


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("curl/8.5.0", "curl"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)
def test_devices_are_named_in_a_few_words(user_agent: str, label: str) -> None:
    assert device_label(user_agent) == label
