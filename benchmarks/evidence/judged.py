"""Grades of what a dream without a model does with material that people have judged: families, and wishes and traps of real stores."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.evidence.answers import Answer, Run
from benchmarks.evidence.measuring import BEFORE, DREAMS, Outcome, Taken, after
from benchmarks.judgement.material import Family, read_material
from benchmarks.judgement.merging import memory_of, pairs_of, plan_pair, verdict_of
from benchmarks.judgement.models import ask_no_model
from benchmarks.support.stores import data_folder
from gateway.cli.dreams.as_json import operation_json

DUPLICATES, WISHES = "duplicates, merged or proposed", "wishes, done"
_GRADER_SECONDS = 60


def judge_families() -> Run:
    """Grade every two of a family: duplicates are merged or proposed, siblings are never merged."""
    folder = data_folder()
    material = read_material(folder / "judgement") if folder else None
    if material is None or not material.siblings:
        return Run(sets={}, zeros={})
    verdicts = _verdicts_of(material.duplicates)
    merged = list(_verdicts_of(material.siblings).values()).count("merged")
    answers = {key: Answer(key.partition("/")[0], verdict != "apart") for key, verdict in verdicts.items()}
    return Run(sets={DUPLICATES: answers}, zeros={"siblings merged": merged})


def _verdicts_of(families: Sequence[Family]) -> dict[str, str]:
    found = {}
    for number, family in enumerate(families):
        for place, (left, right) in enumerate(pairs_of([family])):
            plan = plan_pair((memory_of(*left), memory_of(*right)), ask_no_model)
            found[f"{number}/{place}"] = verdict_of(plan)
    return found


def grade_wishes(outcomes: Sequence[Outcome]) -> Run:
    """Grade the stores for which there are wishes and traps, by the grader that lies beside them."""
    folder = data_folder()
    place = folder / "usefulness" if folder else Path()
    graded = {
        one.case.name: _grade(place, one)
        for one in outcomes
        if (place / f"{one.case.name}.json").is_file() and (place / "grade.py").is_file()
    }
    if not graded:
        return Run(sets={}, zeros={})
    wishes = {
        f"{name}/{wish['id']}": Answer(f"{name}/{wish['paths'][0]}", wish["status"] == "done")
        for name, one in graded.items()
        for wish in one["wishes"]
    }
    broken = [trap for one in graded.values() for trap in one["traps"] if trap["status"] == "applied"]
    lost = [fact for one in graded.values() for fact in one["facts_lost"] if fact["when"] == "applied"]
    return Run(sets={WISHES: wishes}, zeros={"traps broken": len(broken), "facts of wishes lost": len(lost)})


def _grade(place: Path, outcome: Outcome) -> dict[str, Any]:
    """Return the grader's words on one dream, of which it gets the files before and after, and the operations."""
    with tempfile.TemporaryDirectory(prefix="slowwave-") as name:
        folder = Path(name)
        _write(folder / "before", outcome.taken[BEFORE])
        _write(folder / "after", outcome.taken[after(DREAMS[0])])
        operations = [operation_json(one) for one in outcome.first.operations]
        (folder / "operations.json").write_text(json.dumps(operations, default=str), encoding="utf-8")
        wishes = place / f"{outcome.case.name}.json"
        arguments: list[str | Path] = [
            wishes,
            folder / "before",
            folder / "after",
            folder / "operations.json",
            "--json",
        ]
        graded = subprocess.run(
            [sys.executable, place / "grade.py", *arguments],
            check=True,
            capture_output=True,
            text=True,
            timeout=_GRADER_SECONDS,
        )
    found: dict[str, Any] = json.loads(graded.stdout)
    return found


def _write(folder: Path, taken: Taken) -> None:
    folder.mkdir()
    for path, text in taken.snapshot.live.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
