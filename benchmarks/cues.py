"""Recall and precision of the cue detector on messages labelled by hand: `python -m benchmarks.cues [LABELS]`.

Labels are JSON lines `{"session": …, "uuid": …, "kinds": ["correction", …]}`, an empty list for a message that holds
nothing to keep. They carry no text and are not in the repository: LABELS or SLOWWAVE_CUE_LABELS says where they are.
A turn of LoCoMo has its conversation for a session and the conversation with the turn's id for a uuid (`conv-26D1:3`).
"""

import argparse
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from benchmarks.support.report import report
from shared.core.sessions.cues import find_cues

Label = Mapping[str, Any]
Detector = Callable[[str], frozenset[str]]
_OBVIOUS = re.compile(r"\b(?:no|wrong|incorrect|actually|remember|don't|instead|always|never|decided)\b", re.IGNORECASE)


def main() -> None:
    """Print the table, or say what is absent."""
    data = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data"))
    wanted = _parse()
    named = wanted.labels
    if not data.is_dir() or not named or not Path(named).is_file():
        print(
            f"nothing measured: needs {data} (SLOWWAVE_DATA) and a file of labels (SLOWWAVE_CUE_LABELS, now {named!r})"
        )
        return
    texts = {**dict(_read_texts(data / "transcripts")), **dict(_read_turns(data / "locomo" / "locomo10.json"))}
    lines = Path(named).read_text(encoding="utf-8").splitlines()
    labels = [label for label in map(json.loads, lines) if (label["session"], label["uuid"]) in texts]
    rows = []
    for half, chosen in (("tuned on", _half(labels, 0)), ("held out", _half(labels, 1)), ("all", labels)):
        rows.append(_row(half, "obvious words", chosen, texts, _by_obvious_words))
        rows.append(_row(half, "slowwave", chosen, texts, _by_cues))
    kinds = ("correction", "save", "decision", "preference")
    report("cues", "Cues in messages", rows, {f"recall of {kind}": _recall_of(kind, labels, texts) for kind in kinds})
    if wanted.verbose:
        _explain(labels, texts)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", nargs="?", default=os.environ.get("SLOWWAVE_CUE_LABELS", ""), help="a file of labels")
    parser.add_argument("--verbose", action="store_true", help="also list what was missed, and what was found wrongly")
    return parser.parse_args()


def _read_texts(folder: Path) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield ((session, uuid), text) of the user lines that carry text."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            try:
                event = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(event, dict) and event.get("type") == "user":
                yield (event.get("sessionId", ""), event.get("uuid", "")), _text_of(event)


def _read_turns(path: Path) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield ((conversation, conversation and turn), text) of LoCoMo's turns."""
    for sample in orjson.loads(path.read_bytes()) if path.is_file() else ():
        name, conversation = sample["sample_id"], sample["conversation"]
        for session in (value for key, value in conversation.items() if re.fullmatch(r"session_\d+", key)):
            for turn in session:
                yield (name, f"{name}{turn['dia_id']}"), turn["text"]


def _text_of(event: Mapping[str, Any]) -> str:
    content = event.get("message", {}).get("content", "")
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if block.get("type") == "text")


def _half(labels: Sequence[Label], parity: int) -> list[Label]:
    return [label for label in labels if hashlib.sha256(label["uuid"].encode()).digest()[0] % 2 == parity]


def _by_cues(text: str) -> frozenset[str]:
    return frozenset(cue.kind.value for cue in find_cues(text))


def _by_obvious_words(text: str) -> frozenset[str]:
    return frozenset({"any"} if _OBVIOUS.search(text) else ())


def _row(
    half: str, name: str, labels: Sequence[Label], texts: Mapping[tuple[str, str], str], detect: Detector
) -> dict[str, object]:
    found = [bool(detect(texts[label["session"], label["uuid"]])) for label in labels]
    wanted = [bool(label["kinds"]) for label in labels]
    hits = sum(one and other for one, other in zip(found, wanted, strict=True))
    precision, recall = hits / (sum(found) or 1), hits / (sum(wanted) or 1)
    counts = {"messages": len(labels), "worth keeping": sum(wanted), "found": sum(found)}
    return {"half": half, "detector": name, **counts, "precision": precision, "recall": recall}


def _recall_of(kind: str, labels: Sequence[Label], texts: Mapping[tuple[str, str], str]) -> str:
    wanted = [label for label in labels if kind in label["kinds"]]
    found = sum(bool(find_cues(texts[label["session"], label["uuid"]])) for label in wanted)
    return f"{found} of {len(wanted)}"


def _explain(labels: Sequence[Label], texts: Mapping[tuple[str, str], str]) -> None:
    """Name what was missed and what was a false alarm, by id: texts stay where they are."""
    for label in labels:
        cues = find_cues(texts[label["session"], label["uuid"]])
        if bool(cues) != bool(label["kinds"]):
            verdict = "false alarm" if cues else "missed"
            print(verdict, label["uuid"], label["kinds"], [cue.rule for cue in cues])


if __name__ == "__main__":
    main()
