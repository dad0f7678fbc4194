"""The contract of feedback and workflow runs: once by external id, newest first, marks of dreams."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.all_ports import Ports
from shared.core.errors import BadInputError, NotFoundError
from shared.core.learning.feedback import MAX_TEXT_CHARS, FeedbackKind, NewFeedback, NewRun, Rating, RunOutcome
from shared.core.tenants.store import Store
from shared.services.sessions.feedback import record_feedback, record_workflow_runs
from shared.services.tenants.purge import purge_expired
from shared.settings import Settings
from tests.integration.tenancy.retention_support import BRIEF, age
from tests.support.builders import a_store

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def kept(ports: Ports, tenant: str) -> Store:
    return a_store(ports, tenant)


def correction(text: str = "No, use tabs", **values: object) -> NewFeedback:
    return NewFeedback(kind=FeedbackKind.CORRECTION, text=text, **values)  # type: ignore[arg-type] # by name


def test_feedback_of_one_external_id_is_recorded_once(ports: Ports, tenant: str, kept: Store) -> None:
    same = correction(external_id="f1")
    assert record_feedback(ports.db, tenant, kept.name, [same, same]).added == 1
    assert record_feedback(ports.db, tenant, kept.name, [same]).added == 0


def test_two_thumbs_without_an_id_are_two(ports: Ports, tenant: str, kept: Store) -> None:
    thumb = NewFeedback(kind=FeedbackKind.THUMBS_UP)
    assert record_feedback(ports.db, tenant, kept.name, [thumb, thumb]).added == 2


def test_feedback_is_found_newest_first_by_kind_and_age(ports: Ports, tenant: str, kept: Store) -> None:
    moments = [NOON - timedelta(days=days) for days in (9, 1, 3)]
    said = [correction(f"no {at:%d}", occurred_at=at) for at in moments]
    rated = NewFeedback(kind=FeedbackKind.SESSION_SUMMARY, rating=Rating.POOR, session="s1", occurred_at=NOON)
    record_feedback(ports.db, tenant, kept.name, [*said, rated])
    with ports.db.transaction(tenant) as uow:
        repository = uow.feedback(kept.id)
        found = repository.find(limit=10, since=NOON - timedelta(days=7), kinds=[FeedbackKind.CORRECTION])
        assert [one.occurred_at for one in found] == [moments[1], moments[2]]
        assert [one.rating for one in repository.find(limit=1)] == [Rating.POOR]


def test_feedback_that_a_dream_consumed_is_unused_again_after_its_undo(ports: Ports, tenant: str, kept: Store) -> None:
    record_feedback(ports.db, tenant, kept.name, [correction(), correction("No, spaces")])
    with ports.db.transaction(tenant) as uow:
        repository = uow.feedback(kept.id)
        first, second = repository.find(limit=5)
        repository.consume([first.id], "drm_1")
        repository.consume([first.id, second.id], "drm_2")
        assert repository.find(limit=5, only_unused=True) == []
        repository.restore("drm_2")
        assert [one.id for one in repository.find(limit=5, only_unused=True)] == [second.id]


def test_a_run_keeps_its_steps_and_its_skills_in_order(ports: Ports, tenant: str, kept: Store) -> None:
    run = NewRun(
        description="Deploy", steps=("build", "push"), outcome=RunOutcome.FAILURE, classification="timeout",
        skills=("deploy", "deploy", "build"), external_id="w1", error="gave up after 30 s",
    )  # fmt: skip
    assert record_workflow_runs(ports.db, tenant, kept.name, [run, run]).added == 1
    with ports.db.transaction(tenant) as uow:
        repository = uow.workflows(kept.id)
        (found,) = repository.find(limit=5)
        assert (found.steps, found.skills, found.classification) == (("build", "push"), ("deploy", "build"), "timeout")
        repository.consume([found.id], "drm_1")
        assert repository.find(limit=5, only_unused=True) == []


def test_a_megabyte_and_characters_that_no_database_holds_are_cut_not_refused(
    ports: Ports, tenant: str, kept: Store
) -> None:
    huge = "x\x00\ud800" * 350_000
    record_feedback(ports.db, tenant, kept.name, [correction(huge, subject=huge, skill=huge, session=huge)])
    record_workflow_runs(ports.db, tenant, kept.name, [NewRun(description=huge, steps=(huge,) * 200, error=huge)])
    with ports.db.transaction(tenant) as uow:
        (feedback,), (run,) = uow.feedback(kept.id).find(limit=2), uow.workflows(kept.id).find(limit=2)
    assert len(feedback.text) <= 20_000
    assert (len(run.steps), max(map(len, run.steps)) <= 500) == (100, True)
    assert "\x00" not in feedback.text


@pytest.mark.parametrize(
    "nonsense",
    [
        correction(" "),
        correction(rating=Rating.POOR),
        NewFeedback(kind=FeedbackKind.SESSION_SUMMARY, text="went well"),
        NewFeedback(kind=FeedbackKind.TOOL_FAILURE),
    ],
)
def test_feedback_that_makes_no_sense_is_refused_whole(
    nonsense: NewFeedback, ports: Ports, tenant: str, kept: Store
) -> None:
    with pytest.raises(BadInputError):
        record_feedback(ports.db, tenant, kept.name, [correction(), nonsense])
    with ports.db.transaction(tenant) as uow:
        assert uow.feedback(kept.id).find(limit=5) == []


def test_feedback_on_a_store_that_is_not_there_is_refused(ports: Ports, tenant: str, kept: Store) -> None:
    with pytest.raises(NotFoundError):
        record_feedback(ports.db, tenant, f"{kept.name}-2", [correction()])


def test_a_secret_is_masked_before_the_text_is_cut(ports: Ports, tenant: str, kept: Store) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    said = [correction("x " * (MAX_TEXT_CHARS // 2 - 10) + key + " y" * 500_000)]
    assert record_feedback(ports.db, tenant, kept.name, said).masked == ("GitHub token",)
    with ports.db.transaction(tenant) as uow:
        assert key[:12] not in uow.feedback(kept.id).find(limit=1)[0].text


def test_feedback_and_runs_age_away(ports: Ports, settings: Settings, tenant: str, kept: Store) -> None:
    record_feedback(ports.db, tenant, kept.name, [correction()])
    record_workflow_runs(ports.db, tenant, kept.name, [NewRun(description="Deploy")])
    age(settings, tenant)
    record_feedback(ports.db, tenant, kept.name, [correction("No, today")])
    assert purge_expired(ports.db, tenant, BRIEF, dry_run=True)["feedback"] == 1
    done = purge_expired(ports.db, tenant, BRIEF)
    assert (done["feedback"], done["workflows"]) == (1, 1)
    with ports.db.transaction(tenant) as uow:
        assert [one.text for one in uow.feedback(kept.id).find(limit=5)] == ["No, today"]
