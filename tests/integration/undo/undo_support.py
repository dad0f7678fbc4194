"""A store in which a dream finds every kind of operation to do, and the model that wants them all."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory, Signals
from shared.core.questions.question import Question
from shared.core.tenants.store import DEFAULT_STORE, PendingMerge, Store
from shared.ports.dreams import RecordedOperation
from shared.services.operations.undo import UndoReport, undo_dream
from tests.support.builders import Picture, a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.model.over import archive
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer, SynthesisDraft, SynthesizeAnswer

COOKIES = "# Cookies\n\nThe login page signs its cookies and sends them over secure connections only.\n"
COOKIES_TWIN = f"# Cookies\n\n{COOKIES.splitlines()[-1]} Old ones are deleted at midnight.\n"
PAGES = "# Pages\n\nEvery page of the shop loads its fonts from the shared content network of the company.\n"
PAGES_MORE = "# Fonts\n\nThe pages of the shop load fonts from the shared content network, fallback fonts included.\n"
DATED = "# Rollout\n\nYesterday the team rolled the gateway out to every customer.\n"
FRESH_AT = datetime.now(UTC) - timedelta(days=1)
DATED_SINCE = DATED.replace("Yesterday", f"Yesterday ({(FRESH_AT - timedelta(days=1)).date()})")
STALE = {
    "old/attic.md": "# Attic\n\nThe old office had a plotter in the attic that was never repaired. This note is obsolete.\n",
    "old/radio.md": "# Radio\n\nThe kitchen radio plays jazz whenever its left knob is turned.\n",
    "old/chairs.md": "# Chairs\n\nThe green chairs of the meeting room were bought from a closing cinema.\n",
}
CHAIRS = "# Cinema chairs\n\nThe green chairs of the meeting room were bought second hand from a closing cinema.\n"
DOOR = "# Door\n\nThe code of the office door is 1234.\n"
#: Of what else the store holds nothing is to go: without it a dream would run into its loss cap.
BYSTANDERS = {
    "garden/roses.md": "# Roses\n\nThe roses at the gate are cut in spring.\n",
    "garden/well.md": "# Well\n\nThe well behind the shed holds clear water.\n",
    "garden/hedge.md": "# Hedge\n\nBirds nest in the beech hedge along the road.\n",
    "garden/shed.md": "# Shed\n\nTools hang on the left wall of the shed.\n",
}
WELL = BYSTANDERS["garden/well.md"].splitlines()[-1]
#: How statements begin that updates leave out: of a note that is also merged, dated, corrected or edited by hand, and of one alone.
OUTDATED = (
    "Old ones are deleted",
    "Yesterday",
    "The code of the office door",
    "Every page of the shop",
    "Tools hang on",
)
SAID = ("No, the code of the office door is 5678.", "Remember that the garden gate opens at seven.")
Want = Callable[[Question], BaseModel | None]
LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
OLD_HINT = PendingMerge(
    source_path="web/pages.md", target_path="web/cookies.md", reason="an old hint", suggested_by="drm_before"
)


def a_rich_store(ports: Ports, tenant: str, **settings: Any) -> Store:
    """A store with twins, relatives, a relative date, stale memories and a suggestion from an earlier dream."""
    faded = Signals(importance=10)
    write(ports, tenant, texts(STALE, signals=faded, at=LONG_AGO))
    fresh = {
        "web/cookies.md": COOKIES, "web/cookies-twin.md": COOKIES_TWIN, "web/pages.md": PAGES,
        "web/pages-more.md": PAGES_MORE, "api/rollout.md": DATED, "old/cinema.md": CHAIRS, "office/door.md": DOOR,
    }  # fmt: skip
    write(ports, tenant, texts(fresh, at=FRESH_AT))
    write(ports, tenant, texts(BYSTANDERS, at=LONG_AGO))
    store = a_store(ports, tenant, **settings)
    for number, line in enumerate(SAID):
        tell(ports, tenant, f"s{number}", line, at=datetime.now(UTC))
    with ports.db.transaction(tenant) as uow:
        uow.merges(store.id).add([OLD_HINT])
    return store


def want_everything(question: Question) -> BaseModel | None:
    """Every kind of operation, wherever its memories are offered."""
    offered = {document.path for document in question.documents}
    if question.phase == "gather":
        return GatherAnswer(memories=tuple(_gathered(question)))
    if question.phase == "consolidate":
        actions = tuple(a for a in ACTIONS if set(a.files) <= offered)
        return ConsolidateAnswer(actions=actions)
    if question.phase == "prune":
        return PruneAnswer(decisions=tuple(d for d in DECISIONS if d.file in offered))
    if question.answer_type is ReflectAnswer:
        return ReflectAnswer(flags=(FlaggedMemory(file="old/cinema.md", about=("old/chairs.md",)),))
    sources = tuple(sorted(offered, key=lambda path: path.startswith("web/"), reverse=True))[:2]
    draft = SynthesisDraft(title="Old rooms and new pages", content="Both are shared.", sources=sources)
    return SynthesizeAnswer(syntheses=(draft,)) if question.phase == "synthesize" else None


def want_updates_too(question: Question) -> BaseModel | None:
    """Every kind of operation, and updates of single statements, which are only proposed: this model has not passed its exam."""
    if question.answer_type is not UpdateAnswer:
        return want_everything(question)
    shown = re.findall(r"^\[(\w+)\] (.*)$", "\n".join(one.text for one in question.documents), re.MULTILINE)
    names = {text: name for name, text in shown}
    olds = [name for text, name in names.items() if text.startswith(OUTDATED)]
    return UpdateAnswer.model_validate(
        {"updates": [{"old": old, "by": [names[WELL]]} for old in olds if WELL in names]}
    )


def _gathered(question: Question) -> Iterator[GatheredMemory]:
    for piece in (document for document in question.documents if document.role == "session"):
        quote = next(line for line in SAID if line in piece.text)
        is_door = quote == SAID[0]
        yield GatheredMemory(
            kind="correction" if is_door else "save",
            window=piece.path,
            quote=quote,
            statement="The code of the office door is 5678." if is_door else quote,
            target="office/door.md" if is_door else None,
            replaces="The code of the office door is 1234." if is_door else None,
            confidence=0.9,
        )


ACTIONS = (
    ConsolidateAction(
        type="MERGE", files=("web/cookies.md", "web/cookies-twin.md"), output_file="web/cookies.md",
        merged_content="# Cookies and their rules\n\n" + COOKIES.split("\n\n")[1],
    ),
    ConsolidateAction(type="CROSS_REFERENCE", files=("web/pages.md", "web/pages-more.md")),
    ConsolidateAction(type="TEMPORAL_UPDATE", files=("api/rollout.md",), updated_content=DATED_SINCE),
)  # fmt: skip
DECISIONS = (
    archive("old/attic.md"),
    PruneDecision(file="old/radio.md", decision="KEEP"),
    PruneDecision(file="old/chairs.md", decision="MERGE_INTO", merge_target="old/cinema.md"),
)


def dream_of_everything(
    ports: Ports, tenant: str, want: Want = want_everything, *, store: str = DEFAULT_STORE
) -> Dream:
    return run_dream(ports, tenant, ScriptedLlm(want), store=store)


@dataclass(frozen=True, kw_only=True)
class Dreamt:
    """A rich store of a tenant's after a dream of everything."""

    tenant: str
    store: Store
    before: Picture  # the store before that dream
    dream: Dream


def dream_in_a_rich_store(ports: Ports, tenant: str, want: Want = want_everything, **settings: Any) -> Dreamt:
    store = a_rich_store(ports, tenant, **settings)
    before = take_picture(ports, tenant)
    return Dreamt(tenant=tenant, store=store, before=before, dream=dream_of_everything(ports, tenant, want))


def undo(ports: Ports, tenant: str, dream: Dream, *, force: bool = False) -> UndoReport:
    return undo_dream(ports.db, tenant, dream.id, actor="a test", force=force)


def find_operation(
    ports: Ports, tenant: str, dream: Dream, kind: OperationKind, state: OperationState = OperationState.APPLIED
) -> str:
    """The id of the dream's operation of that kind in that state."""
    found = get_operations(ports, tenant, dream.id)
    return next(op.id for op in found if op.operation.kind is kind and op.state is state)


def at(ports: Ports, tenant: str, path: str) -> Memory | None:
    """The live memory at a path."""
    with ports.db.transaction(tenant) as uow:
        return uow.memories(uow.stores.get("default").id).find_by_path(path)


def of_kind(ports: Ports, tenant: str, dream: Dream, kind: OperationKind) -> RecordedOperation:
    """Return the only operation of a kind."""
    (found,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is kind]
    return found


def ask_anew(ports: Ports, tenant: str) -> None:
    """Mark what the dream has read as changed, so that the same question comes again."""
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        memories = uow.memories(store.id)
        memories.set_dirty([(head.id, head.version) for head in memories.find_heads()], is_dirty=True)
        uow.asked(store.id).delete_all()
