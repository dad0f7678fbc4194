"""Write docs/profiles.md from the profiles: `python -m deploy.pages.profiles > docs/profiles.md`.

The page compares the published defaults of five systems with ours, and gives the reason for each difference. Our values are
read from the code; a test fails on a difference without a reason.
"""

import sys
from collections.abc import Sequence

from deploy.published import SYSTEMS
from deploy.published.behaviours import BEHAVIOURS
from deploy.published.row import Row
from shared.core.policy.profiles import PROFILES, override_keys
from workers.phases import CATALOG

_HEAD = """# Profiles: the published defaults of five systems, and ours

A profile is a named preset of gates, phases and numbers: `slowwave stores set acme/default --profile rockbot --set
gates.min_hours=4`. Every setting can be overridden by itself; an unknown key or a value out of range is refused with the
allowed values. `python -m deploy.pages.profiles` generates this page, and a test compares the two. [Conformance](conformance.md) names the
test of each published behaviour.
"""


def render_page() -> str:
    """Return the page."""
    return _HEAD + "".join(_section(name, *SYSTEMS[name]) for name in SYSTEMS) + _behaviours() + _settings()


def _section(profile: str, system: str, rows: Sequence[Row]) -> str:
    head = f"\n## `{profile}`: {system}\n\n| published | default | setting | ours | why ours differs |\n|---|---|---|---|---|\n"
    return head + "".join(_line(profile, row) for row in rows)


def ours(profile: str, row: Row) -> object:
    """Return our value for a row."""
    policy = PROFILES[profile]
    return row.read(policy) if row.read else CATALOG.get_setting(policy, row.key)


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
    head = "\n## Other differences in behaviour\n\n| system | theirs | ours, and why |\n|---|---|---|\n"
    return head + "".join(f"| {system} | {theirs} | {mine} |\n" for system, theirs, mine in BEHAVIOURS)


def _settings() -> str:
    names = list(SYSTEMS)
    head = f"\n## Every setting\n\n| setting | {' | '.join(names)} |\n|{'---|' * (len(names) + 1)}\n"
    rows = (
        f"| `{key}` | {' | '.join(shown(CATALOG.get_setting(PROFILES[name], key)) for name in names)} |\n"
        for key in override_keys(CATALOG.switches)
    )
    return head + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(render_page())
