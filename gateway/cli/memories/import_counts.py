"""Report the counts of an import, as text or JSON, with the memories it left alone and how to overwrite them."""

from collections import Counter

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.output import say, warn
from shared.services.memories.write import WriteCounts

_SHOWN = 10


def counts_json(counts: WriteCounts) -> dict[str, object]:
    """Return the counts for `--json`, and the paths whose memories were changed here, too."""
    return {
        "created": counts.created,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "kept": counts.kept,
        "retired": counts.retired,
        "masked": counts.masked,
        "masked_kinds": Counter(counts.masked_kinds),
        "changed_here": list(counts.changed_here),
    }


def exit_if_changed_here(counts: WriteCounts) -> None:
    """Exit with the code of a conflict if the import left out what was changed here, too."""
    if counts.changed_here:
        raise typer.Exit(ExitCode.CONFLICT)


def say_counts(where: str, counts: WriteCounts) -> None:
    """Say what was written, and what was left as dreams or agents made it since the same texts were imported."""
    say(f"{where}: {counts.created} created, {counts.updated} updated, {counts.unchanged} unchanged")
    if counts.masked:
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(Counter(counts.masked_kinds).items()))
        say(f"{counts.masked} contained something like a secret or personal data, which was masked: {kinds}")
    if counts.kept:
        say(f"{counts.kept} left as they are: changed here since, while their files did not", "dim")
    if counts.retired:
        say(
            f"{counts.retired} not brought back: archived or merged here since, while their files did not change", "dim"
        )
    if counts.changed_here:
        warn(f"{len(counts.changed_here)} not taken: their files changed, and their memories here, too")
        for path in counts.changed_here[:_SHOWN]:
            warn(f"  {path}")
        if len(counts.changed_here) > _SHOWN:
            warn(f"  … and {len(counts.changed_here) - _SHOWN} more; --json lists them all", "dim")
    if counts.kept or counts.retired or counts.changed_here:
        say("`--overwrite` takes the folder's texts anyway", "dim")
