"""What the five systems do, beyond numbers, that slowwave does otherwise on purpose: system, theirs, ours and why."""

BEHAVIOURS: tuple[tuple[str, str, str], ...] = (
    (
        "ByteRover",
        "Sources of a merge are deleted; undo restores them.",
        "Superseded, with lineage both ways: any merge can be taken back, also one of months ago.",
    ),
    (
        "ByteRover",
        "Undo reaches the last dream alone and sets `lastDreamAt` to null.",
        "Any dream or operation, the clock and counters as they were; what was edited since is left alone and reported.",
    ),
    (
        "ByteRover",
        "Archived importance and the time of eviction stand in the stub.",
        "The importance does; the time stands in the memory's history (`memory why`).",
    ),
    (
        "Claude Code",
        "“Improved N memories” is all that is said.",
        "Counts by kind, what is flagged, and, when nothing was done, why.",
    ),
    (
        "Claude Code",
        "A contradicted fact is deleted at its source.",
        "What holds now takes its place; the old words stay under `## Superseded` with the day until which they held.",
    ),
    (
        "Claude Code",
        "Relative dates are resolved by the model.",
        "The phrase stays beside the date; gather's are resolved by rules; none for a text that a dream wrote last: its day is not known.",
    ),
    (
        "RockBot",
        "`toSave` may give any category and tags.",
        "Topics only: neither a category that takes a memory out of upkeep nor one that gives it the weight of a correction.",
    ),
    (
        "RockBot",
        "A wish is counted within one conversation log, which is cleared after each pass.",
        "Over dreams: words like those of a new wish that a user said in the 30 days before it count, too.",
    ),
    (
        "RockBot",
        "Entries that are only in `toDelete` are deleted.",
        "Proposed to a person: nothing goes without a replacement.",
    ),
    (
        "SwarmClaw",
        "Overlapping entries are consolidated into insights beside their sources.",
        "Both: insights beside them, and merges in their place, which need a review.",
    ),
    (
        "SwarmClaw",
        "A failed cycle starts no cooldown.",
        "A failed dream is tried again later and later, and after three in a row its store waits for a person.",
    ),
)
