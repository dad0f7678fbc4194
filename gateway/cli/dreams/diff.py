"""Show the effect of an operation on each memory as a unified diff."""

from collections.abc import Iterator
from difflib import unified_diff

from rich.text import Text

from gateway.cli.console.output import safe, say
from shared.core.dream.effects import Effect
from shared.core.memory.model import MemoryState
from shared.ports.dreams import RecordedOperation

_MAX_LINES = 60
_MAX_REASON_CHARS = 600
#: Between the parts of a reason.
_PART = "; "
_DIFF_SIGNS = ("  +", "  -", "   ")
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def print_diff(recorded: RecordedOperation, *, whole: bool = False) -> None:
    """Print every memory that an operation changed or would change."""
    for effect in recorded.effects:
        lines = list(_lines(effect))
        shown = lines if whole else lines[:_MAX_LINES]
        for line in shown:
            say(line, hang=3 if line.plain.startswith(_DIFF_SIGNS) else None)
        if len(shown) < len(lines):
            say(f"  … {len(lines) - len(shown)} more lines; --whole shows them", "dim")


def shorten_reason(reason: str) -> str:
    """Shorten a reason with very many parts, such as hundreds of links: the first parts and the number of the others."""
    if len(reason) <= _MAX_REASON_CHARS:
        return reason
    head, _, tail = reason[:_MAX_REASON_CHARS].rpartition(_PART)
    more = reason.count(_PART) - head.count(_PART)
    return f"{head or tail}{_PART}… {more} more; dreams show --whole shows them" if more else f"{tail}…"


def diff_text(recorded: RecordedOperation) -> str:
    """Return the same diff as plain text."""
    return "\n".join(line.plain for effect in recorded.effects for line in _lines(effect))


def _lines(effect: Effect) -> Iterator[Text]:
    before = effect.before.content if effect.before else ""
    is_gone = effect.after.state is not MemoryState.LIVE
    after = "" if is_gone else effect.after.content
    yield safe(f"  {_headline(effect)}", "bold")
    if effect.before is not None and before == after:
        return
    diff = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    for number, line in enumerate(diff):
        if number >= 2:
            yield safe(f"  {line}", _STYLES.get(line[:1], ""))
    if is_gone and effect.after.stub:
        yield safe(f"  stub: {effect.after.stub}", "yellow")


def _headline(effect: Effect) -> str:
    path = effect.after.path
    if effect.before is None:
        return f"{path} (new)"
    if effect.after.state is MemoryState.ARCHIVED:
        return f"{path} (archived)"
    if effect.after.state is MemoryState.SUPERSEDED:
        return f"{path} (superseded)"
    return f"{path} (kept: its staleness clock is reset)" if effect.before.content == effect.after.content else path
