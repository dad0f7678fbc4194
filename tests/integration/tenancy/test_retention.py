"""Retention on a real database: what goes, what stays, and that every dream in its window can still be undone."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import retention
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import BadInputError
from shared.core.exam.grading import Grade
from shared.core.exam.model import ExaminedModel, ExamResult
from shared.core.policy.retention import RetentionPolicy
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants.configure import set_retention
from shared.services.tenants.purge import purge_expired
from shared.settings import Settings
from tests.integration.tenancy.retention_support import BRIEF, age, count_rows, open_owner
from tests.integration.undo.invented_dreams import ENDINGS, PATHS, invent_llm, invent_store, invent_text
from tests.integration.undo.undo_support import Dreamt, a_rich_store, dream_of_everything, undo
from tests.support.builders import Picture, a_store, get_operations, run_dream, take_picture, write
from tests.support.laws import examples
from tests.support.session_builders import tell

ENDING = st.integers(0, len(ENDINGS) - 1)
SEED = st.integers(0, 10_000)
STORES = st.dictionaries(st.sampled_from(PATHS), st.tuples(ENDING, st.booleans()), min_size=3)
PAST = st.lists(
    st.one_of(
        st.tuples(st.just("dream"), SEED),
        st.tuples(st.just("undo"), st.just(0)),
        st.tuples(st.just("edit"), st.integers(0, len(PATHS) - 1)),
    ),
    max_size=4,
)


def purge(ports: Ports, tenant: str, *, dry_run: bool = False) -> dict[str, int]:
    return purge_expired(ports.db, tenant, BRIEF, dry_run=dry_run, batch=7)


def live(ports: Ports, tenant: str, steps: list[tuple[str, int]]) -> None:
    """Dream, undo and edit."""
    alive: list[str] = []
    for step, value in steps:
        if step == "dream":
            alive.append(run_dream(ports, tenant, invent_llm(value)).id)
        elif step == "edit":
            write(ports, tenant, {PATHS[value]: f"{invent_text(PATHS[value], 0)}\nBy hand {uuid4().hex}.\n"})
        elif alive:
            undo_dream(ports.db, tenant, alive.pop(), actor="a law")


def settle_reviews(settings: Settings, tenant: str) -> None:
    """Approve everything, so that age alone decides."""
    with open_owner(settings) as owner:
        owner.execute("UPDATE operations SET review = 'approved' WHERE review = 'pending' AND tenant_id = %s", [tenant])


def without(picture: Picture, ids: set[str]) -> Picture:
    return replace(picture, memories={i: m for i, m in picture.memories.items() if i not in ids})


@examples(12, suppress=list(HealthCheck))
@given(store=STORES, past=PAST, is_reviewed=st.booleans(), seeds=st.lists(SEED, min_size=1, max_size=3))
def test_after_retention_every_dream_in_the_window_still_undoes_to_the_identical_store(
    session_ports: Ports,
    settings: Settings,
    store: dict[str, tuple[int, bool]],
    past: list[tuple[str, int]],
    is_reviewed: bool,
    seeds: list[int],
) -> None:
    ports, tenant = session_ports, f"t{uuid4().hex}"
    write(ports, tenant, invent_store(store))
    live(ports, tenant, past)
    if is_reviewed:
        settle_reviews(settings, tenant)
    age(settings, tenant)
    pictures, dreams = [], []
    for seed in seeds:
        pictures.append(take_picture(ports, tenant))
        dreams.append(run_dream(ports, tenant, invent_llm(seed)).id)
    before = take_picture(ports, tenant)
    purge(ports, tenant)
    after = take_picture(ports, tenant)
    gone = set(before.memories) - set(after.memories)
    assert after == without(before, gone), "retention changes nothing that it keeps"
    for picture, dream_id in zip(reversed(pictures), reversed(dreams), strict=True):
        assert undo_dream(ports.db, tenant, dream_id, actor="a law").conflicts == ()
        assert take_picture(ports, tenant) == without(picture, gone)


def a_past(ports: Ports, settings: Settings, tenant: str) -> str:
    """A store with a dream of every kind of operation, all of it long ago, and one dream of today."""
    a_rich_store(ports, tenant)
    old = dream_of_everything(ports, tenant)
    write(ports, tenant, {"web/new.md": "# New\n\nWritten since.\n"})
    run_dream(ports, tenant)
    settle_reviews(settings, tenant)
    age(settings, tenant)
    write(ports, tenant, {"web/newer.md": "# Newer\n\nWritten today.\n"})
    run_dream(ports, tenant)
    return old.id


def test_retention_deletes_old_rows_and_keeps_the_memories_that_agents_read(
    ports: Ports, settings: Settings, tenant: str
) -> None:
    a_past(ports, settings, tenant)
    before, counts = take_picture(ports, tenant), count_rows(settings, tenant)
    done = purge(ports, tenant)
    after = take_picture(ports, tenant)
    assert {i: m for i, m in before.memories.items() if m.state == "live"} == {
        i: m for i, m in after.memories.items() if m.state == "live"
    }
    assert all(done[rule] > 0 for rule in ("dreams", "versions", "archived"))
    left = count_rows(settings, tenant)
    assert left["dreams"] == counts["dreams"] - done["dreams"] == 2, "the dream of today, and the one before it"
    assert left["memory_versions"] <= counts["memory_versions"] - done["versions"]
    assert sum(purge(ports, tenant).values()) == 0, "a second pass finds nothing"


def test_a_dry_run_purges_nothing(ports: Ports, settings: Settings, tenant: str) -> None:
    a_past(ports, settings, tenant)
    counts = count_rows(settings, tenant)
    assert sum(purge(ports, tenant, dry_run=True).values()) > 0
    assert count_rows(settings, tenant) == counts


def test_what_waits_for_a_review_is_purged_with_its_dream_and_its_reasons(
    ports: Ports, settings: Settings, dreamt: Dreamt
) -> None:
    assert [op for op in get_operations(ports, dreamt.tenant, dreamt.dream.id) if op.review == "pending"]
    age(settings, dreamt.tenant)
    run_dream(ports, dreamt.tenant)
    age(settings, dreamt.tenant)
    run_dream(ports, dreamt.tenant)
    purge(ports, dreamt.tenant)
    assert get_operations(ports, dreamt.tenant, dreamt.dream.id) == []


def test_an_operation_that_waits_for_a_review_can_be_rejected_as_long_as_its_dream_is_kept(
    ports: Ports, settings: Settings, dreamt: Dreamt
) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    age(settings, tenant)
    run_dream(ports, tenant)
    purge_expired(ports.db, tenant, replace(BRIEF, dreams=1_000), dry_run=False, batch=7)
    waiting = [op for op in get_operations(ports, tenant, dream.id) if op.review == "pending"]
    assert waiting
    for operation in reversed(waiting):
        reject_operation(ports.db, tenant, operation.id, actor="ann", force=True)
    after = take_picture(ports, tenant)
    touched = {effect.after.id for op in waiting for effect in op.effects if effect.before is not None}
    assert {i: after.memories[i].content for i in touched} == {i: before.memories[i].content for i in touched}


def test_another_tenants_rows_are_not_looked_at(ports: Ports, settings: Settings, tenant: str) -> None:
    other = f"t{uuid4().hex}"
    a_past(ports, settings, other)
    a_past(ports, settings, tenant)
    counts = count_rows(settings, other)
    purge(ports, tenant)
    assert count_rows(settings, other) == counts


def test_the_database_itself_refuses_to_purge_inside_the_undo_window(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"web/a.md": "# A\n"})
    with ports.db.transaction(tenant) as uow:
        now = uow.now()
    with pytest.raises(DBAPIError, match="the undo window is at least a day"), ports.db.transaction(tenant) as uow:
        uow.purges.purge_aged("dreams", before=now, undo_since=now, limit=1, dry_run=False)


def test_a_dream_beyond_its_window_whose_log_is_there_can_still_be_undone(
    ports: Ports, settings: Settings, dreamt: Dreamt
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    age(settings, tenant)
    purge(ports, tenant)
    assert undo(ports, tenant, dream).undone > 0, "the last dream of a store stays"
    with ports.db.transaction(tenant) as uow:
        assert uow.dreams.get(dream.id).state is DreamState.UNDONE


def test_a_tenant_may_have_days_of_its_own(ports: Ports, settings: Settings, tenant: str) -> None:
    a_past(ports, settings, tenant)
    defaults = RetentionPolicy(archived=1_000, versions=1_000, dreams=1_000)
    assert purge_expired(ports.db, tenant, defaults)["dreams"] == 0
    assert set_retention(ports.db, tenant, {"dreams": 60}, defaults, actor="ann").dreams == 60
    assert purge_expired(ports.db, tenant, defaults)["dreams"] > 0
    assert set_retention(ports.db, tenant, {"dreams": None}, defaults, actor="ann").dreams == 1_000
    with pytest.raises(BadInputError):
        set_retention(ports.db, tenant, {"dreems": 60}, defaults, actor="ann")


def test_the_sweep_visits_each_tenant_once_a_day(fresh_ports: Ports, fresh_settings: Settings) -> None:
    for tenant in ("acme", "beta"):
        write(fresh_ports, tenant, {"web/a.md": "# A\n"})
        age(fresh_settings, tenant)
    with open_owner(fresh_settings) as owner:
        owner.execute("UPDATE tenants SET purged_at = now() - interval '25 hours' WHERE id = 'acme'")
    assert run_sweep(fresh_ports, retention.SWEEP) == {"found": 1, "acted": 0, "failed": 0}
    assert run_sweep(fresh_ports, retention.SWEEP)["found"] == 0


def test_old_sessions_go_with_their_events_and_todays_stay_searchable(
    ports: Ports, settings: Settings, tenant: str
) -> None:
    tell(ports, tenant, "old", "Remember that the garden gate opens at seven.")
    run_dream(ports, tenant)
    age(settings, tenant)
    tell(ports, tenant, "new", "Remember that the cellar door sticks.")
    assert purge(ports, tenant)["sessions"] == 1
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        assert [one.external_id for one in uow.sessions(store_id).find_recent(10)] == ["new"]
        assert uow.gathering(store_id).search("garden", 10) == []
        assert len(uow.gathering(store_id).search("cellar", 10)) == 1


def test_a_replaced_exam_goes_and_what_may_still_hold_of_a_model_stays(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    examined = ExaminedModel(owner=f"tenant:{tenant}", server="a server", model=f"model of {tenant}")
    shared = replace(examined, owner="installation")
    with ports.db.transaction(tenant) as uow:
        long_ago = uow.now() - timedelta(days=1_000)
        for one, name in ((examined, "own"), (shared, "shared")):
            for number, (prompts, by, lasts) in enumerate(
                (("old", "", 90), ("", "ann", None), ("", "ben", None), ("new", "", 90))
            ):
                uow.exams.add(
                    ExamResult(
                        id=f"{name}-{number}-{tenant}",
                        examined=one,
                        fingerprint=prompts,
                        passed=True,
                        reason="",
                        grade=Grade(),
                        taken_at=long_ago + timedelta(days=number),
                        expires_at=None if lasts is None else long_ago + timedelta(days=lasts),
                        set_by=by,
                    )
                )
    assert purge(ports, tenant, dry_run=True)["exams"] == purge(ports, tenant)["exams"] == 4
    with ports.db.transaction(tenant) as uow:
        for one in (examined, shared):
            left = uow.exams.find_all(one)
            assert [(result.fingerprint, result.set_by) for result in left] == [("new", ""), ("", "ben")]


def test_a_replaced_directive_goes_and_the_one_in_force_stays(ports: Ports, settings: Settings, tenant: str) -> None:
    a_store(ports, tenant)
    for content in ("first", "second", "third"):
        with ports.db.transaction(tenant) as uow:
            uow.directives.add("gather", content, actor="ann")
    assert purge(ports, tenant)["directives"] == 0, "they were replaced today"
    with open_owner(settings) as owner:
        aged = "UPDATE directives SET created_at = now() - interval '400 days' WHERE tenant_id = %s"
        owner.execute(aged, [tenant])
    assert purge(ports, tenant)["directives"] == 2
    with ports.db.transaction(tenant) as uow:
        assert [one.content for one in uow.directives.find_versions("gather")] == ["third"]
