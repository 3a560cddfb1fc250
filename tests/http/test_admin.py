"""User administration over HTTP: only for admins, in the audit log, and effective at once."""

import json

import pytest
from sqlalchemy import select

from casino.storage.schema import audit
from casino.users.roles import Role
from tests.http.conftest import PASSWORD, Asker

pytestmark = pytest.mark.req("SEC")

NEW = "another horse battery staple"


async def signed_in(asker: Asker, name: str, password: str = PASSWORD) -> str:
    answer = await asker.post("/api/login", {"name": name, "password": password})
    assert answer.status == 200, await answer.text()
    return str((await answer.json())["token"])


async def actions(asker: Asker) -> list[tuple[str, str, str, str]]:
    async with asker.database.reading() as connection:
        rows = await connection.execute(select(audit).where(audit.c.actor == "Ada").order_by(audit.c.id))
        return [(row.action, row.target, row.before, row.after) for row in rows if row.action != "signed_in"]


async def test_only_an_admin_manages_users(asker: Asker) -> None:
    tokens = [None, await asker.guest()]
    for role in (Role.PRESENTER, Role.MANAGER, Role.FINANCE):
        await asker.add(f"One {role}", role)
        tokens.append(await signed_in(asker, f"One {role}"))
    for token in tokens:
        wanted = 401 if token is None else 403
        assert (await asker.get("/api/admin/users", token)).status == wanted
        body = {"name": "Eve", "role": "admin", "password": NEW}
        assert (await asker.post("/api/admin/users", body, token)).status == wanted


async def test_admin_adds_finds_and_changes_staff(asker: Asker) -> None:
    await asker.add("Ada", Role.ADMIN)
    admin = await signed_in(asker, "Ada")
    answer = await asker.post("/api/admin/users", {"name": "Pia", "role": "presenter", "password": NEW}, admin)
    assert answer.status == 200, await answer.text()
    pia = await answer.json()
    assert (pia["name"], pia["role"], pia["disabled"], pia["second_factor"]) == ("Pia", "presenter", False, False)
    weak = await asker.post("/api/admin/users", {"name": "Max", "role": "manager", "password": "short"}, admin)
    assert (weak.status, (await weak.json())["error"]["code"]) == (400, "weak_password")
    taken = await asker.post("/api/admin/users", {"name": "PIA", "role": "manager", "password": NEW}, admin)
    assert "taken" in (await taken.json())["error"]["message"]
    listed = await (await asker.get("/api/admin/users?words=pi", admin)).json()
    assert [user["name"] for user in listed["users"]] == ["Pia"]
    first = await (await asker.get("/api/admin/users?limit=1", admin)).json()
    second = await (await asker.get(f"/api/admin/users?limit=1&after={first['next']}", admin)).json()
    assert [first["users"][0]["name"], second["users"][0]["name"]] == ["Ada", "Pia"]

    place = f"/api/admin/users/{pia['id']}"
    token = await signed_in(asker, "Pia", NEW)
    assert (await asker.post(f"{place}/role", {"role": "manager"}, admin)).status == 200
    assert (await asker.me(token))[0] == 401, "a session of another role has ended"
    token = await signed_in(asker, "Pia", NEW)
    assert (await asker.me(token))[1]["role"] == "manager"
    assert (await asker.post(f"{place}/password", {"password": PASSWORD}, admin)).status == 200
    assert (await asker.me(token))[0] == 401
    token = await signed_in(asker, "Pia")
    assert (await asker.post(f"{place}/disable", {}, admin)).status == 200
    assert (await asker.me(token))[0] == 401
    refused = await asker.post("/api/login", {"name": "Pia", "password": PASSWORD})
    assert refused.status == 401
    assert (await asker.post(f"{place}/enable", {}, admin)).status == 200
    await signed_in(asker, "Pia")
    assert [(action, target) for action, target, _, _ in await actions(asker)] == [
        (action, f"user {pia['id']}")
        for action in ("user_added", "role_changed", "password_changed", "user_disabled", "user_enabled")
    ]
    changed = (await actions(asker))[1]
    assert [json.loads(value) for value in changed[2:]] == [{"role": "presenter"}, {"role": "manager"}]


async def test_admin_cannot_lock_out_their_own_account_or_turn_players_into_staff(asker: Asker) -> None:
    me = await asker.add("Ada", Role.ADMIN)
    admin = await signed_in(asker, "Ada")
    for path, body in (
        ("disable", {}),
        ("role", {"role": "finance"}),
        ("second-factor/reset", {}),
        ("password", {"password": NEW}),  # without the current one
    ):
        answer = await asker.post(f"/api/admin/users/{me.id}/{path}", body, admin)
        assert (answer.status, (await answer.json())["error"]["code"]) == (403, "forbidden"), path
    player = await asker.add("Ann", Role.PLAYER)
    pia = await asker.add("Pia", Role.PRESENTER)
    for user, role in ((player, "manager"), (pia, "player")):
        assert (await asker.post(f"/api/admin/users/{user.id}/role", {"role": role}, admin)).status == 403
    assert (await asker.post(f"/api/admin/users/{pia.id}/second-factor/reset", {}, admin)).status == 409
    assert (await asker.post("/api/admin/users/nobody/disable", {}, admin)).status == 404
    players = await (await asker.get("/api/admin/users?role=player", admin)).json()
    assert [user["name"] for user in players["users"]] == ["Ann"]


async def test_characters_that_a_database_refuses_are_no_defect(asker: Asker) -> None:
    await asker.add("Ada", Role.ADMIN)
    admin = await signed_in(asker, "Ada")
    for text in ("%00", "a%00b", "%E2%80%AE"):
        assert (await asker.get(f"/api/admin/users?after={text}", admin)).status == 400
        for path, body in (("disable", {}), ("role", {"role": "manager"}), ("password", {"password": NEW})):
            assert (await asker.post(f"/api/admin/users/{text}/{path}", body, admin)).status == 404
