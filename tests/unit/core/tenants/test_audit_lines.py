"""A line of the audit log has changes with an arrow and lists with commas, and neither as JSON."""

import pytest

from shared.core.tenants.audit import as_change, find_changed_keys, say_detail


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (
            {"state": as_change("applied", "rejected"), "operation_id": "op_1", "force": False},
            "state: applied → rejected; operation: op_1",
        ),
        (
            {"usd_per_day": as_change(None, 20.0), "pinned": as_change(False, True)},
            "usd per day: none → 20; pinned: no → yes",
        ),
        ({"quiet_hours": as_change("22:00-06:00", "")}, "quiet hours: 22:00-06:00 → none"),
        ({"overrides": find_changed_keys({"a.b": 1}, {"a.b": 2, "c": 1_000})}, "overrides: a.b 1 → 2, c none → 1,000"),
        ({"events": ["dream.finished", "review.needed"]}, "events: dream.finished, review.needed"),
        ({"create": ["m1", "m2", "m3", "m4"], "update": []}, "create: m1, m2, m3 and 1 more"),
        ({"rows": {"audit": 2, "calls": 3}}, "rows: audit 2, calls 3"),
        ({"changed": True, "sha256": "0123456789abcdef"}, "changed: yes; sha256: 0123456789ab…"),
    ],
)
def test_a_detail_is_said_in_words(detail: dict[str, object], said: str) -> None:
    assert say_detail(detail) == said
