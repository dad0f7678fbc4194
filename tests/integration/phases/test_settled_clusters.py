"""Settled clusters on a real database: what a model left alone is shown again after 7 days, then 14, and never sooner."""

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.questions.question import Question
from shared.services.operations.undo import undo_dream
from tests.integration.phases.change_gate_support import MERGES, ROSES, TWINS, Days, phase_of, sweep_dream
from tests.support.builders import LONG_AGO, a_store, texts, write

SKILLS = {
    "skills/mail/SKILL.md": "---\nname: mail\ndescription: Write a mail\n---\nGreet, say it, sign it.\n",
    "skills/walk/SKILL.md": "---\nname: walk\ndescription: Take a walk\n---\nPut on shoes first.\n",
}


@pytest.fixture
def days(owner_connection: psycopg.Connection, tenant: str) -> Days:
    return Days(owner=owner_connection, tenant=tenant)


@pytest.fixture
def twins(ports: Ports, tenant: str) -> Ports:
    """A store with two memories that say nearly the same."""
    write(ports, tenant, texts(TWINS, at=LONG_AGO))
    return ports


def ask(ports: Ports, tenant: str, phase: str = "consolidate", *, force: bool = False) -> list[Question]:
    """Return the questions of a phase in a dream whose model answers nothing."""
    model = ScriptedLlm()
    sweep_dream(ports, tenant, model, force=force)
    return [request.question for request in model.requests if request.question.phase == phase]


def test_a_settled_cluster_is_shown_again_after_seven_days(twins: Ports, tenant: str, days: Days) -> None:
    assert len(ask(twins, tenant)) == 1
    days.go_by(6.9)
    assert ask(twins, tenant) == []
    days.go_by(0.2)
    (again,) = ask(twins, tenant)
    assert {document.path for document in again.documents} == set(TWINS)


def test_a_settled_cluster_waits_twice_as_long_each_time_and_56_days_at_most(
    twins: Ports, tenant: str, days: Days
) -> None:
    ask(twins, tenant)
    for wait in (7, 14, 28, 56, 56):
        days.go_by(wait - 0.1)
        assert ask(twins, tenant) == []
        days.go_by(0.2)
        assert len(ask(twins, tenant)) == 1


def test_a_cluster_that_changes_is_shown_at_once_and_its_old_self_never_again(
    twins: Ports, tenant: str, days: Days
) -> None:
    ask(twins, tenant)
    write(twins, tenant, texts({"web/b.md": f"{TWINS['web/b.md']}They last 30 days.\n"}, at=LONG_AGO))
    assert len(ask(twins, tenant)) == 1
    days.go_by(7.1)
    (again,) = ask(twins, tenant)
    assert any("30 days" in document.text for document in again.documents)
    assert ask(twins, tenant) == []


def test_a_second_look_may_merge_what_the_first_one_left_alone(twins: Ports, tenant: str, days: Days) -> None:
    ask(twins, tenant)
    days.go_by(7.1)
    merged = sweep_dream(twins, tenant, ScriptedLlm({"settled": MERGES}))
    assert merged.summary is not None
    assert merged.summary.consolidated == 1
    days.go_by(100)
    assert ask(twins, tenant) == []


def test_a_cluster_that_a_dream_has_merged_is_not_shown_again(twins: Ports, tenant: str, days: Days) -> None:
    sweep_dream(twins, tenant, ScriptedLlm({"consolidate": MERGES}))
    days.go_by(100)
    assert ask(twins, tenant) == []


def test_after_an_undo_of_the_second_look_its_time_has_come_again(twins: Ports, tenant: str, days: Days) -> None:
    ask(twins, tenant)
    days.go_by(7.1)
    second = sweep_dream(twins, tenant, ScriptedLlm())
    assert ask(twins, tenant) == []
    undo_dream(twins.db, tenant, second.id, actor="a test")
    assert len(ask(twins, tenant)) == 1


def test_a_memory_that_is_gone_is_not_shown_again(twins: Ports, tenant: str, days: Days) -> None:
    ask(twins, tenant)
    days.owner.execute("UPDATE memories SET state = 'archived' WHERE tenant_id = %s AND path = 'web/b.md'", [tenant])
    days.go_by(7.1)
    assert ask(twins, tenant) == []


def test_a_store_that_wants_no_second_look_gets_none(twins: Ports, tenant: str, days: Days) -> None:
    a_store(twins, tenant, overrides={"change_gate.reopen_days": 0})
    ask(twins, tenant)
    days.go_by(100)
    assert ask(twins, tenant) == []


def test_a_dream_looks_again_at_so_many_clusters_and_leaves_the_others_to_the_next(
    twins: Ports, tenant: str, days: Days
) -> None:
    a_store(twins, tenant, overrides={"change_gate.max_reopened": 1})
    write(twins, tenant, texts(ROSES, at=LONG_AGO))
    ask(twins, tenant)
    days.go_by(7.1)
    seen = [{document.path for question in ask(twins, tenant) for document in question.documents} for _ in range(3)]
    assert sorted(map(sorted, seen)) == [[], sorted(ROSES), sorted(TWINS)]


def test_skills_that_were_left_alone_are_looked_at_again_although_none_changed(
    ports: Ports, tenant: str, days: Days
) -> None:
    write(ports, tenant, texts(SKILLS, at=LONG_AGO))
    assert len(ask(ports, tenant, "merge_skills")) == 1
    days.go_by(6.9)
    assert ask(ports, tenant, "merge_skills") == []
    days.go_by(0.2)
    assert len(ask(ports, tenant, "merge_skills")) == 1
    days.go_by(13.8)
    assert ask(ports, tenant, "merge_skills") == []
    days.go_by(0.3)
    assert len(ask(ports, tenant, "merge_skills")) == 1


def test_a_second_look_counts_no_memory_as_changed(twins: Ports, tenant: str, days: Days) -> None:
    ask(twins, tenant)
    days.go_by(7.1)
    second = sweep_dream(twins, tenant, ScriptedLlm())
    assert phase_of(twins, tenant, second, "synthesize").reason == "no memory changed since the last dream"
