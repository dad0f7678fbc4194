"""Three tenants for the tests of isolation, and every table there is."""

from typing import NamedTuple
from uuid import uuid4

import psycopg
from sqlmodel import SQLModel

import shared.adapters.postgres.repositories  # noqa: F401 - declares every table
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.budgets.dollars import DollarBudget, Period, Scope
from shared.core.dream.model import Dream, Trigger
from shared.core.dream.orders import DreamOrder, OutputBehavior
from shared.core.evaluation.model import EvaluationOrder
from shared.core.forgetting.words import Tombstone
from shared.core.learning.feedback import FeedbackKind, NewFeedback, NewRun
from shared.core.learning.skills import SkillUse
from shared.core.listings.saved_filters import FilteredList, SavedFilter
from shared.core.questions.question import Question
from shared.core.sessions.model import CueSpan, EventKind, Findings, NewEvent, SearchedWindow
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Role
from shared.core.tenants.store import PendingMerge
from shared.core.webhooks.endpoint import Message, WebhookEndpoint, WebhookEvent
from shared.ports.database import UnitOfWork
from shared.ports.embedder import NewVector
from shared.ports.evidence.search_log import Searched
from shared.ports.llm import KeptAnswer
from tests.support.builders import LONG_AGO, a_store, run_dream, texts, write
from tests.unit.builders import an_exam
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision

#: Every table of the code except the tenants' own, which is keyed by `id`; a new one is covered without being named.
#: On this the application has no right at all: functions of another role write and read it.
CLOSED = ("search_log",)
TENANT_TABLES = sorted(name for name, table in SQLModel.metadata.tables.items() if "tenant_id" in table.columns)
ALL_TABLES = sorted(SQLModel.metadata.tables)
APPEND_ONLY = ("memory_versions", "audit_log", "session_events", "skill_uses", "directives", "exams", "tombstones")
#: Found in a text by a detector, or given by a person, and replaced by newer ones: these rows come and go, but none is ever changed.
DERIVED = ("session_cues", "session_terms", "asked_questions", "memory_links", "probes")


class Tenants(NamedTuple):
    mine: str
    theirs: str
    bare: str


def make_tenants(ports: Ports) -> Tenants:
    """Two tenants with a row in every table, and one with a store and a dream and nothing in them."""
    found = Tenants(f"t{uuid4().hex}", f"t{uuid4().hex}", f"t{uuid4().hex}")
    for tenant in (found.mine, found.theirs):
        _fill_every_table(ports, tenant)
    store = a_store(ports, found.bare)
    with ports.db.transaction(found.bare) as uow:
        uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
    return found


def _fill_every_table(ports: Ports, tenant: str) -> None:
    note = "# Cookies\n\nThe login page signs its [cookies](b.md).\n"
    write(ports, tenant, texts({"web/a.md": note, "web/b.md": note}, at=LONG_AGO))
    store = a_store(ports, tenant)
    fill_sessions(ports, tenant, store.id)
    with ports.db.transaction(tenant) as uow:
        kept = PendingMerge(source_path="web/x.md", target_path="web/y.md", reason="twins", suggested_by="drm_x")
        uow.merges(store.id).add([kept])
        uow.feedback(store.id).add([NewFeedback(kind=FeedbackKind.THUMBS_UP)])
        uow.skills(store.id).record_uses([SkillUse(skill="mail", session="a-session", used_at=LONG_AGO)])
        uow.workflows(store.id).add([NewRun(description="Deploy the page")])
        fill_settings(uow, tenant)
        uow.forgetting(store.id).bury("salt", [Tombstone(8, "0" * 64)])
        uow.record_audit("a test", "fill")
        uow.keys.add(ApiKey(id=f"key_{tenant}", tenant_id=tenant, name="k", role=Role.AGENT, secret_hash="0" * 64))
        uow.requests.claim(f"key_{tenant}", "once", "0" * 64, hold_seconds=3600)
        uow.webhooks.add(WebhookEndpoint(id=f"hook_{tenant}", tenant_id=tenant, url="https://example.com"))
        uow.deliveries.add(f"hook_{tenant}", Message(id="msg_1", event=WebhookEvent.TEST, body="{}"))

    def answer(question: Question) -> ConsolidateAnswer | PruneAnswer | None:
        files = tuple(document.path for document in question.documents)
        if question.phase == "consolidate":
            return ConsolidateAnswer(actions=(ConsolidateAction(type="CROSS_REFERENCE", files=files),))
        if question.phase == "prune":
            return PruneAnswer(decisions=tuple(PruneDecision(file=file, decision="KEEP") for file in files))
        return None

    run_dream(ports, tenant, ScriptedLlm(answer))
    with ports.db.transaction(tenant) as uow:
        uow.merges(store.id).add([kept])
        dream = uow.dreams.find_recent(limit=1)[0]
        order = DreamOrder(
            dream_id=dream.id, input_store_id=store.id, behavior=OutputBehavior.UPDATE_EXISTING, session_ids=()
        )
        uow.orders.add(order)
        save_a_vector(uow, store.id)
        uow.batch_calls.add(dream.id, "consolidate", "claude", {"0": {"messages": []}})
        use_a_budget(uow, dream)


def fill_settings(uow: UnitOfWork, tenant: str) -> None:
    store = uow.stores.find_all()[0]
    uow.evaluations.add(f"eval_{tenant}", store.id, EvaluationOrder(store=store.name, actor="a test"))
    uow.calls.bought.keep(f"eval_{tenant}", f"hash_{tenant}", KeptAnswer(answer={}, cost_usd=0.1))
    uow.probes(store.id).replace([{"question": "What signs the login page?", "evidence": "signs its cookies"}])
    uow.directives.add("dream.md", "Merge what is the same.", actor="a test")
    uow.saved_filters.save(FilteredList.REVIEWS, "a test", SavedFilter(name="merges", query="kind=MERGE"))
    uow.exams.add(an_exam(f"exm_{tenant}", owner=f"tenant:{tenant}"))


def log_a_search(uow: UnitOfWork, store_id: str) -> None:
    searched = Searched(key_id="key_1", surface="api", query="cookies", shown=("mem_1",), at=LONG_AGO)
    uow.search_log(store_id).write([(f"srch_{uow.tenant_id}", searched)], [], [])


def use_a_budget(uow: UnitOfWork, dream: Dream) -> None:
    reservation = uow.tenant_id
    uow.budgets.reserve(reservation, store_id=dream.store_id, dream_id=dream.id, epoch=dream.epoch, usd=0.1)
    budget = DollarBudget(scope=Scope.STORE, period=Period.DAY, limit_usd=1.0, store_id=dream.store_id)
    (use,) = uow.budgets.find_uses([budget], uow.now())
    assert uow.budgets.record_told(use)


def save_a_vector(uow: UnitOfWork, store_id: str) -> None:
    found = uow.vectors(store_id).find_missing("a-model", 1)
    new = [NewVector(memory_id=one.memory_id, content_hash=one.content_hash, vector=b"\0" * 8) for one in found]
    assert uow.vectors(store_id).save("a-model", new) == 1


def fill_sessions(ports: Ports, tenant: str, store_id: str) -> None:
    found = Findings(cues=(CueSpan(kind="save", start=0, end=8),), terms=("blue",))
    event = NewEvent(event_id="e1", kind=EventKind.USER, role="user", text="Remember: blue.")
    with ports.db.transaction(tenant) as uow:
        repository = uow.sessions(store_id)
        session, _ = repository.ensure("a-session", source="plain")
        session = uow.ingest(store_id).append([(session, [event])])[0]
        searched = SearchedWindow(session=session, after=0, upto=1, found={1: found})
        uow.ingest(store_id).record_findings([searched], 1)
        log_a_search(uow, store_id)


def set_tenant(connection: psycopg.Connection, tenant: str) -> None:
    connection.execute("SELECT set_config('slowwave.tenant_id', %s, true)", [tenant])
