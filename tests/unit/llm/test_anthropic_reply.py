from datetime import UTC, datetime

import pytest

from shared.adapters.llm.sdk_reply import retry_after_seconds

NOW = datetime(2026, 11, 21, 3, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sat, 21 Nov 2026 03:01:30 GMT"}, 90.0),
        ({"retry-after": "Sat, 21 Nov 2026 03:01:30 -0000"}, 90.0),
        ({"retry-after": "Sat, 21 Nov 2026 02:00:00 GMT"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later"}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_wait_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_seconds(headers, NOW) == seconds
