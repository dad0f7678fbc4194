"""A correction reaches every memory that holds the sentence which it makes untrue, or is proposed there."""

from datetime import UTC, datetime

from shared.core.dream.operations import Operation, OperationKind, Rewrite
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import Policy
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from workers.phase.shape import Surroundings
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.groups import GatherGroup
from workers.phases.gather.phase import Inputs, plan
from workers.phases.gather.spread import find_holders

DAY = datetime(2026, 3, 4, tzinfo=UTC)
OLD = "The owner of the refund policy is Payments."
NEW = "The owner of the refund policy is Support."
SAID = f"No, that's wrong. {NEW}"
AROUND = Surroundings(
    policy=Policy(), now=datetime(2026, 4, 1, tzinfo=UTC), dream_id="dream_1", live_memories=1, already_retired=0
)


def a_note(path: str, body: str) -> Memory:
    return Memory(
        id=f"mem_{path}", path=path, content=body, author=Author.AGENT, created_at=DAY, updated_at=DAY, touched_at=DAY
    )


FIRST = a_note("shop/refunds.md", f"# Refunds\n\n{OLD}\n\nRefunds take five days.\n")
SECOND = a_note("team/duties.md", f"# Duties\n\n- Legal reads contracts.\n- {OLD[:-1]}\n")
OTHER = a_note("team/rooms.md", "# Rooms\n\nPayments sits on the third floor.\n")


def corrected(
    first: Memory, *, offered: tuple[Memory, ...] = (), holders: tuple[Memory, ...] = ()
) -> dict[str, Operation]:
    line = ExcerptLine(position=1, event_id="e1", role="user", at=DAY.replace(hour=12), text=SAID, is_hit=True)
    piece = Excerpt(session_id="sesn_1", lines=(line,), reasons=())
    group = GatherGroup(key="sessions#1", excerpts=(piece,), existing=(first, *offered))
    inputs = Inputs(groups=(group,), windows=(), live_paths=frozenset({first.path}), time_zone="UTC", holders=holders)
    item = GatheredMemory(
        kind="correction", window=piece.path, quote=NEW, statement=NEW, target=first.path, replaces=OLD, confidence=0.9
    )
    found = plan(inputs, {group.key: GatherAnswer(memories=(item,))}, AROUND).operations
    return {change.path: one for one in found for change in one.changes if isinstance(change, Rewrite)}


def test_each_memory_with_the_corrected_sentence_is_corrected_whether_it_was_offered_or_not() -> None:
    for found in (corrected(FIRST, offered=(SECOND, OTHER)), corrected(FIRST, holders=(SECOND,))):
        assert {path: one.kind for path, one in found.items()} == {
            FIRST.path: OperationKind.CORRECT,
            SECOND.path: OperationKind.CORRECT,
        }
        (change,) = found[SECOND.path].changes
        assert isinstance(change, Rewrite)
        current, _, superseded = change.content.partition("## Superseded")
        assert "- The owner of the refund policy is Support\n" in current
        assert "- Legal reads contracts.\n" in current
        assert "Payments" in superseded
        assert found[FIRST.path].propose_only == found[SECOND.path].propose_only


def test_a_page_about_another_subject_with_the_same_sentence_gets_a_proposal() -> None:
    ours, theirs = (
        a_note(f"hosts/{name}.md", f"# Host {name}\n\nHost {name} runs in Paris.\n\n{OLD}\n")
        for name in ("db-1", "db-2")
    )
    found = corrected(ours, holders=(theirs,))
    assert found[ours.path].propose_only is None
    assert "about something else than hosts/db-1.md" in (found[theirs.path].propose_only or "")


def test_the_memories_that_repeat_an_offered_one_are_found_in_the_store() -> None:
    assert find_holders([FIRST, SECOND, OTHER], [FIRST], SAID) == (SECOND,)
    assert find_holders([FIRST, SECOND, OTHER], [FIRST], "The printer is out of toner.") == ()
