"""The stores that are measured, with the questions about them: LoCoMo in two shapes, BEAM's conversations, trees and families.

Of LoCoMo a store holds the observations, and a question asks for those of the turns that are its evidence. Of BEAM it holds what was
said: as sessions alone, of which dreams without a model keep what has a cue, or with an agent's notes beside them, one for each of the
user's messages. BEAM's questions ask for the statement of each source turn that shares most words with question and answer. Memory trees and
families of siblings and duplicates are asked for their own statements.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.judgement.material import read_material
from benchmarks.rest.conversations import SHAPES, Conversation, as_texts, find_locomo, read_conversations
from benchmarks.rest.folders import find_trees
from benchmarks.support.stores import data_folder
from shared.adapters.files.found import FoundFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import read_folder
from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.needles import needle_of
from shared.core.evaluation.probes import Probe, WrittenText, draw_pairs, make_probe, probes_of_owner
from shared.core.memory.model import Author
from shared.core.reading.placed import read_placed
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.core.text.similarity import significant_words
from shared.core.text.words import cut
from shared.services.memories.write import NewText

#: BEAM's abilities that a dream can help with or harm, by how they are called here.
ABILITIES = {
    "contradiction_resolution": "contradictions",
    "knowledge_update": "updates",
    "temporal_reasoning": "days",
}
TREES, FAMILIES = "memory trees", "families"
#: The folder of data that a set of questions comes from, by how its name begins.
SOURCES = {
    "LoCoMo": "locomo",
    "BEAM": "beam",
    TREES: "memory-trees",
    FAMILIES: "judgement",
    "duplicates": "judgement",
    "wishes": "usefulness",
}
_WORDS = 24
_PAIRS = 400
#: What has not been touched for so long is looked at by every phase.
_OLD = datetime(2025, 1, 1, 9, tzinfo=UTC)
_BEGIN = datetime(2024, 1, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One store before its first dream, and the questions about it by the set that they are reported with.

    Attributes:
        material: what is printed; the stores of one material are reported together.
        name: tells it from the others of its material.
    """

    material: str
    name: str
    probes: Mapping[str, tuple[Probe, ...]]
    texts: tuple[NewText, ...] = ()
    author: Author = Author.AGENT
    events: tuple[FoundEvent, ...] = ()


def find_absent() -> tuple[str, ...]:
    """Return how the names of those sets begin whose data is not at hand."""
    folder = data_folder()
    return tuple(name for name, source in SOURCES.items() if folder is None or not (folder / source).is_dir())


def find_cases() -> list[Case]:
    """Return every store whose data is at hand."""
    source = find_locomo()
    conversations = list(read_conversations(source)) if source else []
    of_locomo = (_of_locomo(one, shape) for shape in SHAPES for one in conversations)
    return [*of_locomo, *_find_beam(), *_find_trees(), *_find_families()]


def _of_locomo(conversation: Conversation, shape: str) -> Case:
    material = f"LoCoMo, {shape}"
    return Case(
        material=material,
        name=conversation.name,
        probes={material: probes_of_conversation(conversation)},
        texts=tuple(as_texts(conversation.facts, shape)),
    )


def probes_of_conversation(conversation: Conversation) -> tuple[Probe, ...]:
    """Return a probe for each question and each observation of a turn that is its evidence, by the file of the observation."""
    rows = [
        {"question": question.text, "evidence": fact.text, "group": fact.path}
        for question in conversation.questions
        for fact in conversation.facts
        if question.evidence & fact.turns
    ]
    return probes_of_owner(rows)


def _find_beam() -> Iterator[Case]:
    folder = data_folder()
    places = sorted(folder.glob("beam/*/chat.json")) if folder else []
    for place in places:
        batches = json.loads(place.read_text(encoding="utf-8"))
        asked = json.loads(place.with_name("probing_questions.json").read_text(encoding="utf-8"))
        yield from _of_beam(place.parent.name, batches, asked)


def _of_beam(
    name: str, batches: Sequence[Mapping[str, Any]], asked: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[Case]:
    events = tuple(_events_of(batches))
    said = {event.event_id: event.text for event in events}
    for form in ("sessions", "notes and sessions"):
        probes = {
            f"BEAM {form}, {called}": tuple(one for row in asked[ability] for one in _probes_of(row, said))
            for ability, called in ABILITIES.items()
        }
        yield Case(
            material=f"BEAM {form}",
            name=name,
            probes=probes,
            texts=tuple(_note_of(one) for one in events if one.kind is EventKind.USER) if form != "sessions" else (),
            events=events,
        )


def _events_of(batches: Sequence[Mapping[str, Any]]) -> Iterator[FoundEvent]:
    line = 0
    for batch in batches:
        for turn in (turn for group in batch["turns"] for turn in group):
            line += 1
            yield FoundEvent(
                line=line,
                session=f"batch-{batch['batch_number']}",
                event_id=str(turn["id"]),
                kind=EventKind.USER if turn["role"] == "user" else EventKind.ASSISTANT,
                role=turn["role"],
                text=turn["content"].partition(" ->->")[0],
                at=_BEGIN + timedelta(days=30 * batch["batch_number"], minutes=line),
            )


def _note_of(event: FoundEvent) -> NewText:
    path = f"{event.session}/message-{int(event.event_id):03}.md"
    return NewText(path=path, content=f"{event.text}\n", created_at=event.at, written_at=event.at)


def _probes_of(row: Mapping[str, Any], said: Mapping[str, str]) -> Iterator[Probe]:
    told = f"{row['question']} {row.get('answer') or row.get('ideal_answer', '')}"
    words = set(significant_words(told, 2 * _WORDS))
    for turn in dict.fromkeys(_turns_of(row.get("source_chat_ids", ()))):
        statements = [one.text for one in read_placed(said.get(turn, ""))]
        best = max(statements, key=lambda one: len(words.intersection(cut(one))), default="")
        probe = make_probe(ProbeKind.OWN, row["question"], needle_of(best), turn)
        if probe is not None:
            yield probe


def _find_trees() -> Iterator[Case]:
    for name, folder in find_trees().items():
        files = [one for one in read_folder(find_memory_root(folder)) if isinstance(one, FoundFile)]
        yield _of_texts(TREES, name, {one.path: one.content for one in files})


def _find_families() -> Iterator[Case]:
    folder = data_folder()
    material = read_material(folder / "judgement") if folder else None
    families = [*material.siblings, *material.duplicates] if material else []
    texts = {f"family-{number}/{path}": text for number, one in enumerate(families) for path, text in one.items()}
    if texts:
        yield _of_texts(FAMILIES, "all", texts)


def _of_texts(material: str, name: str, texts: Mapping[str, str]) -> Case:
    """Return a store of old texts that is asked for what it says itself."""
    written = [WrittenText(path=path, content=text, at=_OLD) for path, text in texts.items()]
    return Case(
        material=material,
        name=name,
        probes={material: draw_pairs(written, _PAIRS)},
        author=Author.IMPORT,
        texts=tuple(
            NewText(path=path, content=text, created_at=_OLD, written_at=_OLD, any_ending=True, may_instruct=True)
            for path, text in texts.items()
        ),
    )


def _turns_of(told: object) -> Iterator[str]:
    """Yield the ids of turns, which lie in lists and by name."""
    if isinstance(told, Mapping):
        told = list(told.values())
    if isinstance(told, list):
        for one in told:
            yield from _turns_of(one)
    elif isinstance(told, int):
        yield str(told)
