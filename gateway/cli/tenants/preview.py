"""Print what a change of a store's settings would do, for `slowwave stores set --preview`."""

from collections.abc import Sequence
from datetime import datetime

from gateway.cli.console.output import print_json, print_table, say
from shared.services.tenants.preview_policy import PolicyPreview


def print_preview(found: PolicyPreview, *, as_json: bool) -> None:
    """Print the settings that would differ, and when the store would have dreamt."""
    if as_json:
        print_json(
            {
                "store": found.store.name,
                "since": found.since,
                "until": found.until,
                "differences": {key: list(pair) for key, pair in found.differences.items()},
                "dreamt": found.dreamt,
                "present": found.present,
                "wanted": found.wanted,
                "usd_per_dream": found.usd_per_dream,
            }
        )
        return
    if found.differences:
        rows = [(key, _plain(before), _plain(after)) for key, (before, after) in found.differences.items()]
        print_table("Settings that would change", ("setting", "now", "then"), rows)
    else:
        say("No setting would change.")
    days = (found.until - found.since).days
    say(
        f"In the last {days} days it would have dreamt {_times(found.wanted.dreams)}"
        f" ({_times(found.present.dreams)} with the current settings; it actually dreamt {_times(found.dreamt)}).",
        "bold",
    )
    for at in found.wanted.dreams[-_SHOWN:]:
        say(f"  {at:%a %Y-%m-%d %H:%M} UTC")
    if found.wanted.shut:
        said = ", ".join(f"{gate} {number:,}" for gate, number in found.wanted.shut.items())
        say(f"Checks that would have ended at a gate: {said}", "dim")
    say("Replayed from writes, feedback and sessions; pauses, budgets and a busy agent are left out.", "dim")


#: The most dreams to list.
_SHOWN = 20


def _times(dreams: Sequence[datetime]) -> str:
    return "once" if len(dreams) == 1 else f"{len(dreams):,} times"


def _plain(value: object) -> object:
    return "null" if value is None else value
