"""A look at what an edit changes tells the same writers as a look at every statement."""

from random import Random

from shared.core.memory.writers import Rank, Writer, Writers
from shared.core.trust.edited import inherit_edit
from shared.core.trust.inherit import Written, inherit, writers_by_key

_OWNER, _USER, _AGENT = (Writer(rank, rank.word) for rank in (Rank.OWNER, Rank.USER, Rank.AGENT))
_BLOCKS = (
    "---\ntitle: Deploys\n---", "# Deploy", "## Days", "**Files:**", "Tag it first. Then it is built; it takes a minute.", "It runs on Mondays.",
    "- It runs on Mondays.\n- *It runs* on Fridays.\n  - only at night", "1. Build it.\n2. Run it.", "- Run it.", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
    "```\nmake deploy\n\nmake clean\n```", "> **Note:** this is old.", "> A quote.\n> Run it.", "    indented code", "**Run it.** Now.", "## Superseded\n\n- “Run it.” (until 2026-03-02)",
)  # fmt: skip


def a_text(random: Random) -> str:
    return "\n\n".join(random.choices(_BLOCKS, k=random.randint(1, 9))) + "\n"


def an_edit(text: str, random: Random) -> str:
    blocks = text.split("\n\n")
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(blocks) + 1)
        blocks[place : place + random.randint(0, 1)] = random.choices(
            (*_BLOCKS, "A line that is new."), k=random.randint(0, 2)
        )
    return "\n\n".join(blocks)


def test_a_look_at_what_differs_finds_the_same_writers() -> None:
    quick = 0
    for seed in range(3_000):
        random = Random(seed)
        first = a_text(random)
        second, third = an_edit(first, random), an_edit(first, random)
        known = inherit(second, [Written(first, Writers((_OWNER,)))], new=_USER)
        for editor in (_AGENT, _USER, _OWNER):
            found = inherit_edit(third, second, known, editor)
            if found is None:
                continue
            quick += 1
            # Two sources that are one are compared statement by statement.
            whole = inherit(third, [Written(second, known), Written(second, known)], new=editor)
            assert writers_by_key(Written(third, found)) == writers_by_key(Written(third, whole)), (seed, second, third)
            assert set(found.by) == set(whole.by), (seed, second, third)
    assert quick > 1_000
