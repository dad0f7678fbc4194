"""A page that a person wrote, a pinned or a core one: others' statements enter, replace or hide it only with a person's word."""

from dataclasses import replace

import pytest

from shared.core.dream.allowed_changes import find_guarded
from shared.core.dream.effects import Effect
from shared.core.dream.operations import KINDS, Extent, OperationKind
from shared.core.memory.model import Author, Maturity, Memory, MemoryState, Signals
from tests.unit.builders import memory

GUARDED = {
    "written by a person": Signals(by_person=True),
    "pinned": Signals(pinned=True),
    "core memory": Signals(maturity=Maturity.CORE),
}
BY_GUARD = pytest.mark.parametrize("why", GUARDED)
PAGE = memory("ops/deploy.md", "# Deploy\n\nTag it. The build broke yesterday.\n", author=Author.DREAM)
NOTE = memory("ops/note.md", "# Deploy\n\nTag it. The build broke yesterday. Run the script.\n")
ENTERING = ["MERGE", "GATHER", "CORRECT", "ANNOTATE", "REPAIR_SKILL", "RESTORE_EDIT", "INFER"]
HIDING = ["MERGE", "FOLD", "RETIRE", "ARCHIVE", "ARCHIVE_STALE", "EXPIRE", "FORGET", "COMPACT", "UNRATIFY"]


def guarded(why: str) -> Memory:
    return replace(PAGE, signals=GUARDED[why])


def says(one: Memory, content: str) -> Effect:
    return Effect(before=one, after=replace(one, content=content))


def hides(one: Memory, successor: Memory | None = None) -> Effect:
    gone = replace(one, state=MemoryState.SUPERSEDED, superseded_by=successor.id if successor else None)
    return Effect(before=one, after=gone)


def stays(one: Memory) -> Effect:
    return Effect(before=one, after=one)


@BY_GUARD
@pytest.mark.parametrize("kind", ENTERING)
def test_no_statement_of_others_enters_a_guarded_page(why: str, kind: str) -> None:
    found = find_guarded(OperationKind(kind), [says(guarded(why), NOTE.content), hides(NOTE, PAGE)])
    assert found == f"it would change ops/deploy.md ({why})"


@BY_GUARD
@pytest.mark.parametrize("kind", HIDING)
def test_no_memory_of_others_takes_the_place_of_a_guarded_page(why: str, kind: str) -> None:
    found = find_guarded(OperationKind(kind), [stays(NOTE), hides(guarded(why), NOTE)])
    assert found == f"it would hide ops/deploy.md ({why})"


def test_a_page_of_a_person_goes_when_it_says_so_itself_unless_it_is_pinned() -> None:
    found = {}
    for why in GUARDED:
        over = replace(guarded(why), content=f"---\nexpires: 2026-03-01\n---\n{PAGE.content}")
        found[why] = find_guarded(OperationKind.EXPIRE, [hides(over)])
    told = "it would hide ops/deploy.md (pinned)"
    assert found == {"written by a person": None, "pinned": told, "core memory": None}


@pytest.mark.parametrize("kind", sorted({*ENTERING, *HIDING}))
def test_pages_of_agents_are_merged_changed_and_retired_as_before(kind: str) -> None:
    assert find_guarded(OperationKind(kind), [says(PAGE, NOTE.content), hides(NOTE, PAGE)]) is None


@BY_GUARD
@pytest.mark.parametrize(
    "kind", [kind for kind in OperationKind if KINDS[kind].extent in {Extent.LINKS, Extent.SPLITS}]
)
def test_links_and_splits_bring_nothing_of_others(why: str, kind: OperationKind) -> None:
    assert find_guarded(kind, [says(guarded(why), "---\nrelated: [ops/note.md]\n---\n" + PAGE.content)]) is None


@BY_GUARD
def test_a_page_may_get_the_dates_of_its_own_phrases(why: str) -> None:
    dated = PAGE.content.replace("yesterday", "yesterday (2026-03-01)")
    assert find_guarded(OperationKind.TEMPORAL_UPDATE, [says(guarded(why), dated)]) is None


@BY_GUARD
def test_a_dated_page_that_would_call_a_statement_superseded_waits(why: str) -> None:
    ended = '# Deploy\n\nThe build broke yesterday.\n\n## Superseded\n\n- "Tag it."\n'
    assert find_guarded(OperationKind.TEMPORAL_UPDATE, [says(guarded(why), ended)])


@BY_GUARD
def test_a_dated_page_whose_tags_would_change_waits(why: str) -> None:
    assert find_guarded(OperationKind.TEMPORAL_UPDATE, [says(guarded(why), "---\ntags: [x]\n---\n" + PAGE.content)])


@BY_GUARD
def test_a_note_that_says_no_more_may_go_into_a_guarded_page_that_stays_as_it_is(why: str) -> None:
    assert find_guarded(OperationKind.MERGE, [stays(guarded(why)), hides(NOTE, PAGE)]) is None


@BY_GUARD
def test_of_two_guarded_pages_with_one_text_one_may_be_folded(why: str) -> None:
    twin = replace(guarded(why), id="mem_twin", path="ops/twin.md")
    assert find_guarded(OperationKind.FOLD, [stays(twin), hides(guarded(why), twin)]) is None
    assert find_guarded(OperationKind.FOLD, [stays(replace(twin, signals=Signals())), hides(guarded(why), twin)])


def test_pages_that_persons_wrote_last_are_merged_with_each_other_unless_pinned_or_core() -> None:
    def merged(signals: Signals, author: Author = Author.USER) -> str | None:
        mine = replace(PAGE, author=Author.USER, signals=Signals(by_person=True))
        other = replace(NOTE, author=author, signals=signals)
        return find_guarded(OperationKind.MERGE, [says(mine, NOTE.content), hides(other, mine)])

    assert merged(Signals(by_person=True)) is None
    assert merged(Signals(by_person=True, pinned=True))
    assert merged(Signals(by_person=True, maturity=Maturity.CORE))
    assert merged(Signals(by_person=True), Author.AGENT), "an agent has changed it since"
    assert merged(Signals(), Author.AGENT)


@pytest.mark.parametrize("kind", OperationKind)
def test_no_kind_of_operation_writes_what_hosts_load(kind: OperationKind) -> None:
    theirs = replace(PAGE, path="app/CLAUDE.md")
    for effect in (Effect(before=None, after=theirs), says(theirs, NOTE.content)):
        assert "app/CLAUDE.md" in str(find_guarded(kind, [stays(NOTE), effect]))
    assert find_guarded(kind, [stays(theirs)]) is None
