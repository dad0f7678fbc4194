"""Dreams show a model what the published systems document: which memories, in which calls, and how much of them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.model import Maturity, MemoryState, Signals, domain_of
from shared.core.questions.question import Question
from tests.support.builders import LONG_AGO, a_store, run_dream, take_picture, texts, write
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.gather.answer import GatherAnswer
from workers.phases.prune.answer import PruneAnswer
from workers.phases.synthesize.answer import ReflectAnswer, Reflection, SynthesizeAnswer

NOTES = {
    "ops/outage.md": "# Outage\n\nMalmo lost power for an hour.\n",
    "shop/fonts.md": "# Fonts\n\nThe shop loads its fonts from the content network.\n",
    "shop/images.md": "# Images\n\nPictures are resized by a worker at night.\n",
}
LONG = f"It begins here. {'There is more to say. ' * 400}It ends here."


def asked_by(model: ScriptedLlm, answer_type: type[BaseModel]) -> list[Question]:
    return [one.question for one in model.requests if one.question.answer_type is answer_type]


def paths_of(questions: Iterable[Question], *roles: str) -> list[list[str]]:
    return [[one.path for one in question.documents if not roles or one.role in roles] for question in questions]


def test_each_domain_with_changes_is_one_call_of_its_own(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="byterover")
    write(ports, tenant, NOTES | {"ops/rota.md": "# Rota\n\nThe rota changes on Mondays.\n"})
    model = ScriptedLlm()
    run_dream(ports, tenant, model)
    changed = paths_of(asked_by(model, ConsolidateAnswer), "changed")
    assert sorted(map(sorted, changed)) == [["ops/outage.md", "ops/rota.md"], ["shop/fonts.md", "shop/images.md"]]


def test_a_changed_file_is_shown_with_its_siblings_and_with_what_shares_its_words(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="byterover")
    twin = "# Fonts elsewhere\n\nAlso the wiki loads its fonts from the content network.\n"
    write(ports, tenant, NOTES | {"wiki/fonts.md": twin})
    run_dream(ports, tenant)
    write(ports, tenant, {"shop/fonts.md": NOTES["shop/fonts.md"].replace("network", "network of the company")})
    model = ScriptedLlm()
    run_dream(ports, tenant, model)
    (shown,) = paths_of(asked_by(model, ConsolidateAnswer))
    assert sorted(shown) == ["shop/fonts.md", "shop/images.md", "wiki/fonts.md"]


def test_near_duplicates_in_two_folders_come_into_one_call(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"ops/network.md": NOTES["shop/fonts.md"], **NOTES})
    model = ScriptedLlm()
    run_dream(ports, tenant, model)
    assert any({"ops/network.md", "shop/fonts.md"} <= {*one} for one in paths_of(asked_by(model, ConsolidateAnswer)))


def test_a_store_of_one_domain_writes_no_synthesis_and_its_dream_says_why(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="byterover")
    write(ports, tenant, {path: text for path, text in NOTES.items() if domain_of(path) == "shop"})
    model = ScriptedLlm()
    dream = run_dream(ports, tenant, model)
    assert asked_by(model, SynthesizeAnswer) == []
    with ports.db.transaction(tenant) as uow:
        (reason,) = [run.reason for run in uow.phases.find_all(dream.id) if run.phase == "synthesize"]
    assert "domain" in reason


def test_a_store_may_reflect_where_its_profile_writes_no_syntheses(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="claude-code", overrides={"reflect.enabled": True})
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    insight = Reflection(
        title="Assets are served from elsewhere",
        content="Neither fonts nor pictures are handled while a customer waits.",
        sources=("shop/fonts.md", "shop/images.md"),
        confidence=0.9,
    )
    model = ScriptedLlm(lambda one: ReflectAnswer(insights=(insight,)) if one.answer_type is ReflectAnswer else None)
    run_dream(ports, tenant, model)
    assert asked_by(model, SynthesizeAnswer) == []
    assert any("consolidated_insight" in one.content for one in take_picture(ports, tenant).memories.values())


def candidates(ports: Ports, tenant: str, notes: dict[str, tuple[int, Maturity, int]]) -> dict[str, str]:
    """Return by name what prune shows a model in the profile of ByteRover, of notes of an importance, a maturity and an age in days."""
    a_store(ports, tenant, profile="byterover")
    for name, (importance, maturity, days) in notes.items():
        at = datetime.now(UTC) - timedelta(days=days)
        signals = Signals(importance=importance, maturity=maturity)
        write(ports, tenant, texts({f"{name}.md": f"# {name}\n\n{LONG}\n"}, signals=signals, at=at))
    model = ScriptedLlm()
    run_dream(ports, tenant, model)
    (question,) = asked_by(model, PruneAnswer)
    return {one.path.removesuffix(".md"): one.text for one in question.documents if one.role == "candidate"}


def test_drafts_go_stale_after_60_days_or_below_35_validated_ones_after_120_and_core_ones_never(
    ports: Ports, tenant: str
) -> None:
    draft, validated, core = Maturity.DRAFT, Maturity.VALIDATED, Maturity.CORE
    notes = {
        "young": (60, draft, 58), "old": (60, draft, 62), "faded": (40, draft, 29), "fading": (40, draft, 25),
        "valid": (60, validated, 118), "past": (60, validated, 122), "weak": (10, validated, 58), "core": (10, core, 900),
    }  # fmt: skip
    assert candidates(ports, tenant, notes).keys() == {"past", "old", "faded"}


def test_the_20_stalest_memories_are_shown_in_one_call_and_each_by_its_beginning(ports: Ports, tenant: str) -> None:
    notes = {f"n{number}": (60, Maturity.DRAFT, 100 + number) for number in range(23)}
    shown = candidates(ports, tenant, notes)
    assert shown.keys() == {f"n{number}" for number in range(3, 23)}
    assert all("It begins here." in text and "It ends here." not in text for text in shown.values())


def test_a_hit_is_shown_with_the_speech_around_it_and_not_with_the_rest_of_its_session(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, profile="claude-code")
    far = [f"Line {number} of the log says nothing." for number in range(40)]
    tell(ports, tenant, "s1", *far, "Remember that the staging cluster runs in eu-north-1.", "Thanks.", *far)
    model = ScriptedLlm()
    run_dream(ports, tenant, model)
    shown = "\n".join(one.text for question in asked_by(model, GatherAnswer) for one in question.documents)
    assert "the staging cluster runs in eu-north-1" in shown
    assert "Thanks." in shown
    assert shown.count("of the log says nothing") < 10


@pytest.mark.parametrize("number", [150, 300])
def test_no_memory_md_is_larger_than_200_lines_and_25000_bytes_and_its_pointers_are_short(
    ports: Ports, tenant: str, number: int
) -> None:
    said = "It is written at length, so that one line of it would fill more than a pointer has room for. " * 3
    notes = {f"notes/n{one}.md": f"# Note number {one} of a store\n\n{said}{one}.\n" for one in range(number)}
    write(ports, tenant, notes)
    run_dream(ports, tenant)
    live = (one for one in take_picture(ports, tenant).memories.values() if one.state is MemoryState.LIVE)
    (root,) = [one.content for one in live if one.path == "MEMORY.md"]
    assert root.count("\n") <= 200
    assert 5_000 < len(root.encode()) <= 25_000
    assert max(len(line) for line in root.splitlines() if "](notes/" in line) <= 150
