"""A secret opens its key until it expires; other texts are not tokens."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.core.tenants.api_keys import ApiKey, build_token, decide_key_valid, hash_secret, split_token
from shared.core.tenants.roles import Role
from tests.unit.builders import NOW

SOON, LATELY = NOW + timedelta(seconds=1), NOW - timedelta(seconds=1)
KEY = ApiKey(id="key_1", tenant_id="acme", name="cli", role=Role.AGENT, secret_hash=hash_secret("new"))
ROTATED = replace(KEY, previous_hash=hash_secret("old"), previous_until=SOON)


def test_a_key_is_opened_by_its_secret_and_by_no_other() -> None:
    assert decide_key_valid(KEY, "new", NOW)
    assert not decide_key_valid(KEY, "old", NOW)
    assert not decide_key_valid(KEY, "", NOW)
    assert not decide_key_valid(None, "new", NOW)


@pytest.mark.parametrize(("expires_at", "opens"), [(SOON, True), (NOW, False), (LATELY, False)])
def test_a_key_ends_at_its_moment(expires_at: datetime, opens: bool) -> None:
    assert decide_key_valid(replace(ROTATED, expires_at=expires_at), "new", NOW) is opens
    assert decide_key_valid(replace(ROTATED, expires_at=expires_at), "old", NOW) is opens


def test_a_revoked_key_is_opened_by_neither_secret() -> None:
    for secret in ("new", "old"):
        assert not decide_key_valid(replace(ROTATED, revoked_at=LATELY), secret, NOW)


@pytest.mark.parametrize(("until", "opens"), [(SOON, True), (NOW, False), (LATELY, False), (None, False)])
def test_the_secret_before_a_rotation_is_good_for_its_grace(until: datetime | None, opens: bool) -> None:
    rotated = replace(ROTATED, previous_until=until)
    assert decide_key_valid(rotated, "old", NOW) is opens
    assert decide_key_valid(rotated, "new", NOW)


def test_a_token_says_which_key_it_is_for() -> None:
    assert split_token(build_token("key_01J", "a_b")) == ("key_01J", "a_b")


@pytest.mark.parametrize(
    "text",
    ["", "swk_", "swk_01J", "swk_01J_", "swk__x", "swk_0/1_x", "key_01J_x", "swk_01J_\u00e9", "swk_01J_" + "x" * 200],
)
def test_a_malformed_token_is_not_looked_up(text: str) -> None:
    assert split_token(text) is None


def test_a_key_shows_nothing_of_its_secret() -> None:
    assert KEY.secret_hash not in repr(KEY)
