"""Episodes revisited in a later session: last seen and one reinforcement more, once for each session (RockBot)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.core.dream.operations import Create, OperationKind, Rewrite
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Author, Memory
from shared.core.memory.provenance import read_sources
from tests.unit.phases.gather.test_plan_gather import RULE, SAID_AT, excerpt, memory, plan, said

STATEMENT = "The staging cluster runs in eu-north-1."
LATER = SAID_AT + timedelta(days=9)


def gathered() -> Memory:
    """A memory as the dream after the first session left it."""
    first = excerpt(RULE)
    (operation,) = plan([said(first, RULE, STATEMENT)], first).operations
    (create,) = operation.changes
    assert isinstance(create, Create)
    return replace(memory(create.path, create.content), author=Author.DREAM, signals=create.signals)


def revisited(known: Memory, *sessions: str) -> Rewrite | None:
    places = [excerpt(RULE, session=session, at=LATER) for session in sessions]
    made = plan([said(one, RULE, STATEMENT, target=known.path) for one in places], *places, existing=(known,))
    if not made.operations:
        assert {skip.code for skip in made.skips} == {"known_already"}
        return None
    (operation,) = made.operations
    (rewrite,) = operation.changes
    assert (operation.kind, operation.reason.split(":")[0]) == (
        OperationKind.GATHER,
        f"Seen again in sessions of {LATER.date()} (save)",
    )
    assert isinstance(rewrite, Rewrite)
    return rewrite


def test_a_later_session_adds_one_reinforcement_and_moves_last_seen() -> None:
    known = gathered()
    rewrite = revisited(known, "sesn_2")
    assert rewrite is not None
    assert rewrite.signals.reinforcement_count == known.signals.reinforcement_count + 1
    assert rewrite.signals.last_seen_at == LATER
    assert body_of(rewrite.content) == body_of(known.content)
    assert [source.session_id for source in read_sources(rewrite.content)] == ["sesn_1", "sesn_2"]


def test_the_same_session_counts_once_however_often_it_is_gathered() -> None:
    known = gathered()
    assert revisited(known, "sesn_1") is None
    rewrite = revisited(known, "sesn_2")
    assert rewrite is not None
    assert revisited(replace(known, content=rewrite.content, signals=rewrite.signals), "sesn_2") is None


@pytest.mark.parametrize("number", [2, 3])
def test_each_later_session_counts(number: int) -> None:
    known = gathered()
    rewrite = revisited(known, *(f"sesn_{n + 2}" for n in range(number)))
    assert rewrite is not None
    assert rewrite.signals.reinforcement_count == known.signals.reinforcement_count + number


def test_a_memory_of_unknown_origin_or_of_a_user_gets_no_revisit() -> None:
    known = gathered()
    assert revisited(replace(known, signals=replace(known.signals, by_person=True)), "sesn_2") is None
    assert revisited(replace(known, content=f"# Note\n\n{STATEMENT}\n"), "sesn_2") is None
