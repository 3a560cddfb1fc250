"""Credentials: the header of a script, or the cookie of a page."""

import pytest

from casino.security.credentials import token_of


@pytest.mark.parametrize(
    ("authorization", "cookie", "token"),
    [
        (None, None, None),
        (None, "abc", "abc"),
        ("Bearer abc", None, "abc"),
        ("bearer  abc ", None, "abc"),
        ("Bearer abc", "other", "abc"),
        ("Bearer", "other", ""),
        ("Basic abc", "other", ""),
        ("", "other", ""),
    ],
)
def test_header_counts_and_the_cookie_only_without_one(
    authorization: str | None, cookie: str | None, token: str | None
) -> None:
    assert token_of(authorization, cookie) == token
