"""Report the counts of an import, as text or JSON, with the memories it left alone and how to overwrite them."""

from gateway.cli.console.output import say
from shared.services.memories.write import WriteCounts


def counts_json(counts: WriteCounts) -> dict[str, int]:
    """Return the counts for `--json`."""
    return {
        "created": counts.created,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "kept": counts.kept,
        "retired": counts.retired,
        "masked": counts.masked,
    }


def say_counts(where: str, counts: WriteCounts) -> None:
    """Say what was written, and what was left as dreams or agents made it since the same texts were imported."""
    say(f"{where}: {counts.created} created, {counts.updated} updated, {counts.unchanged} unchanged")
    if counts.masked:
        say(f"{counts.masked} contained something like a secret, which was masked")
    if counts.kept:
        say(f"{counts.kept} left as they are: changed here since, while their files did not", "dim")
    if counts.retired:
        say(
            f"{counts.retired} not brought back: archived or merged here since, while their files did not change", "dim"
        )
    if counts.kept or counts.retired:
        say("`--overwrite` takes the folder's texts anyway", "dim")
