"""Three similar notes of 40 kB that were made to be slow take a dream seconds of processor time, whatever stands in them."""

import time

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.memory.frontmatter import build_frontmatter
from shared.services.memories.search import search_together
from tests.support.builders import run_dream, write
from tests.support.laws import some_quick

_CHARS = 40_000
#: What is repeated in the notes, `§` being another number each time; they took 1.5 to 6 minutes each.
_SLOW = {
    "blank lines": "\n",
    "bullets": "- Item § is set up by team w§.\n",
    "spaced blank lines": " \n",
    "backticks": "`",
    "initials": "a. A",
    "short sentences": "Is it? No. ",
    "paragraphs": "Fact § holds.\n\n",
}
#: A dream of three ordinary notes takes half a second.
_MOST_SECONDS = 20.0


@pytest.mark.parametrize("name", some_quick(_SLOW, one_in=7))
def test_a_dream_over_slow_texts_is_soon_over(ports: Ports, tenant: str, name: str) -> None:
    piece = _SLOW[name]
    body = "".join(piece.replace("§", str(number)) for number in range(_CHARS // len(piece)))
    write(
        ports,
        tenant,
        {f"notes/{n}.md": f"# Pipeline notes\n\nDeploys run at {n}.\n\n{body}\nEnd {n}.\n" for n in range(3)},
    )
    start = time.thread_time()
    dream = run_dream(ports, tenant, OfflineLlm())
    assert dream.state in (DreamState.COMPLETED, DreamState.PARTIAL)
    assert time.thread_time() - start < _MOST_SECONDS


def test_a_search_over_a_source_made_of_signs_is_soon_answered(ports: Ports, tenant: str) -> None:
    # Found by one GET of an agent, this held the API for 38 seconds.
    write(
        ports, tenant, {"notes/a.md": build_frontmatter({"gathered_from": ["#" * 60_000]}, "The pipeline is slow.\n")}
    )
    start = time.thread_time()
    found = search_together(ports.db, ports.search, tenant, "default", "pipeline", 10)
    assert len(found) == 1
    assert time.thread_time() - start < 2
