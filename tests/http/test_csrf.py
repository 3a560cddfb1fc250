"""CSRF protection: pages of other sites can do nothing with a visitor's browser."""

import pytest

from casino.security.credentials import COOKIE
from casino.settings import ServiceSettings
from casino.settings.service import Service
from tests.http.conftest import Asker

pytestmark = pytest.mark.req("SEC-7")

FOREIGN = ["https://evil.example", "null", "http://127.0.0.1:1", "", "http://localhost.evil.example"]


@pytest.fixture
def service_settings() -> ServiceSettings:
    service = Service(public_url="https://casino.example", allowed_origins=["http://localhost:5173"])
    return ServiceSettings().model_copy(update={"service": service})


@pytest.mark.parametrize("origin", FOREIGN)
async def test_foreign_origin_is_refused_also_with_a_right_token(one_asker: Asker, origin: str) -> None:
    token = await one_asker.guest()
    for answer in (
        await one_asker.post("/api/guest", {}, Origin=origin),
        await one_asker.post("/api/logout", token=token, Origin=origin),
        await one_asker.get("/api/me", token, Origin=origin),
        await one_asker.get("/api/tables", Origin=origin),
    ):
        assert answer.status == 403
        assert (await answer.json())["error"]["code"] == "forbidden"
    assert (await one_asker.me(token))[0] == 200


async def test_own_origins_are_accepted(one_asker: Asker) -> None:
    here = f"http://127.0.0.1:{one_asker.client.port}"
    for origin in (here, "https://casino.example", "http://localhost:5173"):
        assert (await one_asker.post("/api/guest", {}, Origin=origin)).status == 200


async def test_pages_of_named_origins_may_read_the_answers_and_ask_beforehand(one_asker: Asker) -> None:
    friend = "http://localhost:5173"
    answer = await one_asker.get("/api/me", await one_asker.guest(), Origin=friend)
    assert answer.headers["Access-Control-Allow-Origin"] == friend
    assert "Origin" in answer.headers["Vary"]
    refused = await one_asker.get("/api/me", Origin=friend)
    assert (refused.status, refused.headers["Access-Control-Allow-Origin"]) == (401, friend)
    question = {"Origin": friend, "Access-Control-Request-Method": "PUT"}
    asked = await one_asker.client.options("/api/settings", headers=question)
    assert asked.status == 204
    assert "PUT" in asked.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    foreign = await one_asker.client.options("/api/settings", headers=question | {"Origin": "https://evil.example"})
    assert foreign.status == 403
    for answer in (foreign, await one_asker.get("/api/tables")):
        assert "Access-Control-Allow-Origin" not in answer.headers


async def test_script_without_origin_is_accepted_by_token_and_by_cookie(one_asker: Asker) -> None:
    first, second = await one_asker.guest(), await one_asker.guest()
    assert (await one_asker.post("/api/logout", token=first)).status == 200
    assert (await one_asker.post("/api/logout", Cookie=f"{COOKIE}={second}")).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something-new"])
async def test_browser_that_says_it_comes_from_elsewhere_is_refused(one_asker: Asker, site: str) -> None:
    token = await one_asker.guest()
    answer = await one_asker.post("/api/logout", Cookie=f"{COOKIE}={token}", Sec_Fetch_Site=site)
    assert answer.status == 403
    assert (await one_asker.me(token))[0] == 200
    assert (await one_asker.get("/", Sec_Fetch_Site=site)).status == 200, "a link from elsewhere leads here"


@pytest.mark.parametrize("site", ["same-origin", "none"])
async def test_own_page_is_accepted(one_asker: Asker, site: str) -> None:
    token = await one_asker.guest()
    assert (await one_asker.post("/api/logout", Cookie=f"{COOKIE}={token}", Sec_Fetch_Site=site)).status == 200
