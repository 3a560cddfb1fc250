"""Second factor of staff over HTTP: enrolment, sign-in, reuse, recovery, limits, enforcement, on both databases."""

import asyncio
import base64
import time
from typing import Any

import pytest
from sqlalchemy import select

from casino.security.device_cookies import DEVICE_COOKIE
from casino.settings import ServiceSettings
from casino.settings.service import Sessions as SessionSettings
from casino.storage import schema
from casino.users.roles import Actor, Role
from casino.users.second_factor import reset
from casino.users.totp import STEP_MS, code_at
from casino.users.users import Users
from tests.http.conftest import PASSWORD, Asker
from tests.http.test_accounts import actions, error_of

pytestmark = pytest.mark.req("SEC-1")

STAFF = [role for role in Role if role is not Role.PLAYER]


class App:
    """An authenticator app: knows the secret and the time. It gives no code twice."""

    def __init__(self, secret: str) -> None:
        self.secret = base64.b32decode(secret)
        self._step = 0

    def code(self) -> str:
        """The code of this step or, if that was given, of the next one, which is accepted as well."""
        self._step = max(self._step + 1, time.time_ns() // 1_000_000 // STEP_MS)
        return code_at(self.secret, self._step)


async def begin(asker: Asker, token: str, **more: str) -> dict[str, Any]:
    answer = await asker.post("/api/second-factor/begin", {"password": PASSWORD, **more}, token)
    assert answer.status == 200, await answer.text()
    offered: dict[str, Any] = await answer.json()
    return offered


async def enrol(asker: Asker, token: str) -> tuple[App, list[str]]:
    app = App((await begin(asker, token))["secret"])
    answer = await asker.post("/api/second-factor/confirm", {"code": app.code()}, token)
    assert answer.status == 200, await answer.text()
    return app, (await answer.json())["recovery_codes"]


async def sign_in(asker: Asker, code: str | None = None, password: str = PASSWORD) -> tuple[int, str]:
    body = {"name": "Sue", "password": password} | ({} if code is None else {"code": code})
    answer = await asker.post("/api/login", body)
    found = await answer.json()
    return answer.status, found["token"] if answer.status == 200 else found["error"]["code"]


async def state(asker: Asker, token: str) -> dict[str, Any]:
    found: dict[str, Any] = await (await asker.get("/api/second-factor", token)).json()
    return found


async def test_without_enrolment_sign_in_is_as_before(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    status, token = await sign_in(asker)
    assert status == 200
    assert await state(asker, token) == {"enrolled": False, "required": False, "recovery_codes_left": 0}
    assert (await sign_in(asker, "123456"))[0] == 200, "a code that is not needed is not looked at"


async def test_enrolled_person_signs_in_with_a_code_that_is_good_once(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token, other = await asker.token_of("Sue"), await asker.token_of("Sue")
    app, recovery = await enrol(asker, token)
    assert len(set(recovery)) == 10
    assert ((await asker.me(token))[0], (await asker.me(other))[0]) == (200, 401), "sessions without it end"
    assert await sign_in(asker) == (401, "second_factor_required")
    assert await sign_in(asker, "000000") == (401, "second_factor_required")
    assert await sign_in(asker, None, "wrong password") == (401, "not_authenticated")
    code = app.code()
    assert await sign_in(asker, code, "wrong password") == (401, "not_authenticated"), "which uses no code up"
    assert (await sign_in(asker, code))[0] == 200
    assert await sign_in(asker, code) == (401, "second_factor_required")
    assert (await state(asker, token))["recovery_codes_left"] == 10
    found = [action for _, _, action in await actions(asker.database)]
    assert "second_factor_enrolled" in found
    assert "second_factor_failed" in found


async def test_concurrent_uses_of_one_code_succeed_once(asker: Asker) -> None:
    await asker.add("Sue", Role.FINANCE)
    app, _ = await enrol(asker, await asker.token_of("Sue"))
    code = app.code()
    answers = await asyncio.gather(*(sign_in(asker, code) for _ in range(5)))
    assert sorted(status for status, _ in answers) == [200, 401, 401, 401, 401]


async def test_code_of_the_enrolment_is_used_up_by_it(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token = await asker.token_of("Sue")
    app = App((await begin(asker, token))["secret"])
    code = app.code()
    assert (await asker.post("/api/second-factor/confirm", {"code": code}, token)).status == 200
    assert await sign_in(asker, code) == (401, "second_factor_required")


async def test_recovery_code_replaces_the_app_once_however_it_is_typed(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    _, recovery = await enrol(asker, await asker.token_of("Sue"))
    status, token = await sign_in(asker, recovery[0].upper().replace("-", " "))
    assert status == 200
    assert (await state(asker, token))["recovery_codes_left"] == 9
    assert await sign_in(asker, recovery[0]) == (401, "second_factor_required")


async def test_guessing_codes_is_limited_for_the_right_password_too(one_asker: Asker) -> None:
    await one_asker.add("Sue", Role.MANAGER)
    app, _ = await enrol(one_asker, await one_asker.token_of("Sue"))
    tries = [await sign_in(one_asker, f"00000{number}") for number in range(10)]
    assert tries == [(401, "second_factor_required")] * 10
    assert await sign_in(one_asker, app.code()) == (429, "rate_limited")


async def test_thief_of_the_password_uses_up_no_codes_of_the_device_that_enrolled(one_asker: Asker) -> None:
    await one_asker.add("Sue", Role.MANAGER)
    body = {"name": "Sue", "password": PASSWORD}
    signed_in = await one_asker.post("/api/login", body)
    token, before = (await signed_in.json())["token"], signed_in.cookies[DEVICE_COOKIE].value
    app = App((await begin(one_asker, token))["secret"])
    code, cookie = {"code": app.code()}, f"{DEVICE_COOKIE}={before}"
    answer = await one_asker.post("/api/second-factor/confirm", code, token, Cookie=cookie)
    assert answer.status == 200
    enrolled = answer.cookies[DEVICE_COOKIE].value
    while await sign_in(one_asker, "000000") != (429, "rate_limited"):
        pass
    body["code"] = app.code()
    stale = await one_asker.post("/api/login", body, Cookie=f"{DEVICE_COOKIE}={before}")
    assert stale.status == 429, "a device that has not passed the factor shares the thief's codes"
    own = await one_asker.post("/api/login", body, Cookie=f"{DEVICE_COOKIE}={enrolled}")
    assert own.status == 200


async def test_secret_is_sealed_and_recovery_codes_are_hashed_at_rest(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    app, recovery = await enrol(asker, await asker.token_of("Sue"))
    async with asker.database.reading() as connection:
        stored = repr((await connection.execute(select(schema.second_factors))).all())
        stored += repr((await connection.execute(select(schema.recovery_codes))).all())
        stored += repr((await connection.execute(select(schema.audit))).all())
    kept = [base64.b32encode(app.secret).decode(), app.secret.hex(), repr(app.secret)[2:-1]]
    assert not any(secret in stored for secret in kept + recovery + [code.replace("-", "") for code in recovery])


async def test_enrolment_needs_password_and_a_right_code_and_changes_nothing_before(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token = await asker.token_of("Sue")
    wrong = await asker.post("/api/second-factor/begin", {"password": "wrong password"}, token)
    assert await error_of(wrong) == (403, "forbidden")
    early = await asker.post("/api/second-factor/confirm", {"code": "000000"}, token)
    assert await error_of(early) == (409, "too_late")
    await begin(asker, token)
    refused = await asker.post("/api/second-factor/confirm", {"code": "000000"}, token)
    assert await error_of(refused) == (403, "second_factor_required")
    assert (await sign_in(asker))[0] == 200


async def test_factor_is_replaced_only_with_a_code_and_the_old_one_counts_until_then(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token = await asker.token_of("Sue")
    old, recovery = await enrol(asker, token)
    refused = await asker.post("/api/second-factor/begin", {"password": PASSWORD}, token)
    assert await error_of(refused) == (403, "second_factor_required")
    new = App((await begin(asker, token, code=recovery[0]))["secret"])
    assert (await sign_in(asker, old.code()))[0] == 200
    assert (await asker.post("/api/second-factor/confirm", {"code": new.code()}, token)).status == 200
    assert await sign_in(asker, recovery[1]) == (401, "second_factor_required"), "the old recovery codes are void"
    assert (await sign_in(asker, new.code()))[0] == 200


async def test_factor_is_removed_with_password_and_code(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token = await asker.token_of("Sue")
    app, _ = await enrol(asker, token)
    body = {"password": PASSWORD, "code": "000000"}
    assert await error_of(await asker.post("/api/second-factor/remove", body, token)) == (403, "second_factor_required")
    body["code"] = app.code()
    assert (await asker.post("/api/second-factor/remove", body, token)).status == 200
    assert (await sign_in(asker))[0] == 200


async def test_reset_removes_the_factor_and_ends_every_session(asker: Asker) -> None:
    await asker.add("Sue", Role.MANAGER)
    token = await asker.token_of("Sue")
    await enrol(asker, token)
    async with asker.database.writing() as connection:
        sue = await Users(connection).named("Sue")
        assert await reset(connection, sue, Actor("cli:root", "operator"), 1)
        assert not await reset(connection, sue, Actor("cli:root", "operator"), 1)
    assert (await asker.me(token))[0] == 401
    assert (await sign_in(asker))[0] == 200
    assert ("cli:root", "operator", "second_factor_reset") in await actions(asker.database)


async def test_players_have_no_second_factor(one_asker: Asker) -> None:
    token = await one_asker.register()
    assert await error_of(await one_asker.get("/api/second-factor", token)) == (403, "forbidden")


class TestEnforced:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(
            update={"sessions": SessionSettings(second_factor_roles=["manager", "finance"])}
        )

    async def test_person_without_one_can_sign_in_only_to_enrol(self, asker: Asker) -> None:
        await asker.add("Sue", Role.FINANCE)
        answer = await asker.post("/api/login", {"name": "Sue", "password": PASSWORD})
        body = await answer.json()
        assert (answer.status, body["must_enrol"]) == (200, True)
        token = body["token"]
        assert (await asker.me(token))[1]["must_enrol"] is True
        for path in ("/api/finance/balance", "/api/settings", "/api/sessions"):
            assert await error_of(await asker.get(path, token)) == (403, "second_factor_required")
        app, _ = await enrol(asker, token)
        assert "must_enrol" not in (await asker.me(token))[1]
        assert (await asker.get("/api/finance/balance", token)).status == 200
        body = {"password": PASSWORD, "code": app.code()}
        assert await error_of(await asker.post("/api/second-factor/remove", body, token)) == (403, "forbidden")
        assert await sign_in(asker) == (401, "second_factor_required")

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.PRESENTER, Role.ADMIN])
    async def test_other_roles_are_as_before(self, one_asker: Asker, role: Role) -> None:
        await one_asker.add("Sue", role)
        status, token = await sign_in(one_asker)
        assert status == 200
        assert "must_enrol" not in (await one_asker.me(token))[1]
        assert (await one_asker.get("/api/settings", token)).status == 200
