"""List behaviour of the five systems, beyond numbers, that slowwave changes on purpose: the system, theirs, ours and why."""

BEHAVIOURS: tuple[tuple[str, str, str], ...] = (
    (
        "ByteRover",
        "Sources of a merge are deleted; undo restores them.",
        "Superseded, with lineage both ways: any merge can be undone, even after months.",
    ),
    (
        "ByteRover",
        "Undo reaches the last dream alone and sets `lastDreamAt` to null.",
        "Any dream or operation, with clock and counters restored; later edits stay.",
    ),
    (
        "ByteRover",
        "The stub holds the archived importance and the time of eviction.",
        "The stub holds the importance; the memory's history has the time (`memory why`).",
    ),
    (
        "Claude Code",
        "The log says only “Improved N memories”.",
        "The log has counts by kind, flags, and the reason when nothing was done.",
    ),
    (
        "Claude Code",
        "A contradicted fact is deleted at its source.",
        "The current fact replaces it; the old words stay under `## Superseded` with the day on which they ended.",
    ),
    (
        "Claude Code",
        "Relative dates are resolved by the model.",
        "The phrase stays beside the date. Gather resolves dates by rules. Texts that a dream wrote last are left alone, since their day is unknown.",
    ),
    (
        "RockBot",
        "`toSave` may set any category and tags.",
        "Topics only: no category that exempts a memory from upkeep or gives it the weight of a correction.",
    ),
    (
        "RockBot",
        "Wishes are counted within one conversation log, which is cleared after each pass.",
        "Wishes are counted across dreams: similar words of a user in the 30 days before count, too.",
    ),
    (
        "RockBot",
        "Entries that are only in `toDelete` are deleted.",
        "Proposed for review: nothing is removed without a replacement.",
    ),
    (
        "SwarmClaw",
        "Overlapping entries are consolidated into insights beside their sources.",
        "Both: insights beside the sources, and merges that replace them, which need a review.",
    ),
    (
        "SwarmClaw",
        "A failed cycle starts no cooldown.",
        "A failed dream is retried with backoff; after three in a row its store is quarantined.",
    ),
)
