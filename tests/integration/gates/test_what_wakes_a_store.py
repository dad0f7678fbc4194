"""Reports of an agent besides its memories are activity: they wake a quiet store, and a dream uses them up."""

from collections.abc import Callable

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.learning.feedback import FeedbackKind, NewFeedback, NewRun, RunOutcome
from shared.services.memories.skills import record_skill_use
from shared.services.sessions.feedback import record_feedback, record_workflow_runs
from tests.support.builders import get_store, run_dream, write

SKILL = {"skills/post/SKILL.md": "---\nname: post\ndescription: Posts a letter.\n---\n# Post\n\nWalk to the box.\n"}


def give_feedback(ports: Ports, tenant: str) -> None:
    told = NewFeedback(kind=FeedbackKind.THUMBS_DOWN, text="The answer named the wrong city.")
    assert record_feedback(ports.db, tenant, "default", [told]).added == 1


def run_a_workflow(ports: Ports, tenant: str) -> None:
    run = NewRun(description="Post the letters", outcome=RunOutcome.FAILURE, error="The box was full")
    assert record_workflow_runs(ports.db, tenant, "default", [run]).added == 1


def use_a_skill(ports: Ports, tenant: str) -> None:
    record_skill_use(ports.db, tenant, "default", "post", "s1")


@pytest.mark.parametrize("report", [give_feedback, run_a_workflow, use_a_skill])
def test_a_quiet_store_is_checked_after_a_report_and_a_dream_uses_it_up(
    ports: Ports, tenant: str, report: Callable[[Ports, str], None]
) -> None:
    write(ports, tenant, SKILL)
    run_dream(ports, tenant)
    run_dream(ports, tenant)
    asleep = get_store(ports, tenant)
    assert (asleep.curations, asleep.next_check_at) == (0, None)
    report(ports, tenant)
    awake = get_store(ports, tenant)
    assert awake.curations == 1
    assert awake.next_check_at is not None
    assert run_dream(ports, tenant).state is DreamState.COMPLETED
    assert get_store(ports, tenant).curations == 0
