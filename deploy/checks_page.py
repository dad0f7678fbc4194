"""Write docs/checks.md from the checks themselves: `python -m deploy.checks_page > docs/checks.md`."""

import sys
from collections.abc import Iterable

from shared.core.checks.updates import CHECKS, REPEAT_CHECKS, Check, Outcome

_HEAD = """# Checks

Why was a change refused, or only proposed? A model names statements by number; before anything is written, the host checks each change
against the tables below (`shared/core/checks/updates.py`). `python -m deploy.checks_page` generates this page, and a test compares the
two. A change that passes every check loses nothing: the replaced statement stays under `## Superseded`, word for word.

| what becomes of a change that does not pass | |
|---|---|
"""
_MEANINGS = {
    Outcome.REFUSE: "It is left out, counted under its code, and listed by `slowwave dreams show`.",
    Outcome.PERSON: "It is proposed, with the reason.",
    Outcome.CONFIRM: "A second reader, who does not know the first one's reasons, is asked whether anything is lost. It is proposed "
    "unless that reader finds nothing lost.",
}
_FOOT = """
A model that has not passed [its exam](exam.md) changes nothing by itself: what passes the checks is proposed. With
`merge.verified=propose` a store asks a person in every case. A change that a model itself is not sure of (a confidence below 0.7) goes
to the second reader, too, and below 0.5 to a person. Without a person no more than half of a memory's statements are replaced at once
(two in any case), and no more than a twentieth of what was shown (ten in any case).
"""


def render_page() -> str:
    """Return the page."""
    meanings = "".join(f"| {one} | {_MEANINGS[one]} |\n" for one in Outcome)
    updates = _table("A statement that a later one changed", CHECKS)
    return _HEAD + meanings + updates + _table("A statement that others say, too", REPEAT_CHECKS) + _FOOT


def _table(title: str, checks: Iterable[Check]) -> str:
    rows = "".join(f"| `{one.code}` | {one.holds_when} | {one.outcome} |\n" for one in checks)
    return f"\n## {title}\n\n| check | holds when | else |\n|---|---|---|\n{rows}"


if __name__ == "__main__":
    sys.stdout.write(render_page())
