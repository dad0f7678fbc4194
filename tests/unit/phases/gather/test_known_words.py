"""Words of an event from which something was gathered: nothing is gathered from them again, whatever it is called then."""

from dataclasses import replace

import pytest

from shared.core.dream.operations import Plan
from shared.core.memory.model import Memory
from shared.core.memory.provenance import Source, find_quoted, format_source
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import Excerpt
from tests.unit.builders import codes
from tests.unit.phases.gather.test_plan_gather import NOW, excerpt, memory, said
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.placement import NOTED
from workers.phases.gather.plan import GatherView, plan_gathering

SAYS = "The gateway listens on port 3007 now, and\nreleases are cut on Tuesdays."
PORT, DAY = "The gateway listens on port 3007 now", "releases are cut on Tuesdays"


def from_words(quote: str, *, event: str = "e1", path: str = "ops/gateway.md", name: str = "") -> Memory:
    """A memory that was made of these words, and has other words since."""
    source = Source(session_id="sesn_1", event_id=event, day="2026-03-04", quote=quote, speaker=name)
    return memory(path, f"---\ngathered_from:\n  - {format_source(source)!r}\n---\n# Gateway\n\nIt has no port.\n")


def plan(found: list[GatheredMemory], where: Excerpt, *known: Memory) -> Plan:
    view = GatherView(
        excerpts=(where,),
        existing=(),
        live_paths=frozenset(one.path for one in known),
        policy=GatherPolicy(),
        resolve_dates=lambda text, _: text,
        now=NOW,
        quoted=find_quoted(((one.path, one.content) for one in known), {"sesn_1#e1", "sesn_1#e2", f"sesn_1#{NOTED}"}),
    )
    return plan_gathering(view, found)


@pytest.mark.parametrize("kind", ["fact", "save", "correction", "decision"])
@pytest.mark.parametrize("quote", [PORT, f"{PORT},", PORT.upper(), "listens on port 3007"])
def test_a_statement_of_words_that_a_memory_names_as_its_source_is_known(kind: str, quote: str) -> None:
    where = excerpt(SAYS)
    told = said(where, quote, "Port 3007 is where the gateway listens.", kind=kind, title="Ports")
    made = plan([told], where, from_words(PORT, name="Ann"))
    assert (made.operations, codes(made)) == ((), ["known_already"])
    assert made.skips[0].detail.endswith("ops/gateway.md has it from the same words already")
    assert made.skips[0].said_in == "sesn_1#e1"


def test_other_words_of_one_event_are_news() -> None:
    where = excerpt(SAYS)
    made = plan([said(where, DAY, "Releases are cut on Tuesdays.", title="Releases")], where, from_words(PORT))
    assert len(made.operations) == 1
    both = [said(where, PORT, f"{PORT}.", title="Gateway"), said(where, DAY, "Releases are cut on Tuesdays.")]
    assert len(plan(both, where).operations) == 2


def test_the_same_words_of_another_event_are_news() -> None:
    where = excerpt(SAYS)
    made = plan([said(where, PORT, f"{PORT}.", title="Gateway")], where, from_words(PORT, event="e2"))
    assert len(made.operations) == 1


def test_long_words_in_several_lines_are_known_by_their_beginning() -> None:
    long = f"Remember that\n  {' '.join(f'host-{number} is in rack {number}' for number in range(30))}."
    where = excerpt(long)
    made = plan([said(where, long, "Thirty hosts are in thirty racks.", title="Racks")], where, from_words(long))
    assert codes(made) == ["known_already"]


def test_a_correction_that_was_noted_on_purpose_counts_however_often_it_is_noted() -> None:
    where = excerpt(f"{PORT}.")
    where = replace(where, lines=tuple(replace(line, event_id=NOTED) for line in where.lines))
    made = plan([said(where, PORT, f"{PORT}.", kind="correction")], where, from_words(PORT, event=NOTED))
    assert len(made.operations) == 1
