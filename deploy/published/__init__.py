"""List the published defaults of five systems beside ours, with the reason for each difference: the rows of docs/profiles.md."""

from collections.abc import Mapping, Sequence

from deploy.published import byterover, claude_code, default, rockbot, swarmclaw
from deploy.published.row import Row

#: Each system with its rows, by the profile that reproduces it, in the order of the page.
SYSTEMS: Mapping[str, tuple[str, Sequence[Row]]] = {
    "default": (default.SYSTEM, default.ROWS),
    "byterover": (byterover.SYSTEM, byterover.ROWS),
    "claude-code": (claude_code.SYSTEM, claude_code.ROWS),
    "rockbot": (rockbot.SYSTEM, rockbot.ROWS),
    "swarmclaw": (swarmclaw.SYSTEM, swarmclaw.ROWS),
}
