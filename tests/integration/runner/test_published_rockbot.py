"""A dream in the profile of RockBot makes of an answer in RockBot's published JSON what its documentation says."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.learning.skills import SkillUse
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory, MemoryState, Signals
from shared.core.questions.question import Question
from shared.services.memories.write import NewText
from tests.support.builders import LONG_AGO, a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.model.provider import provider_at
from workers.phases import CATALOG
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.merge_skills.answer import MergeSkillsAnswer

HARBOUR = "The harbour of Delft closes at noon on Saturdays."
NOTES = [
    NewText(
        path="facts/harbour.md",
        content=f"---\ncategory: general\n---\n{HARBOUR}\n",
        signals=Signals(reinforcement_count=3, last_seen_at=datetime(2026, 2, 4, tzinfo=UTC)),
        created_at=datetime(2025, 3, 1, tzinfo=UTC),
    ),
    NewText(
        path="facts/closing.md",
        content=f"{HARBOUR} Runa has the key.\n",
        signals=Signals(reinforcement_count=4, last_seen_at=datetime(2026, 1, 2, tzinfo=UTC)),
        created_at=datetime(2025, 6, 1, tzinfo=UTC),
    ),
]
BOTH = ("facts/harbour.md", "facts/closing.md")


def dream_over(ports: Ports, tenant: str, notes: Sequence[NewText], answer: BaseModel) -> tuple[Dream, ScriptedLlm]:
    """A dream over these notes, and its model, which gave this answer."""

    def say(question: Question) -> BaseModel | None:
        return answer if question.answer_type is type(answer) else None

    a_store(ports, tenant, profile="rockbot")
    write(ports, tenant, list(notes))
    model = ScriptedLlm(say)
    return run_dream(ports, tenant, model), model


def live(ports: Ports, tenant: str) -> Mapping[str, Memory]:
    return {one.path: one for one in take_picture(ports, tenant).memories.values() if one.state is MemoryState.LIVE}


def ends_of(ports: Ports, tenant: str, dream: Dream) -> dict[OperationKind, tuple[OperationState, ReviewState]]:
    found = get_operations(ports, tenant, dream.id)
    return {one.operation.kind: (one.state, one.review) for one in found}


def test_a_merge_goes_by_source_ids_and_the_host_computes_its_times_and_refines_its_category(
    ports: Ports, tenant: str
) -> None:
    saved = {
        "content": f"{HARBOUR} Runa has the key.", "category": "harbour/hours", "tags": ["hours"], "sourceIds": BOTH
    }  # fmt: skip
    answer = ConsolidateAnswer.model_validate({"toDelete": [], "toSave": [saved]})
    dream, model = dream_over(ports, tenant, NOTES, answer)
    (asked,) = [one.question for one in model.requests if one.question.answer_type is ConsolidateAnswer]
    told = {one.path: " ".join(one.facts) for one in asked.documents}
    assert "first=2025-03-01, last=2026-02-04, reinforced=3\u00d7" in told["facts/harbour.md"]
    assert ends_of(ports, tenant, dream)[OperationKind.MERGE] == (OperationState.APPLIED, ReviewState.PENDING)
    (merged,) = [one for path, one in live(ports, tenant).items() if path in BOTH]
    assert merged.created_at == datetime(2025, 3, 1, tzinfo=UTC)
    assert merged.signals.last_seen_at == datetime(2026, 2, 4, tzinfo=UTC)
    assert merged.signals.reinforcement_count == 7
    fields = read_fields(merged.content)
    assert (fields["category"], fields["tags"]) == ("harbour/hours", ["hours"])


def test_two_moments_are_not_made_one_whatever_the_answer_says(ports: Ports, tenant: str) -> None:
    trips = {
        path: f"---\nsubjectTime: '{year}'\n---\n# Trip to Delft\n\nThe trip to Delft in {year} took four days.\n"
        for path, year in (("trips/one.md", 2019), ("trips/two.md", 2024))
    }
    saved = {"content": "The trips to Delft took four days.", "sourceIds": list(trips)}
    answer = ConsolidateAnswer.model_validate({"toDelete": [], "toSave": [saved]})
    dream_over(ports, tenant, texts(trips), answer)
    kept = live(ports, tenant)
    assert {path: kept[path].content for path in trips} == trips


def test_what_is_only_named_for_deletion_stays_until_a_person_approves_it(ports: Ports, tenant: str) -> None:
    answer = ConsolidateAnswer.model_validate({"toDelete": ["facts/closing.md"], "toSave": []})
    dream, _ = dream_over(ports, tenant, NOTES, answer)
    states = {end for kind, end in ends_of(ports, tenant, dream).items() if kind is not OperationKind.INDEX}
    assert states == {(OperationState.PROPOSED, ReviewState.PENDING)}
    assert set(BOTH) <= set(live(ports, tenant))


STEPS = "Sort the mail of the warehouse by sender, then answer the oldest one first and file the rest by its month."
SKILLS = {
    "skills/mail/SKILL.md": f"---\nname: mail\ndescription: Sort mail\n---\n{STEPS}\n",
    "skills/inbox/SKILL.md": f"---\nname: inbox\ndescription: Sort\ncreated: 2025-02-03T00:00:00Z\n---\n{STEPS}\n",
}


def test_merged_skills_carry_the_earliest_creation_and_the_latest_use(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant, profile="rockbot")
    used = datetime(2026, 11, 20, tzinfo=UTC)
    with ports.db.transaction(tenant) as uow:
        uow.skills(store.id).record_uses([SkillUse(skill="inbox", session="s1", used_at=used)])
    saved = {
        "name": "mail", "summary": "Sort the mail", "content": STEPS, "sourceNames": ["mail", "inbox"], "seeAlso": []
    }  # fmt: skip
    answer = MergeSkillsAnswer.model_validate({"toDelete": ["inbox"], "toSave": [saved]})
    dream_over(ports, tenant, texts(SKILLS, at=LONG_AGO), answer)
    kept = live(ports, tenant)
    fields = read_fields(kept["skills/mail/SKILL.md"].content)
    assert str(fields["created"]).startswith("2024-01-01"), "the other one was first seen then"
    assert str(fields["last-used"]).startswith("2026-11-20")
    assert "skills/inbox/SKILL.md" not in kept


def test_a_deletion_of_skills_without_a_replacement_skips_the_pass(ports: Ports, tenant: str) -> None:
    answer = MergeSkillsAnswer.model_validate({"toDelete": ["inbox", "mail"], "toSave": []})
    dream, _ = dream_over(ports, tenant, texts(SKILLS, at=LONG_AGO), answer)
    kept = live(ports, tenant)
    assert {path: kept[path].content for path in SKILLS} == SKILLS
    assert dream.summary is not None
    assert dream.summary.reasons["deletion_without_replacement"] == 1


MERGED = json.dumps({"toDelete": [], "toSave": [{"content": f"{HARBOUR} Runa has the key.", "sourceIds": BOTH}]})


@pytest.mark.parametrize(
    "said",
    [
        f"Both say the same, so I keep one: {MERGED} That is all.",
        f"Here you are:\n```json\n{MERGED}\n```\nAnything else?",
        f'<think>Perhaps {{"toSave": []}}?</think>\n{MERGED}',
    ],
    ids=["prose", "fence", "think"],
)
def test_an_answer_in_prose_in_a_fence_or_after_thoughts_is_carried_out(
    ports: Ports, tenant: str, llmock: Any, said: str
) -> None:
    a_store(ports, tenant, profile="rockbot")
    write(ports, tenant, NOTES)
    llmock.reply(said, times=40)
    model = AnthropicLlm(model="claude-haiku-4-5", provider=provider_at(llmock.base_url("anthropic")))
    dream = run_dream(ports, tenant, model)
    assert ends_of(ports, tenant, dream)[OperationKind.MERGE] == (OperationState.APPLIED, ReviewState.PENDING)
    (merged,) = [one for path, one in live(ports, tenant).items() if path in BOTH]
    assert "Runa has the key." in merged.content


#: By name: the importance and the days since the memory was seen, in the order that decay leaves them in.
FADING = {
    "kept": (50, 29), "fresh": (48, 0), "halved": (90, 75), "plain": (44, 0), "floored": (100, 900), "low": (9, 0),
    "lower": (3, 0), "least": (2, 0), "last": (1, 0),
}  # fmt: skip


def best_pointers(ports: Ports, tenant: str, **decay: float) -> list[str]:
    """Return the names in the order in which a dream points to the most important ones; there is room for seven of nine."""
    overrides = {"index.max_lines": 13, **{f"decay.{name}": value for name, value in decay.items()}}
    a_store(ports, tenant, profile="rockbot", overrides=overrides)
    now = datetime.now(UTC)
    for name, (importance, days) in FADING.items():
        seen = now - timedelta(days=days)
        signals = Signals(importance=importance, last_seen_at=seen)
        write(ports, tenant, texts({f"notes/{name}.md": f"# {name}\n\nOnly {name}.\n"}, signals=signals, at=seen))
    run_dream(ports, tenant)
    return re.findall(r"\]\(notes/([a-z]+)\.md\)", live(ports, tenant)["MEMORY.md"].content)


def test_importance_waits_30_days_then_halves_every_45_down_to_a_tenth_and_what_faded_is_pointed_to_later(
    ports: Ports, tenant: str
) -> None:
    assert best_pointers(ports, tenant) == ["kept", "fresh", "halved", "plain", "floored", "low", "lower"]


def test_a_half_life_of_zero_switches_decay_off(ports: Ports, tenant: str) -> None:
    found = best_pointers(ports, tenant, half_life_days=0)
    assert found == ["floored", "halved", "kept", "fresh", "plain", "low", "lower"]


@pytest.mark.parametrize("is_on", [True, False])
def test_each_pass_runs_or_not_as_its_switch_says(ports: Ports, tenant: str, is_on: bool) -> None:
    a_store(ports, tenant, profile="rockbot", overrides={f"phases.{name}": is_on for name in CATALOG.switches})
    write(ports, tenant, NOTES)
    dream = run_dream(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        reasons = {run.phase: run.reason for run in uow.phases.find_all(dream.id)}
    optional = {name for name in CATALOG.switches if name in reasons}
    assert {"gather", "consolidate", "merge_skills", "infer_preferences", "learn_from_workflows"} <= optional
    off = {name for name, reason in reasons.items() if reason == f"switched off (phases.{name}=false)"}
    assert off == (set() if is_on else optional - {"gather"}), "gather still reads noted corrections"
