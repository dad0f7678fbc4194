"""The daily digest on real servers: SwarmClaw's published rules, and nothing of a whole dream's touched."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import psycopg
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, PhaseState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import MemoryState, Tier
from shared.core.policy.policy import Autonomy
from shared.core.upkeep.due import local_day
from shared.ports.llm import LlmOutcome
from shared.services.dreams.start_upkeep import start_upkeep
from shared.services.operations.undo import undo_dream
from shared.services.tenants.directives import set_directive
from tests.integration.gates.gate_support import save_tenant
from tests.integration.upkeep.upkeep_support import NOTES, a_swarmclaw_store, everything, upkeep
from tests.support.builders import a_store, get_operations, get_store, run_dream, take_picture, texts, write
from workers.phases import CATALOG

DIGEST = Trigger.DIGEST


@pytest.fixture(autouse=True)
def today(ports: Ports, tenant: str) -> Iterator[str]:
    """The day by the tenant's clock; a test that runs through midnight is skipped instead of failing."""
    a_swarmclaw_store(ports, tenant)
    day = local_day(datetime.now(UTC), "UTC")
    yield day
    if local_day(datetime.now(UTC), "UTC") != day:
        pytest.skip("midnight came in between")


def refused(ports: Ports, tenant: str) -> tuple[str, str]:
    started = start_upkeep(ports.db, tenant, "default", DIGEST)
    assert started.dream is None
    return started.verdict.gate, started.verdict.reason


def digests(ports: Ports, tenant: str) -> list[str]:
    found = everything(ports, tenant).values()
    return [m.path for m in found if m.state is MemoryState.LIVE and m.path.startswith("daily_digest/2")]


def test_five_memories_of_a_day_become_one_digest(ports: Ports, tenant: str, today: str) -> None:
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, DIGEST)
    assert (dream.state, dream.trigger) == (DreamState.COMPLETED, DIGEST)
    assert dream.summary is not None
    assert dream.summary.digested == 1
    digest = everything(ports, tenant)[f"daily_digest/{today}.md"]
    assert digest.signals.tier is Tier.DURABLE
    fields = read_fields(digest.content)
    assert (fields["category"], fields["memories"]) == ("daily_digest", len(NOTES))
    assert fields["related"] == sorted(NOTES)


def test_a_digest_is_found_from_the_index(ports: Ports, tenant: str, today: str) -> None:
    write(ports, tenant, NOTES)
    upkeep(ports, tenant, DIGEST)
    assert f"daily_digest/{today}.md" in everything(ports, tenant)["MEMORY.md"].content


def test_four_memories_of_a_day_are_none(ports: Ports, tenant: str) -> None:
    write(ports, tenant, dict(list(NOTES.items())[:4]))
    assert refused(ports, tenant) == ("digest", "Not enough new memories (4 < 5 in 24 h)")


def test_a_digest_leaves_out_memories_older_than_24_hours(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=datetime.now(UTC) - timedelta(hours=25)))
    assert refused(ports, tenant)[1] == "Not enough new memories (0 < 5 in 24 h)"


def test_breadcrumbs_indexes_and_what_dreams_wrote_do_not_count(ports: Ports, tenant: str) -> None:
    write(ports, tenant, dict(list(NOTES.items())[:4]))
    others = {f"traces/{n}.md": f"---\ncategory: breadcrumb\n---\n# Step {n}\n" for n in range(3)}
    others |= {"MEMORY.md": "# Index\n", "logs/2026/03/2026-03-04.md": "- 10:00 began\n"}
    others["garden/insight.md"] = "---\ntype: consolidated_insight\n---\n# Insight\n\nBeds are planted.\n"
    write(ports, tenant, others)
    assert refused(ports, tenant)[1] == "Not enough new memories (4 < 5 in 24 h)"


def test_there_is_at_most_one_digest_a_store_and_day(ports: Ports, tenant: str, today: str) -> None:
    write(ports, tenant, NOTES)
    upkeep(ports, tenant, DIGEST)
    write(ports, tenant, {f"house/{n}.md": f"# Room {n}\n\nRoom {n} was painted.\n" for n in range(6)})
    assert refused(ports, tenant) == ("digest", "There is a digest of today already")
    assert digests(ports, tenant) == [f"daily_digest/{today}.md"]


def test_a_day_is_one_of_the_tenants_time_zone(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    save_tenant(ports, tenant, time_zone="Pacific/Kiritimati")
    write(ports, tenant, NOTES)
    days = {local_day(datetime.now(UTC), "Pacific/Kiritimati")}
    upkeep(ports, tenant, DIGEST)
    days.add(local_day(datetime.now(UTC), "Pacific/Kiritimati"))
    assert set(digests(ports, tenant)) <= {f"daily_digest/{day}.md" for day in days}
    looks_at = start_upkeep(ports.db, tenant, "default", DIGEST).verdict.retry_at
    assert looks_at is not None
    assert looks_at.astimezone(ZoneInfo("Pacific/Kiritimati")).time() == time.min


def test_a_memory_in_one_digest_is_not_in_the_next_days(
    ports: Ports, tenant: str, today: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, DIGEST)
    yesterday = f"daily_digest/{datetime.now(UTC).date() - timedelta(days=1)}.md"
    owner_connection.execute(
        "UPDATE memories SET path = %s WHERE tenant_id = %s AND category = 'daily_digest'", [yesterday, tenant]
    )
    owner_connection.execute("UPDATE dreams SET started_at = started_at - interval '1 day' WHERE id = %s", [dream.id])
    owner_connection.execute(
        "UPDATE memories SET created_at = now() - interval '25 hours', updated_at = now() - interval '25 hours'"
        " WHERE tenant_id = %s AND path LIKE 'garden/%%'",
        [tenant],
    )
    assert refused(ports, tenant)[1] == "Not enough new memories (0 < 5 in 24 h)"
    more = {f"house/{n}.md": f"# Room {n}\n\nRoom {n} was painted.\n" for n in range(5)}
    write(ports, tenant, more)
    upkeep(ports, tenant, DIGEST)
    assert read_fields(everything(ports, tenant)[f"daily_digest/{today}.md"].content)["related"] == sorted(more)


def test_a_digest_is_neither_digested_nor_consolidated_nor_reflected_on(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="default", overrides={"digest.enabled": True, "gates.idle_seconds": 0})
    write(ports, tenant, NOTES)
    upkeep(ports, tenant, DIGEST)
    write(ports, tenant, {"house/roof.md": "# Roof\n\nThe roof was mended.\n"})
    llm = ScriptedLlm()
    run_dream(ports, tenant, llm)
    shown = {document.path for request in llm.requests for document in request.question.documents}
    assert shown >= set(NOTES)
    assert not any("daily_digest" in path for path in shown)


def test_top_thirty_memories_are_shown_and_all_are_counted(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {f"garden/n{n}.md": f"# Note {n}\n\nBed {n} was planted.\n" for n in range(40)})
    llm = ScriptedLlm()
    dream = upkeep(ports, tenant, DIGEST, llm)
    (request,) = llm.requests
    assert len(request.question.documents) == 30
    assert dream.summary is not None
    assert dream.summary.reasons["too_few_bullets"] == 1


def test_an_empty_answer_writes_nothing_and_counts_for_the_day(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    assert upkeep(ports, tenant, DIGEST, ScriptedLlm()).state is DreamState.COMPLETED
    assert digests(ports, tenant) == []
    assert refused(ports, tenant)[1] == "There is a digest of today already"


@pytest.mark.parametrize("outcome", [LlmOutcome.UNPARSABLE, LlmOutcome.REFUSED])
def test_a_garbage_answer_writes_nothing_and_is_tried_again_an_hour_later(
    outcome: LlmOutcome, ports: Ports, tenant: str, today: str
) -> None:
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, DIGEST, ScriptedLlm({"digest": [outcome] * 3}))
    assert dream.state is DreamState.PARTIAL
    assert digests(ports, tenant) == []
    looks_at = get_store(ports, tenant).digest_check_at
    assert looks_at is not None
    assert timedelta(minutes=55) < looks_at - datetime.now(UTC) < timedelta(minutes=70)
    upkeep(ports, tenant, DIGEST)
    assert digests(ports, tenant) == [f"daily_digest/{today}.md"]


def test_a_digest_leaves_alone_what_belongs_to_whole_dreams(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    before = take_picture(ports, tenant)
    upkeep(ports, tenant, DIGEST)
    after = take_picture(ports, tenant)
    assert (after.books, after.merges, after.cursors) == (before.books, before.merges, before.cursors)
    assert get_store(ports, tenant).curations == len(NOTES)
    assert all(after.memories[one].is_dirty for one in before.memories)


def test_an_undone_digest_is_gone_and_not_written_again_that_day(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    before = take_picture(ports, tenant)
    dream = upkeep(ports, tenant, DIGEST)
    undo_dream(ports.db, tenant, dream.id, actor="test")
    assert take_picture(ports, tenant).books == before.books
    assert digests(ports, tenant) == []
    assert refused(ports, tenant)[1] == "There is a digest of today already"


def test_a_digest_that_a_person_has_to_approve_counts_for_the_day(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, DIGEST)
    (recorded,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.phase == "digest"]
    assert (recorded.operation.kind, str(recorded.state)) == (OperationKind.DIGEST, "proposed")
    assert refused(ports, tenant)[1] == "There is a digest of today already"


def test_a_users_file_at_the_place_of_a_digest_is_never_overwritten(ports: Ports, tenant: str, today: str) -> None:
    mine = {f"daily_digest/{today}.md": "# My own diary\n"}
    write(ports, tenant, {**NOTES, **mine})
    assert refused(ports, tenant)[1] == "There is a digest of today already"


def test_a_digest_has_a_directive_of_its_own(ports: Ports, tenant: str) -> None:
    set_directive(ports.db, tenant, "daily-digest.md", "Write about flowers only.", phases=CATALOG, actor="test")
    write(ports, tenant, NOTES)
    llm = ScriptedLlm()
    upkeep(ports, tenant, DIGEST, llm)
    assert llm.requests[0].instructions == "Write about flowers only."


def test_the_phases_of_a_digest_are_survey_digest_and_index(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    dream = upkeep(ports, tenant, DIGEST, OfflineLlm())
    with ports.db.transaction(tenant) as uow:
        runs = uow.phases.find_all(dream.id)
    assert {run.phase: run.state for run in runs} == dict.fromkeys(("orient", "digest", "index"), PhaseState.DONE)
