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
        "ByteRover",
        "Synthesize reads the `_index.md` of each domain.",
        "An `_index.md` that slowwave generated says no more than the titles, so these are read; one that a person or another tool wrote is read as it is.",
    ),
    (
        "ByteRover",
        "A draft is a duplicate of a synthesis from a normalised BM25 of 0.5.",
        "From half of the score that the draft has for itself: a raw score depends on the size of the store.",
    ),
    (
        "ByteRover",
        "An archived file is found by its stub.",
        "So is ours; beside that, the recall guard puts an archived memory back when no live memory answers its questions any more, and flags that.",
    ),
    (
        "ByteRover",
        "A tier falls when its importance does.",
        "A tier rises by use and falls when a lower importance is set over the API, not by time: decay is computed, not written, so that an undo restores it.",
    ),
    (
        "ByteRover",
        "A merge is made, and a review may take it back.",
        "So is ours, and what a model's text lost is put back. One whose sources may contradict each other, or whose text says things in its own words or lost most of its sources, is proposed and waits for a person, whatever a model was sure of. Pages about different subjects stay apart.",
    ),
    (
        "ByteRover",
        "A memory whose decayed importance is below 35 is a candidate for archiving; the document names no maturity.",
        "Drafts only, as its source has it: a validated memory is looked at after 120 days, a core one never.",
    ),
    (
        "ByteRover",
        "A dream runs where the files are, and pushes nothing.",
        "`export --reviewed`, and the API's `export?reviewed=true`, give only what a person has approved; `--autonomy propose` holds every change back until then.",
    ),
    (
        "ByteRover",
        "Pending merges are cleared whatever the dream made of them.",
        "A dream that was cut short keeps those that it did not act on: a suggestion is never lost.",
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
        "Claude Code",
        "The prompt begins “You are performing a dream.”",
        "The prompts have words of their own; directives replace them.",
    ),
    (
        "Claude Code",
        "Each gate is asked before the facts of the next one are read.",
        "The facts of one store are one question to the database, and those of many stores too; the verdicts come in the published order.",
    ),
    (
        "Claude Code",
        "Orient reads `MEMORY.md` and the headings for the questions that follow.",
        "Orient counts what there is and what changed, by which later phases decide; every question begins with that and the five largest domains. What else it needs to know is searched for it and stands in it.",
    ),
    (
        "Claude Code",
        "The agent looks for duplicates and contradictions in all memory files.",
        "A changed memory meets what shares its words anywhere in the store, and the rest of its folder where that has at most eight files. The same fact in quite other words in another folder is not found: it would take all texts in each question.",
    ),
    (
        "Claude Code",
        "A pointer to a file that does not exist is removed from `MEMORY.md`.",
        "One to a memory that was merged, moved or archived is. One to a file that never was in the store stays: the agent's folder may hold files that are not memories.",
    ),
    (
        "Claude Code",
        "The dream can look at the code base, read-only.",
        "It has no tools: what a text that was injected can do ends at a proposal. Memories are checked against sessions only.",
    ),
    (
        "Claude Code",
        "Later ideas of the case study: code review in the background, documentation, learning across projects, jobs that exclude each other, corrective action, other jobs on the same primitives.",
        "Not built: a dream reads and writes one store's memory and nothing else, which is what makes tenants safe from each other and every change undoable.",
    ),
    (
        "The case study",
        "The fork shares the prompt cache of its parent: system prompt, tools and messages.",
        "There is no parent. Questions of a phase begin with the same bytes: the rules, the task, the survey of the store, then the memories that several of them show. Such a beginning is marked for the cache only where it is as long as the model asks for (1,024 to 4,096 tokens), and one question is then asked before the others. Rules, task and survey have 550 to 1,250 tokens, so that Haiku caches only where questions share long memories. What one question alone shows stands behind that.",
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
        "RockBot",
        "`Correction` feedback is mined in the memory pass.",
        "A correction goes into the memory that is wrong; what it says beyond that becomes an anti-pattern where preferences are inferred, in the same dream.",
    ),
    (
        "RockBot",
        "Skill gaps and preferences are found in the full conversation log.",
        "Skill gaps in the first message of each session, which says what was asked for, once a new session begins like another one; preferences in the pieces with a wish or a correction and in similar words of 30 days. A whole log would cost its tokens in every dream.",
    ),
    (
        "RockBot",
        "Any three failures of a workflow are shown.",
        "Three of one classification, with steps: failures without a classification would look like one pattern and be several.",
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
    (
        "SwarmClaw",
        "Decayed memories carry a mark.",
        "They are counted in the log, and `memory why` shows the law and the numbers; nothing is written, so that every schedule gives the same value.",
    ),
    (
        "SwarmClaw",
        "Tier 2 reflects, and writes no syntheses.",
        "The profile does both; the switch of the phase turns the syntheses off and leaves the reflections.",
    ),
    (
        "The design",
        "Beat checks the eligibility of each tenant.",
        "One sweep finds the stores that are due, and sends a check for each of these: its work grows with what is due, not with all tenants.",
    ),
    (
        "The design",
        "SQLModel reads and writes.",
        "Its classes are the rows, and expressions over them the statements; there is no session, so that nothing is loaded or written unasked, and a fixed statement is compiled once ([queries](sql.md)).",
    ),
)
