"""Write docs/profiles.md from the profiles: `python -m deploy.profiles_page > docs/profiles.md`.

For each of the five systems: each published default, ours, and where ours differs on purpose, why. What a row says of
ours is read from the code, so that a row without a reason for a difference fails the page's test.
"""

import sys
from collections.abc import Sequence

from deploy.published import SYSTEMS
from deploy.published.behaviours import BEHAVIOURS
from deploy.published.row import Row
from shared.core.policy.profiles import PROFILES, get_setting, override_keys

_HEAD = """# Profiles: what five systems publish, and what slowwave does

A profile is a named preset of gates, phases and numbers: `slowwave stores set acme/default --profile rockbot --set
gates.min_hours=4`. Every field can be set by itself; an unknown key or a value out of its range is refused with what is
allowed. This page is made by `python -m deploy.profiles_page`, and a test compares the two.
"""


def render_page() -> str:
    """Return the page."""
    return _HEAD + "".join(_section(name, *SYSTEMS[name]) for name in SYSTEMS) + _behaviours() + _settings()


def _section(profile: str, system: str, rows: Sequence[Row]) -> str:
    head = f"\n## `{profile}`: {system}\n\n| published | default | setting | ours | why ours differs |\n|---|---|---|---|---|\n"
    return head + "".join(_line(profile, row) for row in rows)


def ours(profile: str, row: Row) -> object:
    """Return what the code has for a row."""
    policy = PROFILES[profile]
    return row.read(policy) if row.read else get_setting(policy, row.key)


def shown(value: object) -> str:
    """Return a value as the page and `--set` write it."""
    if value is None:
        return "off"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}".removesuffix(".0") if isinstance(value, int | float) else str(value)


def _line(profile: str, row: Row) -> str:
    mine = shown(ours(profile, row))
    return f"| {row.what} | {shown(row.published)} | `{row.key}` | {mine} | {row.why} |\n"


def _behaviours() -> str:
    head = "\n## What they do, and slowwave does otherwise\n\n| system | theirs | ours, and why |\n|---|---|---|\n"
    return head + "".join(f"| {system} | {theirs} | {mine} |\n" for system, theirs, mine in BEHAVIOURS)


def _settings() -> str:
    names = list(SYSTEMS)
    head = f"\n## Every setting\n\n| setting | {' | '.join(names)} |\n|{'---|' * (len(names) + 1)}\n"
    rows = (
        f"| `{key}` | {' | '.join(shown(get_setting(PROFILES[name], key)) for name in names)} |\n"
        for key in override_keys()
    )
    return head + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(render_page())
