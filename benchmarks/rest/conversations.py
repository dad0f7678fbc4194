"""Make stores of LoCoMo's conversations, and find the evidence of its questions among their live memories."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.support.locomo_data import Fact, Question, find_faulty, find_observations, find_questions, plain_words
from benchmarks.support.stores import data_folder
from shared.all_ports import Ports
from shared.core.memory.model import GENERATED, Author, kind_of
from shared.services.memories.read import search_memories
from shared.services.memories.write import NewText, ensure_store, write_memories

TOP = 10
#: The shapes of a store: how many facts are in a file.
A_FACT, A_SESSION = "a fact a file", "a session a file"
SHAPES = (A_FACT, A_SESSION)
_DRAWS = 2_000
_SEED = 20261127


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation: what an agent noted of it, and the questions about it."""

    name: str
    facts: tuple[Fact, ...]
    questions: tuple[Question, ...]


def find_locomo() -> Path | None:
    """Return the file of LoCoMo, or None where it is absent."""
    folder = data_folder()
    source = folder / "locomo" / "locomo10.json" if folder else None
    return source if source is not None and source.is_file() else None


def read_conversations(source: Path, limit: int = 10) -> Iterator[Conversation]:
    """Yield the first conversations."""
    faulty = find_faulty(source.parent)
    for number, sample in enumerate(json.loads(source.read_text(encoding="utf-8"))[:limit]):
        yield Conversation(
            name=sample["sample_id"],
            facts=tuple(find_observations(sample)),
            questions=tuple(find_questions(sample, faulty[number])),
        )


def write_facts(ports: Ports, tenant: str, conversation: Conversation, shape: str, author: Author) -> None:
    """Write the facts of a conversation, dated with their session."""
    ensure_store(ports.db, tenant, "default")
    texts = list(as_texts(conversation.facts, shape))
    write_memories(ports.db, ports.ids, tenant, "default", texts, author)


def as_texts(facts: Sequence[Fact], shape: str) -> Iterator[NewText]:
    """Yield the files of facts in a shape, dated with their session."""
    for path, text, fact in _as_files(facts, shape):
        yield NewText(path=path, content=text, created_at=fact.at, written_at=fact.at)


def _as_files(facts: Sequence[Fact], shape: str) -> Iterator[tuple[str, str, Fact]]:
    by_path: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_path[fact.path].append(fact)
    for path, group in by_path.items():
        title = path.removesuffix(".md")
        if shape == A_SESSION:
            yield path, "".join((f"# {title}\n\n", *(f"- {fact.text}\n" for fact in group))), group[0]
        else:
            yield from ((f"{title}/{number:02}.md", f"{fact.text}\n", fact) for number, fact in enumerate(group, 1))


def measure_recall(ports: Ports, tenant: str, conversation: Conversation) -> list[float]:
    """Return for each question the share of its evidence that the live memories among the first ten found hold."""
    turns_of = {path: _turns_in(text, conversation.facts) for path, text in _live_texts(ports, tenant).items()}
    shares = []
    for question in conversation.questions:
        hits = search_memories(ports.db, ports.search, tenant, "default", question.text, TOP)
        found = frozenset().union(*(turns_of.get(hit.path, frozenset()) for hit in hits if not hit.is_archived))
        shares.append(len(question.evidence & found) / len(question.evidence))
    return shares


def _live_texts(ports: Ports, tenant: str) -> dict[str, str]:
    with ports.db.transaction(tenant) as uow:
        live = uow.memories(uow.stores.get("default").id).find_live()
    return {memory.path: memory.content for memory in live if kind_of(memory.path) not in GENERATED}


def _turns_in(text: str, facts: Sequence[Fact]) -> frozenset[str]:
    said = plain_words(text)
    return frozenset(turn for fact in facts if plain_words(fact.text) in said for turn in fact.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The mean difference of paired figures, and its 95 % interval."""

    mean: float
    low: float
    high: float


def compare(before: Mapping[str, Sequence[float]], after: Mapping[str, Sequence[float]]) -> Difference:
    """Return how much higher the figures are after than before, both by conversation and in the same order.

    The interval is a bootstrap over whole conversations: questions about one of them are not independent.
    """
    pairs = [
        [now - then for then, now in zip(before[name], after[name], strict=True)] for name in before if before[name]
    ]
    sums = [(sum(some), len(some)) for some in pairs]
    chance = random.Random(_SEED)
    drawn = sorted(_mean_of(chance.choices(sums, k=len(sums))) for _ in range(_DRAWS))
    return Difference(mean=_mean_of(sums), low=drawn[_DRAWS // 40], high=drawn[-1 - _DRAWS // 40])


def _mean_of(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(number for _, number in sums)


def mean_of(figures: Mapping[str, Sequence[float]]) -> float:
    """Return the mean of all figures, each question counting once."""
    return mean(one for some in figures.values() for one in some)
