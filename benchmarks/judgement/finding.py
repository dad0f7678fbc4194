"""Grade what is found before anything is decided: candidates, cues, and the lines of logs and transcripts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.adapters.embeddings import is_installed
from shared.adapters.embeddings.local import LocalEmbedder
from shared.adapters.files.transcripts.formats import find_format
from shared.adapters.process_local.vector_table import make_table
from shared.core.memory.model import Memory
from shared.core.merging.candidates import find_candidates
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.search.bm25 import TextIndex, by_path
from shared.core.search.vectors import embedded_text
from shared.core.sessions.cues import find_cues
from shared.core.sessions.findings import find_in_event
from shared.core.sessions.transcript import FoundEvent, MalformedLine, SkippedLine
from shared.core.text.similarity import significant_words

_NOW = datetime(2026, 11, 1, 10, tzinfo=UTC)
_FIRST = 5
_SECONDS = 600.0
_FOLDER = 8  # pairs of paraphrases that share a small folder


def grade_paraphrases(pairs: Sequence[tuple[str, str]]) -> list[dict[str, object]]:
    """Return how many second sentences a search for the first ones has among five, and how many a model is shown."""
    if not pairs:
        return []
    texts = {f"all/{n}-{side}.md": f"{text}\n" for n, pair in enumerate(pairs) for side, text in enumerate(pair)}
    index = TextIndex(by_path(texts.items()))
    found = 0
    for number, (first, _) in enumerate(pairs):
        hits = [path for path, _ in index.search(significant_words(first, 100), _FIRST + 1)]
        found += f"all/{number}-1.md" in [path for path in hits if path != f"all/{number}-0.md"][:_FIRST]
    rows = [{"paraphrases": "lexical search, first five", "pairs": len(pairs), "found": found}]
    for name, width in (
        ("shown to a model, one folder", len(pairs)),
        ("shown to a model, small folders", _FOLDER // 2),
    ):
        texts = _in_folders(pairs, width)
        shown = sum(_is_shown(texts, number, width, {}) for number in range(len(pairs)))
        rows.append({"paraphrases": name, "pairs": len(pairs), "found": shown})
    return rows + (_grade_with_embeddings(pairs) if is_installed() else [])


def _grade_with_embeddings(pairs: Sequence[tuple[str, str]]) -> list[dict[str, object]]:
    """Return how many pairs of one folder a model is shown when meaning counts, too, in all and by halves."""
    texts = _in_folders(pairs, len(pairs))
    alike = _find_alike(texts)
    rows: list[dict[str, object]] = []
    halves = {"": range(len(pairs)), ", even pairs": range(0, len(pairs), 2), ", odd pairs": range(1, len(pairs), 2)}
    for name, numbers in halves.items():
        shown = sum(_is_shown(texts, number, len(pairs), alike) for number in numbers)
        rows.append({"paraphrases": f"the same, with embeddings{name}", "pairs": len(numbers), "found": shown})
    return rows


def _find_alike(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what is alike in meaning, as a dream asks for it."""
    embedder = LocalEmbedder()
    vectors = embedder.embed([embedded_text(text) for text in texts.values()], seconds=_SECONDS)
    table = make_table(len(vectors[0]))
    for path, vector in zip(texts, vectors, strict=True):
        table.put(path, vector)
    limit = ConsolidatePolicy().related_limit
    return {path: table.nearest_to(path, limit) for path in texts}


def _in_folders(pairs: Sequence[tuple[str, str]], width: int) -> dict[str, str]:
    """Return the sentences as texts by path, with a fixed number of pairs in a folder."""
    return {
        f"f{n // width}/{n}-{side}.md": f"{text}\n" for n, pair in enumerate(pairs) for side, text in enumerate(pair)
    }


def _is_shown(texts: Mapping[str, str], number: int, width: int, alike: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether the two sentences of a pair meet in one question, by the number of pairs in a folder."""
    memories = {path: _memory(path, text) for path, text in texts.items()}
    changed, wanted = f"f{number // width}/{number}-0.md", f"f{number // width}/{number}-1.md"
    groups = find_candidates(texts, [changed], (), ConsolidatePolicy(), lambda _: memories, alike=alike).groups
    return any(wanted in {one.path for one in (*group.changed, *group.related, *group.beside)} for group in groups)


def _memory(path: str, text: str) -> Memory:
    return Memory(id=path, path=path, content=text, created_at=_NOW, updated_at=_NOW, touched_at=_NOW)


def grade_cues(cases: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Return precision and recall over all cues, and for each kind."""
    kinds = sorted({kind for case in cases for kind in case["kinds"]})
    return [_row_of_kind(kind, cases) for kind in ("any", *kinds)] if cases else []


def _row_of_kind(kind: str, cases: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    counts: Counter[str] = Counter()
    for case in cases:
        found = {cue.kind.value for cue in find_cues(case["text"])}
        is_found, is_wanted = (bool(one) if kind == "any" else kind in one for one in (found, set(case["kinds"])))
        counts["found"] += is_found
        counts["wanted"] += is_wanted
        counts["right"] += is_found and is_wanted
    precision, recall = counts["right"] / (counts["found"] or 1), counts["right"] / (counts["wanted"] or 1)
    return {"cues": kind, "messages": len(cases), "found": counts["found"], "precision": precision, "recall": recall}


def grade_lines(paths: Sequence[Path]) -> list[dict[str, object]]:
    """Return what became of the lines of logs and transcripts: every line is an event, left out by name, or malformed."""
    counts: dict[str, Counter[str]] = {}
    for path in paths:
        known = find_format(path)
        if known is None:
            continue
        count = counts.setdefault(known.name, Counter())
        count["files"] += 1
        items = list(known.read(path, lambda _: None))
        events = [item for item in items if isinstance(item, FoundEvent)]
        count.update(_WHAT[type(item)] for item in items)
        count["with a cue"] += sum(bool(find_in_event(event.kind, event.text).cues) for event in events)
        count["id seen before"] += len(events) - len({(event.session, event.event_id) for event in events})
        if known.name in _BY_LINE:
            whole = {number for number, line in enumerate(path.read_bytes().split(b"\n"), start=1) if line.strip()}
            count["lines lost"] += len(whole - {item.line for item in items})
    names = ("files", *_WHAT.values(), "with a cue", "id seen before", "lines lost")
    return [{"format": name, **{what: count[what] for what in names}} for name, count in counts.items()]


#: Formats of one event a line; in the others a line is not a unit.
_BY_LINE = frozenset({"claude-code", "plain"})
_WHAT = {FoundEvent: "events", SkippedLine: "left out", MalformedLine: "malformed"}
