"""Orient: the survey that the rest of the dream goes by."""

from shared.core.tenants.store import PendingMerge
from tests.unit.builders import codes, memory
from tests.unit.phases.reading import around, context
from workers.phases.orient.phase import PHASE, Inputs


def survey(*memories: tuple[str, bool]) -> Inputs:
    found = PHASE.read(context(*(memory(path, dirty=dirty, version=2) for path, dirty in memories)))
    assert isinstance(found, Inputs)
    return found


def test_the_survey_counts_knowledge_and_not_generated_files() -> None:
    found = survey(
        ("api/a.md", True), ("api/b.md", False), ("top.md", True), ("MEMORY.md", True), ("api/_index.md", True)
    )
    assert (found.live_memories, found.changed_topics) == (3, 2)
    assert found.domains == {"api": 2, "": 1}


def test_questions_begin_with_the_five_largest_domains() -> None:
    found = survey(
        *(
            (f"{domain}/{name}.md", False)
            for domain, names in zip("abcdefg", range(1, 8), strict=True)
            for name in range(names)
        )
    )
    kept = PHASE.survey(found)
    assert kept is not None
    assert (kept.live_memories, kept.domains) == (28, {"g": 7, "f": 6, "e": 5, "d": 4, "c": 3})


def test_the_changed_set_is_kept_with_its_versions() -> None:
    assert survey(("api/a.md", True), ("api/b.md", False)).dirty == (("mem_api/a.md", 2),)


def test_activity_and_pending_merges_are_kept_so_that_the_end_takes_off_exactly_these() -> None:
    waiting = PendingMerge(source_path="a.md", target_path="b.md", reason="", suggested_by="drm_0")
    found = PHASE.read(context(pending=[waiting]))
    assert (found.curations, found.sessions, found.pending_merges) == (3, 1, 1)
    assert PHASE.keeps_inputs


def test_orient_wants_nothing_and_asks_nothing() -> None:
    found = survey(("api/a.md", True))
    assert PHASE.ask(found) == ()
    assert PHASE.plan(found, {}, around()).operations == ()
    assert PHASE.may_emit == frozenset()


def test_a_store_in_which_nothing_changed_says_so() -> None:
    assert codes(PHASE.plan(survey(("api/a.md", False)), {}, around())) == ["nothing_changed"]
    assert codes(PHASE.plan(survey(("api/a.md", True)), {}, around())) == []


def test_an_empty_store_is_surveyed_all_the_same() -> None:
    assert survey().live_memories == 0
