"""The console puts the names of settings and the authors of versions into words."""

import pytest

from gateway.console.views.words import by_author, label


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("usd_per_day", "Dollars per day"),
        ("base_url", "Base URL"),
        ("api_key_variable", "API key variable"),
        ("min_hours", "Min hours"),
        ("model of gather", "Model of gather"),
        ("", ""),
    ],
)
def test_a_setting_is_named_in_words(code: str, said: str) -> None:
    assert label(code) == said


@pytest.mark.parametrize(
    ("author", "said"),
    [("dream", "by a dream"), ("agent", "by an agent"), ("import", "by an import"), ("user", "by a user")],
)
def test_an_author_is_named_as_a_sentence_names_one(author: str, said: str) -> None:
    assert by_author(author) == said
