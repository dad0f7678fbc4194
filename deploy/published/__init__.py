"""What five systems publish, number by number, and why ours differs where it does: the rows of docs/profiles.md."""

from collections.abc import Mapping, Sequence

from deploy.published import byterover, claude_code, default, rockbot, swarmclaw
from deploy.published.row import Row

#: The system and its rows by the name of the profile that reproduces it, in the order of the page.
SYSTEMS: Mapping[str, tuple[str, Sequence[Row]]] = {
    "default": (default.SYSTEM, default.ROWS),
    "byterover": (byterover.SYSTEM, byterover.ROWS),
    "claude-code": (claude_code.SYSTEM, claude_code.ROWS),
    "rockbot": (rockbot.SYSTEM, rockbot.ROWS),
    "swarmclaw": (swarmclaw.SYSTEM, swarmclaw.ROWS),
}
