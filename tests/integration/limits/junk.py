"""Bodies that are wrong and as large as a route lets through."""

import json
from collections.abc import Iterator
from typing import Any

from gateway.api.http.body_bounds import BoundedRoute

_FULL = 3_900_000  # just below the installation's limit


def junk(route: BoundedRoute, example: dict[str, Any]) -> Iterator[bytes]:
    """Yield wrong bodies: a million values, and as many as the route lets through, in each of its fields."""
    assert route.bounds is not None
    yield b"[" + b"[]," * (_FULL // 3) + b"[]]"
    yield b'{"a":"' + b"\\u0041" * (_FULL // 6) + b'"}'
    yield b"[" * 100_000
    most = route.bounds.values - 10
    yield json.dumps({f"key-{number}": 0 for number in range(most)}).encode()
    for name in example:
        items: tuple[list[int] | dict[str, int], ...] = ([], {}, {"a": 0, "b": 0})
        for item in items:
            yield json.dumps(example | {name: [item] * (most // (1 + len(item)))}).encode()
        yield json.dumps(example | {name: {f"key-{number}": "" for number in range(most)}}).encode()
