"""Upkeep on real servers: each published rule, idempotent, undone whole, and never beyond its own store."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author, Maturity, Memory, MemoryState, Signals, Tier, kind_of
from shared.core.upkeep.decay import EXEMPT_CATEGORIES
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write

LONG_AGO = datetime.now(UTC) - timedelta(days=200)
SWARMCLAW = {"gates.enabled": True, "phases.consolidate": False, "phases.synthesize": False, "reflect.enabled": False}
EARNED = Signals(access_count=3, reinforcement_count=2)


def a_swarmclaw_store(
    ports: Ports, tenant: str, name: str = "default", overrides: Mapping[str, object] = MappingProxyType({})
) -> None:
    a_store(ports, tenant, name, profile="swarmclaw", overrides={**SWARMCLAW, **overrides})


def put(
    ports: Ports,
    tenant: str,
    contents: Mapping[str, str],
    *,
    signals: Signals | None = None,
    at: datetime = LONG_AGO,
    author: Author = Author.AGENT,
    store: str = "default",
) -> None:
    write(ports, tenant, texts(contents, signals=signals or Signals(), at=at), author=author, store=store)


def numbers(dream: Dream) -> tuple[int, int, int, int]:
    assert dream.summary is not None
    return dream.summary.decayed, dream.summary.promoted, dream.summary.folded, dream.summary.archived


def everything(ports: Ports, tenant: str, store: str = "default") -> dict[str, Memory]:
    return {memory.path: memory for memory in take_picture(ports, tenant, store).memories.values()}


def upkeep_kinds(ports: Ports, tenant: str, dream: Dream) -> list[OperationKind]:
    return [op.operation.kind for op in get_operations(ports, tenant, dream.id) if op.operation.phase == "maintain"]


def test_dedup_keeps_the_file_and_what_was_known_of_its_copies(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/door (1).md": "The door is BLUE.\n"}, signals=Signals(reinforcement_count=1, importance=70))
    put(ports, tenant, {"a/door.md": "the door is blue"}, signals=Signals(access_count=1))
    put(ports, tenant, {"b/door.md": "The door is blue."}, signals=Signals(access_count=1))
    dream = run_dream(ports, tenant)
    found = everything(ports, tenant)
    assert numbers(dream)[2] == 1
    assert found["a/door (1).md"].state is MemoryState.SUPERSEDED
    assert found["a/door (1).md"].superseded_by == found["a/door.md"].id
    assert found["b/door.md"].state is MemoryState.LIVE
    merged = found["a/door.md"].signals
    assert (merged.access_count, merged.reinforcement_count, merged.importance) == (1, 1, 70)


def test_fern_palm_and_cactus_keep_their_own_records_whatever_they_say(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    same = "---\ncategory: plants\n---\n# Watering\n\nOnce a week, less in winter.\n"
    names = ("fern/watering", "palm/watering", "cactus/watering", "pot (1)", "pot (2)", "2026-03-01", "2026-03-02")
    put(ports, tenant, {f"plants/{name}.md": same for name in names}, at=datetime.now(UTC))
    before = everything(ports, tenant)
    assert numbers(run_dream(ports, tenant))[2] == 0
    found = everything(ports, tenant)
    assert {path: found[path].content for path in before} == dict.fromkeys(before, same)
    assert {one.state for one in found.values()} == {MemoryState.LIVE}


def test_promote_at_three_accesses_and_two_reinforcements(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/earned.md": "Earned."}, signals=EARNED)
    put(ports, tenant, {"a/unread.md": "Unread."}, signals=replace(EARNED, access_count=2))
    put(ports, tenant, {"a/weak.md": "Weak."}, signals=replace(EARNED, reinforcement_count=1))
    dream = run_dream(ports, tenant)
    found = everything(ports, tenant)
    assert numbers(dream)[1] == 1
    durable = [path for path, one in found.items() if one.signals.tier is Tier.DURABLE]
    assert durable == ["a/earned.md"]


def test_prune_archives_unused_working_memories_after_90_days(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/stale.md": "Stale knowledge of the office."})
    put(ports, tenant, {"a/young.md": "Young."}, at=datetime.now(UTC) - timedelta(days=89))
    put(ports, tenant, {"a/read.md": "Read."}, signals=Signals(access_count=1))
    put(ports, tenant, {"a/told-again.md": "Again."}, signals=Signals(reinforcement_count=1))
    put(ports, tenant, {"a/durable.md": "Durable."}, signals=Signals(tier=Tier.DURABLE))
    put(ports, tenant, {"a/seen.md": "Seen."}, signals=Signals(last_seen_at=datetime.now(UTC)))
    dream = run_dream(ports, tenant)
    found = everything(ports, tenant)
    assert numbers(dream)[3] == 1
    assert [path for path, one in found.items() if one.state is MemoryState.ARCHIVED] == ["a/stale.md"]
    assert found["a/stale.md"].stub == "Stale knowledge of the office."


def test_a_stale_memory_that_a_person_wants_to_keep_is_not_archived_by_the_next_dream(
    ports: Ports, tenant: str
) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/stale.md": "Stale knowledge of the office."})
    dream = run_dream(ports, tenant)
    (archived,) = [o for o in get_operations(ports, tenant, dream.id) if o.operation.phase == "maintain"]
    reject_operation(ports.db, tenant, archived.id, actor="a test")
    again = run_dream(ports, tenant)
    assert numbers(again)[3] == 0
    assert everything(ports, tenant)["a/stale.md"].state is MemoryState.LIVE


def test_undoing_a_proposal_does_not_ask_to_keep_the_memory(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/stale.md": "Stale knowledge of the office."})
    undo_dream(ports.db, tenant, run_dream(ports, tenant).id, actor="a test")
    assert numbers(run_dream(ports, tenant))[3] == 1


def test_decay_counts_memories_past_30_days_without_use(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant, overrides={"maintain.archive_after_days": None})
    put(ports, tenant, {"a/old.md": "Old."}, at=datetime.now(UTC) - timedelta(days=31))
    put(ports, tenant, {"a/new.md": "New."}, at=datetime.now(UTC) - timedelta(days=29))
    put(ports, tenant, {"a/used.md": "Used."}, signals=Signals(access_count=1))
    assert numbers(run_dream(ports, tenant)) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    "off", [{"decay.half_life_days": 0}, {"decay.law": "daily", "decay.daily_factor": 0}, {"decay.law": "none"}]
)
def test_where_decay_is_switched_off_nothing_is_said_to_have_decayed(
    ports: Ports, tenant: str, off: dict[str, object]
) -> None:
    a_swarmclaw_store(ports, tenant, overrides={"maintain.archive_after_days": None, **off})
    put(ports, tenant, {"a/old.md": "Old."})
    assert numbers(run_dream(ports, tenant)) == (0, 0, 0, 0)


def test_a_memory_at_the_lowest_importance_fades_no_further_and_is_not_counted(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant, overrides={"maintain.archive_after_days": None})
    put(ports, tenant, {"a/low.md": "Old."}, signals=Signals(importance=10))
    assert numbers(run_dream(ports, tenant)) == (0, 0, 0, 0)


@pytest.mark.parametrize("field", ["category", "type"])
def test_exempt_categories_are_neither_decayed_nor_promoted_nor_archived(ports: Ports, tenant: str, field: str) -> None:
    a_swarmclaw_store(ports, tenant)
    for category in sorted(EXEMPT_CATEGORIES):
        put(ports, tenant, {f"d/{category}.md": f"---\n{field}: {category}\n---\nFirst.\n"})
        put(ports, tenant, {f"e/{category}.md": f"---\n{field}: {category}\n---\nSecond.\n"}, signals=EARNED)
    assert numbers(run_dream(ports, tenant)) == (0, 0, 0, 0)


def test_a_second_run_in_the_same_state_changes_and_counts_nothing(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/1.md": "Twin.", "a/1 (1).md": "twin", "a/3.md": "Stale."})
    put(ports, tenant, {"a/4.md": "Earned."}, signals=EARNED)
    put(
        ports,
        tenant,
        {"b/1.md": "Half.", "b/1-copy.md": "Half."},
        signals=Signals(access_count=2, reinforcement_count=1),
    )
    put(ports, tenant, {f"c/{n}.md": f"Fresh {n}." for n in range(20)}, at=datetime.now(UTC))
    assert numbers(run_dream(ports, tenant)) == (3, 2, 2, 2)
    before = everything(ports, tenant)
    again = run_dream(ports, tenant)
    assert numbers(again) == (0, 0, 0, 0)
    assert upkeep_kinds(ports, tenant, again) == []
    assert everything(ports, tenant) == before


def test_an_undone_dream_gives_back_tiers_and_folded_memories(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant, overrides={"safety.loss_cap_floor": 3})
    put(ports, tenant, {"a/1.md": "Twin.", "a/1 (1).md": "twin", "a/3.md": "Stale."})
    put(ports, tenant, {"a/4.md": "Earned.", "a/5.md": "Earned too."}, signals=EARNED)
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant)
    assert set(upkeep_kinds(ports, tenant, dream)) == {
        OperationKind.FOLD, OperationKind.MAKE_DURABLE, OperationKind.ARCHIVE_STALE,
    }  # fmt: skip
    report = undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert report.conflicts == ()
    assert take_picture(ports, tenant) == before


def test_an_undo_takes_a_tier_back_and_leaves_what_was_written_since(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/1.md": "One.", "a/2.md": "Two."}, signals=EARNED)
    dream = run_dream(ports, tenant)
    write(ports, tenant, {"a/1.md": "One, edited."})
    report = undo_dream(ports.db, tenant, dream.id, actor="a test")
    found = everything(ports, tenant)
    assert (report.conflicts, report.merged) == ((), ("a/1.md",))
    assert found["a/1.md"].content == "One, edited."
    assert {memory.signals.tier for memory in found.values()} == {Tier.WORKING}


def test_upkeep_never_reaches_another_store_or_tenant(ports: Ports, tenant: str) -> None:
    other = f"{tenant}-other"
    for who, store in ((tenant, "default"), (tenant, "side"), (other, "default")):
        a_swarmclaw_store(ports, who, store)
        put(ports, who, {"a/same.md": "The same."}, store=store, signals=Signals(access_count=1))
    outside = [everything(ports, tenant, "side"), everything(ports, other)]
    assert numbers(run_dream(ports, tenant))[2:] == (0, 0)
    assert [everything(ports, tenant, "side"), everything(ports, other)] == outside


def test_an_empty_store_is_left_with_a_reason(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    dream = run_dream(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        run = next(run for run in uow.phases.find_all(dream.id) if run.phase == "maintain")
    assert run.reason == "nothing to fold, to promote or to archive"
    assert dream.state is DreamState.COMPLETED


def test_nothing_protected_is_archived(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/core.md": "Core."}, signals=Signals(maturity=Maturity.CORE))
    put(ports, tenant, {"a/pinned.md": "Pinned."}, signals=Signals(pinned=True))
    put(ports, tenant, {"a/weighty.md": "Weighty."}, signals=Signals(importance=80))
    put(ports, tenant, {"a/mine.md": "Mine."}, author=Author.USER)
    put(ports, tenant, {"skills/x/SKILL.md": "A skill.", "a/_index.md": "An index.", "a/x.stub.md": "A stub."})
    logs = ("logs/2026/03/2026-03-04.md", "logs/standup.md", "ops/logs/deploys.md", "diary/2024-03-05.md")
    put(ports, tenant, {path: f"What was done, in {path}." for path in logs})
    assert numbers(run_dream(ports, tenant))[3] == 0


def test_generated_files_and_skills_are_told_apart_as_everywhere_else(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    paths = [
        "MEMORY.md", "a/MEMORY.md", "_index.md", "a/_index.md", "a/b_index.md", "a/x.abstract.md", "a/x.overview.md",
        "_archived/y.md", "a/_archived/y.md", "skills/x.md", "skills/x/SKILL.md", "skills/x/y.md", "x.full.md", "x.md",
        "notes", "a.b/notes", "prefs.TXT", "a.Markdown", "release 1.2 x", "data.json", "a/run.SH", ".env", "a.mdx",
        "logs/2026/03/2026-03-05.md", "logs/2026/03/notes.md",
    ]  # fmt: skip
    said = texts({path: f"Text of {path}" for path in paths}, signals=EARNED, at=LONG_AGO)
    # A person may write `.env`, an agent may not.
    write(ports, tenant, [replace(one, any_ending=True) for one in said], author=Author.IMPORT)
    with ports.db.transaction(tenant) as uow:
        queries = uow.maintenance(uow.stores.get("default").id)
        found = {one.path for one in queries.find_promotable(accesses=3, reinforcements=2, limit=100)}
    assert found == {path for path in paths if kind_of(path) == "topic"}


def test_a_text_that_was_blanked_leaves_no_hash_that_would_prove_it(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {"a/secret.md": "---\ncategory: keys\n---\nThe key is 1234."})
    columns = "SELECT fold_hash, category FROM memories WHERE tenant_id = %s"
    assert owner_connection.execute(columns, (tenant,)).fetchone() != ("", "")
    owner_connection.execute("UPDATE memories SET content = '' WHERE tenant_id = %s", (tenant,))
    assert owner_connection.execute(columns, (tenant,)).fetchone() == ("", "")


def test_a_recent_import_is_not_archived_because_its_file_is_old(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_swarmclaw_store(ports, tenant)
    put(ports, tenant, {f"web/{n}.md": f"# Visit {n}\n" for n in range(8)}, author=Author.IMPORT)
    assert numbers(run_dream(ports, tenant))[3] == 0
    owner_connection.execute(
        "UPDATE memory_versions SET created_at = created_at - interval '91 days' WHERE tenant_id = %s", [tenant]
    )
    assert numbers(run_dream(ports, tenant))[3] > 0
