"""An agent's note or a program's text replaces nothing that a user said by itself, and each statement keeps its writer."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.learning.feedback import FeedbackKind, NewFeedback
from shared.core.memory.model import Author, Memory, MemoryKind, kind_of
from shared.core.memory.writers import Rank, Through
from shared.core.trust.inherit import Written, writers_by_key
from shared.core.trust.shares import find_shares
from shared.services.operations.review import approve_operation
from shared.services.operations.undo import undo_dream
from shared.services.sessions.feedback import record_feedback
from tests.support.builders import get_operations, run_dream, texts, write
from tests.support.session_builders import tell

_MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
_SAID = "Remember: the staging site is deployed on Mondays."
_NOTED = "No, the staging site is deployed on Tuesdays."


def find_saying(ports: Ports, tenant: str, words: str) -> Memory:
    with ports.db.transaction(tenant) as uow:
        [found] = [
            one
            for one in uow.memories(uow.stores.get("default").id).find_live()
            if words in one.content and kind_of(one.path) is MemoryKind.TOPIC
        ]
    return found


def note(ports: Ports, tenant: str, about: str, rank: Rank) -> None:
    one = NewFeedback(
        kind=FeedbackKind.CORRECTION, text=_NOTED, subject=about, occurred_at=datetime.now(UTC), rank=rank
    )
    assert record_feedback(ports.db, tenant, "default", [one]).added == 1


@pytest.mark.parametrize(("rank", "state"), [(Rank.AGENT, "proposed"), (Rank.OWNER, "applied")])
def test_a_correction_by_a_less_trusted_writer_waits_for_a_review(
    ports: Ports, tenant: str, rank: Rank, state: str
) -> None:
    tell(ports, tenant, "monday", _SAID, at=_MONDAY)
    run_dream(ports, tenant, OfflineLlm())
    said = find_saying(ports, tenant, "Mondays")
    [writer] = said.writers.by
    assert (writer.rank, writer.through, bool(writer.session), writer.day) == (
        Rank.USER, Through.SESSION, True, "2026-03-02",
    )  # fmt: skip
    note(ports, tenant, said.path, rank)
    dream = run_dream(ports, tenant, OfflineLlm())
    [made] = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind == "CORRECT"]
    assert made.state == state
    if state == "proposed":
        assert "it would put what an agent said in the place of" in made.note
        assert "which a user said" in made.note
    else:
        ranks = {one.rank for one in find_saying(ports, tenant, "Tuesdays").writers.by}
        assert Rank.OWNER in ranks
        undo_dream(ports.db, tenant, dream.id, actor="ann")
        assert find_saying(ports, tenant, "Mondays").writers == said.writers


def test_a_persons_page_keeps_its_lines_writers_when_an_agent_edits_it(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"a.md": "# Deploy\n\nTag it.\n"}, at=_MONDAY), author=Author.USER)
    write(
        ports,
        tenant,
        texts({"a.md": "# Deploy\n\nTag it.\n\nRun it.\n"}, at=_MONDAY + timedelta(days=1)),
        author=Author.AGENT,
    )
    page = find_saying(ports, tenant, "Tag it.")
    ranks = [one.rank for one in writers_by_key(Written(page.content, page.writers)).values()]
    assert ranks == [Rank.OWNER, Rank.OWNER, Rank.AGENT]


def test_what_a_person_approves_stays_its_writers(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "monday", _SAID, at=_MONDAY)
    run_dream(ports, tenant, OfflineLlm())
    note(ports, tenant, find_saying(ports, tenant, "Mondays").path, Rank.AGENT)
    dream = run_dream(ports, tenant, OfflineLlm())
    [made] = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind == "CORRECT"]
    approve_operation(ports.db, ports.ids, tenant, made.id, actor="ann")
    corrected = find_saying(ports, tenant, "Tuesdays")
    writers = {
        statement: writer
        for writer, statements in find_shares(Written(corrected.content, corrected.writers))
        for statement in statements
    }
    [writer] = {writer for statement, writer in writers.items() if "Tuesdays" in statement}
    assert (writer.rank, writer.through) == (Rank.AGENT, Through.FEEDBACK)
