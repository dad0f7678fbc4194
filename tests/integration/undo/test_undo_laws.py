"""The laws of undo, for stores, dreams and edits that Hypothesis makes up."""

from collections import Counter
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, event, given
from hypothesis import strategies as st

from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author
from shared.ports.dreams import RecordedOperation
from shared.services.memories.write import NewText
from shared.services.operations.redo import redo_dream
from shared.services.operations.undo import UndoReport, undo_dream
from tests.integration.undo.invented_dreams import ENDINGS, PATHS, SAID, invent_llm, invent_store, invent_text
from tests.support.builders import a_store, get_operations, get_store, run_dream, take_picture, write
from tests.support.laws import examples
from tests.support.session_builders import tell

ENDING = st.integers(0, len(ENDINGS) - 1)
SEED = st.integers(0, 10_000)
#: Kinds that no invented answer leads to. They change memories as the others do; their phases' tests undo them.
ELSEWHERE = {
    OperationKind.PUT_BACK,
    OperationKind.RESTORE_EDIT,
    OperationKind.INFER,
    OperationKind.UNRATIFY,
    OperationKind.ANNOTATE,
    OperationKind.PROMOTE,
    OperationKind.FOLD,
    OperationKind.MAKE_DURABLE,
    OperationKind.ARCHIVE_STALE,
    OperationKind.EXPIRE,
    OperationKind.FORGET,
    OperationKind.DIGEST,
    OperationKind.COMPACT,
    OperationKind.SPLIT,
    OperationKind.UPDATE,
    OperationKind.RETIRE,
}
STORES = st.dictionaries(st.sampled_from(PATHS), st.tuples(ENDING, st.booleans()), min_size=3)
#: Dreams write these, so that an edit of one is an edit of a dream's work.
EDITABLE = (*PATHS, "web/all.md", "MEMORY.md", "old/_index.md")
EDITS = st.lists(st.tuples(st.sampled_from(EDITABLE), ENDING), max_size=4)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("dream"), SEED),
        st.tuples(st.just("undo"), st.integers(0, 3)),
        st.tuples(st.just("edit"), st.tuples(st.sampled_from(EDITABLE), ENDING)),
    ),
    min_size=2,
    max_size=7,
)
slow = examples(15, suppress=list(HealthCheck))


def fill(ports: Ports, tenant: str, store: list[NewText], *, author: Author = Author.AGENT) -> None:
    """Write a store, and live through two sessions."""
    write(ports, tenant, store, author=author)
    for number, line in enumerate(SAID, 1):
        tell(ports, tenant, f"s{number}", line)


def undo(ports: Ports, tenant: str, dream_id: str, *, force: bool = False) -> UndoReport:
    return undo_dream(ports.db, tenant, dream_id, actor="a law", force=force)


def find_left(ports: Ports, tenant: str, dream_id: str) -> list[RecordedOperation]:
    return [op for op in get_operations(ports, tenant, dream_id) if op.state is OperationState.APPLIED]


def find_unexplained(left: list[RecordedOperation], edited: set[str]) -> list[RecordedOperation]:
    """Operations that stayed although nothing of theirs was edited, nor changed by one that stays for such a reason.

    An operation that retires a memory for another one holds both: undoing what wrote the other one would lose text.
    """
    paths = {effect.after.id: effect.after.path for op in left for effect in op.effects}
    held, waiting = set(edited), left
    while found := [op for op in waiting if {effect.after.path for effect in op.effects} & held]:
        for effect in (effect for op in found for effect in op.effects):
            held |= {effect.after.path, paths.get(effect.after.superseded_by or "", effect.after.path)}
        waiting = [op for op in waiting if op not in found]
    return waiting


def find_texts(ports: Ports, tenant: str) -> dict[str, str]:
    with ports.db.transaction(tenant) as uow:
        return {m.path: m.content for m in uow.memories(uow.stores.get("default").id).find_live()}


def edit(ports: Ports, tenant: str, path: str, ending: int) -> int:
    """Write a text as an agent; how many memories that changed."""
    counts = write(ports, tenant, {path: f"{invent_text(path, ending)}\nBy hand.\n"})
    return counts.created + counts.updated


def find_added(old: str, new: str) -> Counter[str]:
    """The lines of a text that an older one has not, or not as often."""
    return Counter(new.splitlines()) - Counter(old.splitlines())


@pytest.mark.thorough
def test_the_invented_answers_do_everything_that_a_dream_can(ports: Ports) -> None:
    """Otherwise the laws below would hold because nothing ever happened."""
    kinds: set[OperationKind] = set()
    for seed in range(6):
        tenant = f"t{uuid4().hex}"
        fill(ports, tenant, invent_store({path: ((seed + n) % 4, n % 2 == 0) for n, path in enumerate(PATHS)}))
        dream = run_dream(ports, tenant, invent_llm(seed))
        kinds |= {op.operation.kind for op in find_left(ports, tenant, dream.id)}
    assert kinds >= set(OperationKind) - ELSEWHERE


@slow
@given(store=STORES, seeds=st.lists(SEED, min_size=1, max_size=3))
def test_undoing_every_dream_newest_first_is_the_identity_and_so_is_redoing_them_oldest_first(
    session_ports: Ports, store: dict[str, tuple[int, bool]], seeds: list[int]
) -> None:
    tenant = f"t{uuid4().hex}"
    fill(session_ports, tenant, invent_store(store), author=Author.IMPORT)
    pictures, dreams = [take_picture(session_ports, tenant)], []
    for seed in seeds:
        dreams.append(run_dream(session_ports, tenant, invent_llm(seed)).id)
        pictures.append(take_picture(session_ports, tenant))
    for picture, dream_id in zip(reversed(pictures[:-1]), reversed(dreams), strict=True):
        assert undo(session_ports, tenant, dream_id).conflicts == ()
        assert take_picture(session_ports, tenant) == picture
    for picture, dream_id in zip(pictures[1:], dreams, strict=True):
        assert redo_dream(session_ports.db, tenant, dream_id, actor="a law").conflicts == ()
        assert take_picture(session_ports, tenant) == picture


@slow
@given(store=STORES, seed=SEED, edits=EDITS)
def test_undo_restores_all_but_what_was_edited_and_never_an_edit(
    session_ports: Ports, store: dict[str, tuple[int, bool]], seed: int, edits: list[tuple[str, int]]
) -> None:
    ports, tenant = session_ports, f"t{uuid4().hex}"
    fill(ports, tenant, invent_store(store))
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, invent_llm(seed))
    dreamt = take_picture(ports, tenant)
    changed = sum(edit(ports, tenant, path, ending) for path, ending in edits)
    edited = take_picture(ports, tenant)
    report = undo(ports, tenant, dream.id)
    after = take_picture(ports, tenant)
    left = find_left(ports, tenant, dream.id)
    event(f"conflicts: {len(report.conflicts)}")
    assert len(left) == len(report.conflicts)
    kept = {effect.after.id for operation in left for effect in operation.effects}
    theirs = {i for i, memory in edited.memories.items() if memory != dreamt.memories.get(i)}
    for memory_id in theirs:
        old = dreamt.memories[memory_id].content if memory_id in dreamt.memories else ""
        added = find_added(old, edited.memories[memory_id].content)
        assert not added - Counter(after.memories[memory_id].content.splitlines())
    for memory_id in theirs & kept:
        assert after.memories[memory_id] == edited.memories[memory_id]
    written = {effect.after.id: effect.after.content for operation in left for effect in operation.effects}
    for memory_id in kept - theirs:  # what later operations of the dream did to it is taken back
        assert after.memories[memory_id].content == written[memory_id]
    untouched = {i: memory for i, memory in after.memories.items() if i not in theirs | kept}
    assert untouched == {i: memory for i, memory in before.memories.items() if i not in theirs | kept}
    assert after.merges == before.merges
    books = {
        "curations": int(str(before.books["curations"])) + changed,
        "last_activity_at": edited.books["last_activity_at"],
    }
    assert after.books == before.books | books
    taken = {memory.path for i, memory in edited.memories.items() if i in theirs}
    assert not find_unexplained(left, taken)


@slow
@given(store=STORES, steps=STEPS)
def test_once_every_dream_is_undone_the_store_holds_what_was_written_by_hand(
    session_ports: Ports, store: dict[str, tuple[int, bool]], steps: list[tuple[str, object]]
) -> None:
    ports, tenant = session_ports, f"t{uuid4().hex}"
    written = {text.path: text.content for text in invent_store(store)}
    curations = len(written)
    fill(ports, tenant, invent_store(store))
    added: dict[str, Counter[str]] = {}
    dreams: list[str] = []
    alive: list[str] = []
    for step, value in steps:
        if step == "dream":
            assert isinstance(value, int)
            dreams.append(run_dream(ports, tenant, invent_llm(value)).id)
            alive.append(dreams[-1])
        elif step == "undo":
            assert isinstance(value, int)
            if alive:
                undo(ports, tenant, alive.pop(-1 - value % len(alive)))
        else:
            assert isinstance(value, tuple)
            old = find_texts(ports, tenant).get(value[0], "")
            curations += edit(ports, tenant, *value)
            new = written[value[0]] = find_texts(ports, tenant)[value[0]]
            added[value[0]] = (added.get(value[0], Counter()) & Counter(new.splitlines())) | find_added(old, new)
    for dream_id in reversed(alive):
        undo(ports, tenant, dream_id)
    left = [operation for dream_id in dreams for operation in find_left(ports, tenant, dream_id)]
    event("nothing left" if not left else "something left")
    of_dreams = {effect.after.path for operation in left for effect in operation.effects}
    _check_texts(find_texts(ports, tenant), written, added, of_dreams)
    books = get_store(ports, tenant)
    assert (books.total_dreams, books.last_dream_id, books.last_dream_at) == (0, None, None)
    assert books.curations == curations
    _check_that_every_text_is_in_the_history(ports, tenant, written)


def _check_texts(
    found: dict[str, str], written: dict[str, str], added: dict[str, Counter[str]], of_dreams: set[str]
) -> None:
    """Check that unedited memories are as they were written, and that edited ones still have each line."""
    touched = of_dreams | set(added)
    assert {p: t for p, t in found.items() if p not in touched} == {
        p: t for p, t in written.items() if p not in touched
    }
    for path, lines in added.items():
        assert path in of_dreams or not lines - Counter(found[path].splitlines())


def _check_that_every_text_is_in_the_history(ports: Ports, tenant: str, written: dict[str, str]) -> None:
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(store.id)
        everything = [*memories.find_live(), *memories.find_retired()]
        versions = [version for memory in everything for version in memories.find_history(memory.id)]
    assert set(written.items()) <= {(v.path, v.content) for v in versions}
