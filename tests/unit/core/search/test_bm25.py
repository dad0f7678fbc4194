"""BM25 over texts in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.search.bm25 import TextIndex
from tests.support.laws import examples

TEXTS = [
    ("api/auth.md", "Tokens of the API are rotated every quarter by the platform team."),
    ("api/limits.md", "The rate limit is set by max_requests_per_minute in gateway.yaml."),
    ("ops/backup.md", "Backups of the database run at night and are kept for thirty days."),
]


def keys(*words: str, limit: int = 5) -> list[str]:
    return [key for key, _ in TextIndex(TEXTS).search(words, limit)]


def test_the_text_that_shares_the_most_words_comes_first() -> None:
    assert keys("backups", "database", "the")[0] == "ops/backup.md"


def test_any_of_the_words_is_enough() -> None:
    assert keys("rotated", "unheard") == ["api/auth.md"]


def test_words_that_no_text_has_find_nothing() -> None:
    assert keys("zebra") == []


def test_case_does_not_count() -> None:
    assert keys("BACKUPS") == ["ops/backup.md"]


@pytest.mark.parametrize("word", ["max_requests_per_minute", "gateway.yaml", "gateway"])
def test_an_identifier_is_found_by_its_whole_and_by_its_parts(word: str) -> None:
    assert keys(word) == ["api/limits.md"]


def test_no_more_hits_come_than_were_asked_for() -> None:
    assert len(keys("the", limit=2)) == 2


def test_a_store_that_wants_no_related_memories_gets_none() -> None:
    assert keys("backups", limit=0) == []


@pytest.mark.parametrize("query", [(), ("",), ("!!!",), ("___",)])
def test_a_query_without_words_finds_nothing(query: tuple[str, ...]) -> None:
    assert keys(*query) == []


def test_an_empty_index_finds_nothing() -> None:
    assert TextIndex([]).search(["word"], 5) == []


@pytest.mark.parametrize("word", ["naïve", "straße", "日本", "żółw"])
def test_words_of_other_languages_are_found(word: str) -> None:
    assert [key for key, _ in TextIndex([("x.md", f"one {word} two"), ("y.md", "three")]).search([word], 5)] == ["x.md"]


@given(st.lists(st.text(max_size=30), max_size=5), st.text(max_size=30))
@examples(25)
def test_no_text_and_no_query_is_an_error(texts: list[str], query: str) -> None:
    hits = TextIndex((str(number), text) for number, text in enumerate(texts)).search(query.split(), 3)
    assert all(score > 0 and int(key) < len(texts) for key, score in hits)


texts_by_key = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["one two", "two three", "three one", ""]))


@given(st.lists(texts_by_key, max_size=4), texts_by_key)
@examples(60)
def test_an_index_that_was_brought_up_to_date_finds_what_a_new_one_finds(
    earlier: list[dict[str, str]], now: dict[str, str]
) -> None:
    index = TextIndex()
    for texts in (*earlier, now):
        index.update(texts.items())
    for word in ("one", "two", "three"):
        assert sorted(key for key, _ in index.search([word], 9)) == sorted(k for k in now if word in now[k].split())
    assert len(index) == len(now)
    assert index.replaced == 0 or earlier


def test_an_index_that_grows_and_shrinks_finds_what_it_holds() -> None:
    index = TextIndex()
    for size in (3, 100, 101, 300, 5, 0, 2):
        index.update((f"{number}.md", f"note number{number}") for number in range(size))
        assert len(index) == size
        assert len(index.search(["note"], 1_000)) == size
        assert [key for key, _ in index.search([f"number{size - 1}"], 5)] == ([f"{size - 1}.md"] if size else [])
