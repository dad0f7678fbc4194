"""Each writer of a store, one step at a time."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from pydantic import BaseModel

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.dream.model import ACTIVE_STATES, UNDOABLE_STATES
from shared.core.errors import ConflictError, NotFoundError
from shared.core.memory.model import Author
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.core.text.duplicates import content_hash
from shared.services.dreams.cancel import cancel_dream
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, create_memory, edit_memory
from shared.services.memories.write import NewText, write_memories
from shared.services.operations.preview_undo import preview_undo
from shared.services.operations.review import approve_operation, reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.purge import purge_expired
from tests.integration.memories.concurrent_writers import PATHS, SUBJECTS, Act, Crowd
from tests.support.model.over import archive as archiving
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import ALL_PHASES, CATALOG
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer
from workers.runner.run import run_phase

_BY_NAME = {phase.name: phase for phase in ALL_PHASES}


def want_much(question: Question) -> BaseModel | None:
    """Merge the first two texts that are offered, link the next two, archive whatever may be archived."""
    found = question.documents
    if question.phase == "prune":
        return PruneAnswer(decisions=tuple(archiving(one.path) for one in found))
    if question.phase != "consolidate":
        return None
    actions = []
    if len(found) > 1:
        merged = f"{found[0].text}\n{found[1].text}"
        files = (found[0].path, found[1].path)
        actions.append(ConsolidateAction(type="MERGE", files=files, output_file=files[0], merged_content=merged))
    if len(found) > 3:
        actions.append(ConsolidateAction(type="CROSS_REFERENCE", files=(found[2].path, found[3].path)))
    return ConsolidateAnswer(actions=tuple(actions))


def dream(crowd: Crowd, chance: random.Random) -> None:
    here = replace(crowd.ports, dispatch=RecordingDispatch(), choose_llm=lambda _: ScriptedLlm(want_much))
    dream_id = begin_dream(here, crowd.tenant, crowd.store, force=True, dream_id=None)
    if dream_id is None:
        raise ConflictError
    (chain,) = here.dispatch.chains  # type: ignore[attr-defined] # the recording one
    for name in chain.phases:
        key = PhaseKey(tenant_id=crowd.tenant, dream_id=dream_id, epoch=chain.epoch, phase=name)
        if not run_phase(here, _BY_NAME[name], key):
            raise AssertionError(f"{name} was interrupted")
    if not finish_dream(here, crowd.tenant, dream_id, chain.epoch):
        raise AssertionError("no other worker may finish it")
    crowd.dreamt.append(dream_id)
    if chance.random() < 0.6:
        undo(crowd, chance)
        crowd.done["undo"] += 1


def write_batch(crowd: Crowd, chance: random.Random) -> None:
    """New paths in any order; a text that is there already is left to `edit`, who keeps its mark."""
    paths = [f"{path.removesuffix('.md')}-{chance.randint(1, 40)}.md" for path in chance.sample(PATHS, 4)]
    with crowd.ports.db.transaction(crowd.tenant) as uow:
        known = uow.memories(uow.stores.get(crowd.store).id).find_by_paths(paths)
    for path in paths:
        if path in known:
            edit_one(crowd, chance, known[path].id, known[path].content)
    fresh = [crowd.a_text(chance, f"{path.removesuffix('.md')}-{uuid4().hex[:6]}.md") for path in paths]
    write_memories(crowd.ports.db, crowd.ports.ids, crowd.tenant, crowd.store, fresh, Author.AGENT)
    crowd.marks += map(_mark_of, fresh)


def create_one(crowd: Crowd, chance: random.Random) -> None:
    text = crowd.a_text(chance, f"{chance.choice(PATHS).removesuffix('.md')}-{chance.randint(1, 40)}.md")
    create_memory(crowd.ports.db, crowd.ports.ids, crowd.tenant, crowd.store, text, Author.AGENT)
    crowd.marks.append(_mark_of(text))


def _mark_of(text: NewText) -> str:
    return text.content.split("parcel ")[1].split()[0]


def edit(crowd: Crowd, chance: random.Random) -> None:
    memory_id, content = crowd.some_memory(chance)
    edit_one(crowd, chance, memory_id, content)


def edit_one(crowd: Crowd, chance: random.Random, memory_id: str, content: str) -> None:
    """Add a line to a text, unless it has changed since it was read."""
    mark = uuid4().hex
    changed = MemoryEdit(content=f"{content}\nParcel {mark} took {chance.randint(2, 900)} seconds.\n")
    if chance.random() < 0.2:
        changed = replace(changed, path=f"{chance.choice(PATHS).removesuffix('.md')}-{chance.randint(1, 40)}.md")
    expected = Expected(content_sha256=content_hash(content))
    edit_memory(
        crowd.ports.db, crowd.tenant, crowd.store, memory_id, changed, expected=expected, author=Author.AGENT
    )  # fmt: skip
    crowd.marks.append(mark)


def archive(crowd: Crowd, chance: random.Random) -> None:
    memory_id, _ = crowd.some_memory(chance)
    archive_memory(crowd.ports.db, crowd.tenant, crowd.store, memory_id, expected=Expected(), actor="an agent")


def undo(crowd: Crowd, chance: random.Random) -> None:
    dream_id = crowd.some_dream(chance, [str(state) for state in UNDOABLE_STATES])
    preview_undo(crowd.ports.db, crowd.tenant, dream_id)
    undo_dream(crowd.ports.db, crowd.tenant, dream_id, actor="a person")


def review(crowd: Crowd, chance: random.Random) -> None:
    with crowd.ports.db.transaction(crowd.tenant) as uow:
        pending = uow.operations.find_pending(limit=20)
    if not pending:
        raise NotFoundError
    chosen = chance.choice(pending).id
    if chance.random() < 0.5:
        approve_operation(crowd.ports.db, crowd.ports.ids, crowd.tenant, chosen, actor="a person")
    else:
        reject_operation(crowd.ports.db, crowd.tenant, chosen, actor="a person")


def tell_session(crowd: Crowd, chance: random.Random) -> None:
    target = ImportTarget(tenant_id=crowd.tenant, store=crowd.store, source="test")
    names = chance.sample(("monday", "tuesday", "wednesday", "thursday"), 3)
    items = [
        FoundEvent(
            line=1,
            session=name, event_id=uuid4().hex, at=datetime.now(UTC), kind=EventKind.USER, role="user",
            text=f"Remember that the {chance.choice(SUBJECTS)} of parcel {uuid4().hex} opens at seven.",
        )
        for name in names
    ]  # fmt: skip
    import_session_items(crowd.ports.db, target, items)


def recall(crowd: Crowd, chance: random.Random) -> None:
    memory_id, _ = crowd.some_memory(chance)
    with crowd.ports.db.transaction(crowd.tenant) as uow:
        uow.recalls.record({memory_id: 1}, wait=True)


def cancel(crowd: Crowd, chance: random.Random) -> None:
    if chance.random() < 0.99:
        raise NotFoundError
    cancel_dream(
        crowd.ports.db,
        crowd.tenant,
        crowd.some_dream(chance, [str(state) for state in ACTIVE_STATES]),
        actor="a person",
    )


def configure(crowd: Crowd, chance: random.Random) -> None:
    values = {"gates.min_hours": chance.randint(1, 24)}
    autonomy = chance.choice((Autonomy.FLAG, Autonomy.FLAG, Autonomy.PROPOSE))
    configure_store(
        crowd.ports.db,
        crowd.tenant,
        crowd.store,
        changes=StoreChanges(autonomy=autonomy, overrides=values),
        phases=CATALOG,
        actor="a person",
    )


def purge(crowd: Crowd, _: random.Random) -> None:
    purge_expired(crowd.ports.db, crowd.tenant, crowd.ports.settings.retention, actor="slowwave")


ACTORS: dict[str, Act] = {
    "dream": dream,
    "write": write_batch,
    "create": create_one,
    "edit": edit,
    "archive": archive,
    "undo": undo,
    "review": review,
    "tell": tell_session,
    "recall": recall,
    "cancel": cancel,
    "configure": configure,
    "purge": purge,
}
