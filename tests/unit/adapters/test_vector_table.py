"""Vectors in memory: with numpy and without it, the same neighbours."""

import random
from collections.abc import Callable

import pytest

from shared.adapters.process_local import vector_table
from shared.adapters.process_local.vector_table import NumpyTable, PlainTable, VectorTable, has_numpy
from shared.core.search.vectors import pack_vector

_SIZE = 32
_KINDS = [PlainTable, pytest.param(NumpyTable, marks=pytest.mark.skipif(not has_numpy(), reason="numpy is an extra"))]


@pytest.fixture(params=_KINDS)
def make(request: pytest.FixtureRequest) -> Callable[[int], VectorTable]:
    found: Callable[[int], VectorTable] = request.param
    return found


def vector(*numbers: float) -> bytes:
    return pack_vector([*numbers, *[0.01] * (_SIZE // 4 - len(numbers))])


def a_table(make: Callable[[int], VectorTable], vectors: dict[str, bytes]) -> VectorTable:
    table = make(_SIZE)
    for key, one in vectors.items():
        table.put(key, one)
    return table


def test_the_nearest_come_first_and_oneself_never(make: Callable[[int], VectorTable]) -> None:
    table = a_table(make, {"a": vector(1, 0), "b": vector(1, 0.2), "c": vector(0, 1), "d": vector(1, 0.1)})
    assert table.nearest_to("a", 2) == ["d", "b"]


def test_only_what_stands_out_among_many_is_near(make: Callable[[int], VectorTable]) -> None:
    others = {f"other {n}": vector(0.2, 0, 1, *[float(n == place) for place in range(4)]) for n in range(10)}
    table = a_table(make, {"a": vector(1), "twin": vector(1, 0.05), **others})
    assert table.nearest_to("a", 5) == ["twin"]


def test_a_replaced_vector_counts_and_a_dropped_one_does_not(make: Callable[[int], VectorTable]) -> None:
    table = a_table(make, {"a": vector(1), "b": vector(1, 0.1), "c": vector(0, 1), "d": vector(1, 0.2)})
    table.put("c", vector(1, 0.01))
    table.drop("b")
    table.drop("never there")
    assert table.nearest_to("a", 3) == ["c", "d"]
    assert len(table) == 3
    assert table.nearest_to("b", 3) == []


def test_a_vector_of_another_length_is_left_out(make: Callable[[int], VectorTable]) -> None:
    table = a_table(make, {"a": vector(1), "b": vector(1)})
    table.put("b", pack_vector([1.0, 2.0]))
    assert len(table) == 1
    assert table.nearest(pack_vector([1.0, 2.0]), 3) == []


def test_without_numpy_only_the_newest_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_table, "MAX_PLAIN", 2)
    table = a_table(PlainTable, {"first": vector(1), "second": vector(1, 0.1), "third": vector(1, 0.2)})
    assert table.nearest(vector(1), 3) == ["second", "third"]
    assert table.most_asked < 10**6


@pytest.mark.skipif(not has_numpy(), reason="numpy is an extra")
def test_both_tables_find_the_same() -> None:
    draw = random.Random(5)
    vectors = {f"{n}": pack_vector([draw.gauss(0, 1) for _ in range(_SIZE // 4)]) for n in range(300)}
    plain, quick = a_table(PlainTable, vectors), a_table(NumpyTable, vectors)
    for key in draw.sample(sorted(vectors), 40):
        plain.drop(key)
        quick.drop(key)
    for key, one in vectors.items():
        assert (plain.nearest_to(key, 5), plain.nearest(one, 5)) == (quick.nearest_to(key, 5), quick.nearest(one, 5))
