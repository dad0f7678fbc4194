"""Indexes that a worker keeps: a borrower gets exactly the texts that are there now, whatever was kept."""

from collections.abc import Mapping

import pytest

from shared.services.index_cache import IndexCache

TEXTS = {"a.md": "the pump", "b.md": "the radio"}


def found(kept: IndexCache, texts: Mapping[str, str], word: str, store: str = "sto_1") -> list[str]:
    with kept.borrow(store, texts.items()) as index:
        return [key for key, _ in index.search([word], 5)]


def taken_from_before(kept: IndexCache, texts: Mapping[str, str], store: str = "sto_1") -> bool:
    """A text that is there already costs a comparison: a rebuilt index has replaced nothing."""
    with kept.borrow(store, {**texts, "probe.md": "x"}.items()):
        pass
    with kept.borrow(store, texts.items()) as index:
        return index.replaced > 0


@pytest.mark.parametrize("least", [0, 100])
def test_a_store_is_searched_as_it_is_now_however_it_was(least: int) -> None:
    kept = IndexCache(least_texts=least)
    assert found(kept, TEXTS, "pump") == ["a.md"]
    assert found(kept, {"a.md": "the boiler", "c.md": "a pump"}, "pump") == ["c.md"]
    assert found(kept, {}, "pump") == []
    assert found(kept, TEXTS, "pump") == ["a.md"]


def test_a_large_store_is_indexed_once_and_a_small_one_anew() -> None:
    large = {f"{n}.md": f"note {n}" for n in range(100)}
    assert taken_from_before(IndexCache(least_texts=100), large)
    assert not taken_from_before(IndexCache(least_texts=200), large)


def test_an_index_in_which_much_was_replaced_is_made_anew() -> None:
    kept = IndexCache(least_texts=0)
    found(kept, {f"{n}.md": f"note {n}" for n in range(100)}, "note")
    found(kept, {f"{n}.md": f"other {n}" for n in range(100)}, "note")
    with kept.borrow("sto_1", [("0.md", "other 0")]) as index:
        assert index.replaced == 0


def test_two_at_a_time_never_share_an_index() -> None:
    kept = IndexCache(least_texts=0)
    found(kept, TEXTS, "pump")
    with kept.borrow("sto_1", TEXTS.items()) as one, kept.borrow("sto_1", [("c.md", "a pump")]) as other:
        assert [key for key, _ in one.search(["pump"], 5)] == ["a.md"]
        assert [key for key, _ in other.search(["pump"], 5)] == ["c.md"]


def test_one_store_never_finds_what_another_one_says() -> None:
    kept = IndexCache(least_texts=0)
    found(kept, TEXTS, "pump", "sto_1")
    assert found(kept, {"z.md": "the radio"}, "pump", "sto_2") == []
    assert found(kept, {"z.md": "the radio"}, "pump", "sto_1") == []


def test_no_more_is_kept_than_was_allowed_and_who_asked_last_stays() -> None:
    kept = IndexCache(least_texts=0, max_texts=250)
    stores = {f"sto_{n}": {f"{i}.md": f"note {i}" for i in range(100)} for n in range(3)}
    for name, texts in stores.items():
        found(kept, texts, "note", name)
    assert not taken_from_before(IndexCache(least_texts=0, max_texts=50), stores["sto_0"])
    assert [name for name, texts in stores.items() if name in kept] == ["sto_1", "sto_2"]


def test_an_index_that_an_error_interrupted_is_not_kept() -> None:
    kept = IndexCache(least_texts=0)
    with pytest.raises(ZeroDivisionError), kept.borrow("sto_1", TEXTS.items()):
        raise ZeroDivisionError
    assert "sto_1" not in kept
    assert found(kept, TEXTS, "radio") == ["b.md"]
