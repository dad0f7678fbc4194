"""Stores for benchmarks: the generated ones of `stores/mem-N.jsonl` where they are at hand, else some of the same shape."""

import json
import os
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from shared.all_ports import Ports
from shared.core.evaluation.probes import Turn
from shared.core.memory.model import Author, Memory, Signals
from shared.ports.evidence.search_log import AskedSearch, Outcome
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories

DOMAINS = (
    "backend", "frontend", "deploy", "security", "testing", "billing", "support", "research", "people", "planning",
)  # fmt: skip
_SYLLABLES = [
    "ba",
    "che",
    "den",
    "du",
    "fol",
    "gri",
    "hart",
    "ke",
    "li",
    "lo",
    "mer",
    "mi",
    "ne",
    "pa",
    "plu",
    "qua",
    "ra",
    "sor",
    "sto",
    "tan",
    "tu",
    "vi",
    "wick",
    "zem",
]
_COMMON = [
    "the",
    "a",
    "of",
    "to",
    "and",
    "in",
    "that",
    "it",
    "is",
    "on",
    "for",
    "with",
    "as",
    "by",
    "this",
    "must",
    "not",
    "use",
    "uses",
    "when",
    "before",
    "after",
    "we",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory of a benchmark store. `dup_of` names the memory that it nearly repeats."""

    id: str
    domain: str
    title: str
    text: str
    importance: float
    access_count: int
    written_at: datetime
    dup_of: str | None

    @property
    def path(self) -> str:
        """Return where the memory lies."""
        return f"{self.domain}/{self.id}.md"

    @property
    def content(self) -> str:
        """Return the memory's text."""
        return f"# {self.title}\n\n{self.text}\n"


def data_folder() -> Path | None:
    """Return the folder with real data, or None."""
    found = Path(os.environ.get("SLOWWAVE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    return found if found.is_dir() else None


def load_store(size: int, *, is_generated: bool = False) -> tuple[list[Record], str]:
    """Return a store of 100, 1,000 or 10,000 memories and where it is from; a generated one is the same on every machine."""
    folder = None if is_generated else data_folder()
    path = folder / "stores" / f"mem-{size}.jsonl" if folder else None
    if path is None or not path.is_file():
        return list(_generate(size)), "generated"
    return [_from_json(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()], path.name


def spread(records: Sequence[Record], domains: int) -> list[Record]:
    """Return the records spread over a number of domains, regardless of their subject: a near-duplicate mostly lies in another one."""
    places = random.Random(20261122)
    return [replace(record, domain=f"d{places.randrange(domains):03d}") for record in records]


def fill_store(
    ports: Ports, tenant: str, store: str, records: Sequence[Record], *, changed: Collection[str] = ()
) -> None:
    """Write a store and have all its memories count as seen, but for those at the changed paths."""
    ensure_store(ports.db, tenant, store)
    texts = [
        NewText(path=r.path, content=r.content, written_at=r.written_at, signals=Signals(importance=r.importance * 100))
        for r in records
    ]
    for batch in in_batches(texts, max_texts=1_000):
        write_memories(ports.db, ports.ids, tenant, store, batch, Author.AGENT)
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(store).id)
        seen = [(head.id, head.version) for head in memories.find_heads() if head.path not in changed]
        memories.set_dirty(seen, is_dirty=False)


def _from_json(row: dict[str, object]) -> Record:
    return Record(
        id=str(row["id"]),
        domain=str(row["domain"]),
        title=str(row["title"]),
        text=str(row["text"]),
        importance=float(str(row["importance"])),
        access_count=int(str(row["access_count"])),
        written_at=datetime.fromtimestamp(float(str(row["created_at"])), UTC),
        dup_of=str(row["dup_of"]) if row["dup_of"] else None,
    )


def _generate(size: int) -> Iterator[Record]:
    """Yield 80 words a memory over 10 domains; every twentieth nearly repeats an earlier one of its domain."""
    chance = random.Random(20261121)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4))) for _ in range(400)]
    seen: dict[str, list[Record]] = {domain: [] for domain in DOMAINS}
    for number in range(size):
        domain = DOMAINS[number % len(DOMAINS)]
        original = chance.choice(seen[domain]) if seen[domain] and chance.random() < 0.05 else None
        tokens = original.text.split() if original else [
            chance.choice(_COMMON if chance.random() < 0.3 else words) for _ in range(80)
        ]  # fmt: skip
        if original:
            tokens[chance.randrange(len(tokens))] = chance.choice(words)
        record = Record(
            id=f"mem-{number:06d}",
            domain=domain,
            title=f"{original.title} again" if original else " ".join(chance.choices(words, k=4)),
            text=" ".join(tokens),
            importance=round(chance.random(), 3),
            access_count=chance.randint(0, 5),
            written_at=datetime(2026, 1, 1, tzinfo=UTC),
            dup_of=original.id if original else None,
        )
        seen[domain].append(record)
        yield record


def with_fact(record: Record) -> Record:
    """Return the record with the fact that is asked for."""
    return replace(record, text=f"{record.text}\n{_fact(record)}")


def own_questions(records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a row for each record, as a store keeps its own questions."""
    return [{"question": _question(one), "evidence": _fact(one)} for one in records]


def turns_about(records: Sequence[Record]) -> list[Turn]:
    """Return a question and its answer for each record, as they stand in a session."""
    return [
        turn
        for one in records
        for turn in (
            Turn(session=one.id, speaker="user", text=_question(one)),
            Turn(session=one.id, speaker="assistant", text=_fact(one)),
        )
    ]


def searches_for(memories: Sequence[Memory]) -> list[AskedSearch]:
    """Return a search for each memory, after which it was read."""
    return [
        AskedSearch(
            id=f"srch_{one.id}",
            query=f"deploy {one.path}",
            shown=(one.id,),
            read=(one.id,),
            outcome=Outcome.UNKNOWN,
            asked_at=one.updated_at,
        )
        for one in memories
    ]


def _question(record: Record) -> str:
    return f"How is {record.title} deployed?"


def _fact(record: Record) -> str:
    return f"The service {record.title} is deployed with `make_{record.id}`."
