"""Measure on LoCoMo whether a dream loses knowledge of its conversations: `python -m benchmarks.locomo`.

Ten tenants, one per conversation, with the offline model. For each question with known evidence: which of its turns are
among the first ten places that `memory search --sessions` finds (one list of memories and transcripts, as agents search),
or among the first ten texts of plain BM25 indexes. A turn counts as found by itself, by a memory that names it as its source, or by
a memory that still holds an observation of it. Questions of the categories 1 to 4; faulty ones and those without evidence
are left out. Two stores a conversation: an empty one, whose memories all come from the dream, and one to which an agent
had written LoCoMo's observations, one file a session and speaker, which the dream merges, prunes and corrects.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.support.locomo_data import Fact, Question, find_faulty, find_observations, find_questions, plain_words
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from benchmarks.support.stores import data_folder
from shared.adapters.files.transcripts.formats import get_format
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.memory.model import Author, MemoryKind, kind_of
from shared.core.memory.provenance import read_sources, without_sources
from shared.core.search.bm25 import TextIndex
from shared.core.sessions.model import Window
from shared.core.sessions.transcript import FoundEvent
from shared.core.text.similarity import significant_words
from shared.services.memories.search import search_together
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

_TOP = 10
_QUERY_WORDS = 50
_EMPTY, _OBSERVED = "empty", "observed"


@dataclass(frozen=True, slots=True)
class _Document:
    """A text that can be found, and the turns that it stands for."""

    key: str
    text: str
    turns: frozenset[str]


def main() -> int:
    """Run the benchmark; without the data, print that and return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=10, help="how many, from the first on")
    wanted = parser.parse_args()
    folder = data_folder()
    source = folder / "locomo" / "locomo10.json" if folder else None
    if source is None or not source.is_file():
        print("There is no LoCoMo data; set SLOWWAVE_DATA. Nothing measured.")
        return 0
    samples = json.loads(source.read_text(encoding="utf-8"))
    faulty = find_faulty(source.parent)
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as another user when this runs as root
        with local_servers(Settings(data_dir=Path(name) / "data")) as settings:
            made = make_ports(settings)
            ports = replace(made, choose_llm=lambda _: OfflineLlm(), dispatch=Silent())
            for number, sample in enumerate(samples[: wanted.conversations]):
                questions = list(find_questions(sample, faulty[number]))
                for kind in (_EMPTY, _OBSERVED):
                    rows[kind].append(_measure(ports, source, sample, kind, questions))
            ports.close()
    table = [{"store": kind, "conversation": row["conversation"]} | row for kind in rows for row in rows[kind]]
    table += [_mean(kind, rows[kind]) for kind in rows]
    notes = {
        "search": "the product's one list, in which a memory and what it came from share a place",
        "list": "a plain index of turns and memories, in which each memory takes a place of its own",
        "both": "ten turns and ten memories, as `sessions search` and `memory search` find them",
        "facts lost": "observations that no live memory holds any more",
        "waiting": "sessions that one dream's 120 windows left",
    }
    report("locomo", "LoCoMo evidence among the first ten texts, before and after one dream", table, notes)
    return 0


def _measure(
    ports: Ports, source: Path, sample: Mapping[str, Any], kind: str, questions: Sequence[Question]
) -> dict[str, Any]:
    """Return the row of one conversation: recall before and after one dream."""
    tenant = f"{sample['sample_id']}-{kind}"
    ensure_store(ports.db, tenant, "default")
    facts = list(find_observations(sample)) if kind == _OBSERVED else []
    _write_observations(ports, tenant, facts)
    _import(ports, tenant, source, sample["sample_id"])
    row: dict[str, Any] = {"conversation": sample["sample_id"], "questions": len(questions)}
    row |= _recall(ports, tenant, facts, questions, "before")
    begun = time.perf_counter()
    _dream(ports, tenant)
    row["dream s"] = round(time.perf_counter() - begun, 2)
    row |= _recall(ports, tenant, facts, questions, "after")
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        live = uow.memories(store_id).find_live()
        row["waiting"] = uow.sessions(store_id).count_waiting()
    row["memories"] = sum(kind_of(memory.path) is MemoryKind.TOPIC for memory in live)
    row["index bytes"] = next((len(memory.content.encode()) for memory in live if memory.path == "MEMORY.md"), 0)
    return row


def _write_observations(ports: Ports, tenant: str, facts: Sequence[Fact]) -> None:
    by_path: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_path[fact.path].append(fact)
    texts = [
        NewText(
            path=path,
            content="".join((f"# {path.removesuffix('.md')}\n\n", *(f"- {fact.text}\n" for fact in group))),
            written_at=group[0].at,
        )
        for path, group in by_path.items()
    ]
    write_memories(ports.db, ports.ids, tenant, "default", texts, Author.AGENT)


def _import(ports: Ports, tenant: str, source: Path, sample_id: str) -> None:
    target = ImportTarget(tenant_id=tenant, store="default", source="locomo")
    items = get_format("locomo").read(source, lambda _size: None)
    mine = (item for item in items if isinstance(item, FoundEvent) and item.session.startswith(f"{sample_id}/"))
    import_session_items(ports.db, target, mine)


def _dream(ports: Ports, tenant: str) -> None:
    dream_id = begin_dream(ports, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        run_phase(ports, phase, PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase=phase.name))
    assert finish_dream(ports, tenant, dream_id, 1)


def _recall(
    ports: Ports, tenant: str, facts: Sequence[Fact], questions: Sequence[Question], when: str
) -> dict[str, float]:
    memories = list(_memories(ports, tenant, facts))
    turns = list(_transcript(ports, tenant))
    found = {"turns": _evidence_recall([turns], questions)} if when == "before" else {}
    if when == "after":
        texts = [plain_words(memory.text) for memory in memories]
        found["facts lost"] = sum(not any(plain_words(fact.text) in text for text in texts) for fact in facts)
    return found | {
        f"search {when}": _search_recall(ports, tenant, memories, questions),
        f"one list {when}": _evidence_recall([[*turns, *memories]], questions),
        f"both {when}": _evidence_recall([turns, memories], questions),
        f"memories {when}": _evidence_recall([memories], questions),
    }


def _transcript(ports: Ports, tenant: str) -> Iterator[_Document]:
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        windows = [
            Window(session_id=session.id, after=0, upto=session.last_position)
            for session in uow.sessions(store_id).find_recent(1_000)
        ]
        for events in uow.gathering(store_id).find_windows(windows, max_chars=10_000):
            for event in events:
                yield _Document(event.event_id, f"{event.role}: {event.text}", frozenset({event.event_id}))


def _memories(ports: Ports, tenant: str, facts: Sequence[Fact]) -> Iterator[_Document]:
    """Yield live memories with the turns that they name as sources, and those whose observations they still hold."""
    with ports.db.transaction(tenant) as uow:
        live = uow.memories(uow.stores.get("default").id).find_live()
    for memory in live:
        if kind_of(memory.path) is MemoryKind.TOPIC:
            said = plain_words(memory.content)
            named = (source.event_id for source in read_sources(memory.content))
            held = (turn for fact in facts if plain_words(fact.text) in said for turn in fact.turns)
            yield _Document(memory.path, f"{memory.path} {without_sources(memory.content)}", frozenset((*named, *held)))


def _evidence_recall(lists: Sequence[Sequence[_Document]], questions: Sequence[Question]) -> float:
    """Return the mean share of a question's evidence that the first ten texts of each list stand for."""
    indexes = [TextIndex((str(number), one.text) for number, one in enumerate(some)) for some in lists]
    shares = []
    for question in questions:
        words = significant_words(question.text, _QUERY_WORDS)
        hits = [
            some[int(key)] for some, index in zip(lists, indexes, strict=True) for key, _ in index.search(words, _TOP)
        ]
        turns = {turn for document in hits for turn in document.turns}
        shares.append(len(question.evidence & turns) / len(question.evidence))
    return round(mean(shares), 3)


def _search_recall(ports: Ports, tenant: str, memories: Sequence[_Document], questions: Sequence[Question]) -> float:
    """Return the mean share of a question's evidence that the first ten places of the product's search stand for."""
    turns_of = {memory.key: memory.turns for memory in memories}
    shares = []
    for question in questions:
        found: set[str] = set()
        for place in search_together(ports.db, ports.search, tenant, "default", question.text, _TOP):
            found |= {place.said.event_id} if place.said else set()
            found = found.union(*(turns_of.get(memory.path, frozenset()) for memory in place.memories))
        shares.append(len(question.evidence & found) / len(question.evidence))
    return round(mean(shares), 3)


def _mean(kind: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the row of a kind's means, a question counting once whatever its conversation."""
    total = sum(row["questions"] for row in rows)
    found: dict[str, Any] = {"store": kind, "conversation": "all", "questions": total}
    for name in list(rows[0])[2:]:
        is_recall = name == "turns" or name.endswith((" before", " after"))
        weighted = sum(row[name] * (row["questions"] if is_recall else 1) for row in rows)
        found[name] = round(weighted / (total if is_recall else len(rows)), 3)
    return found


if __name__ == "__main__":
    sys.exit(main())
