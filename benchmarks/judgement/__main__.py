"""Grade a folder of material: `python -m benchmarks.judgement DIR [--pairs 400]`.

Families of siblings must stay apart; duplicates must be merged or proposed; contradictions must never be merged by
themselves. Each is graded without a model, with one that merges everything, and with careless ones, which also answer by reference. `material.py` says
which files are read; there is no telling a material by heart: every text comes from DIR.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.judgement.by_reference import grade_by_reference
from benchmarks.judgement.finding import grade_cues, grade_lines, grade_paraphrases
from benchmarks.judgement.material import Material, read_material
from benchmarks.judgement.merging import Texts, count_answers, grade, in_frames, pairs_of
from benchmarks.judgement.placing import grade_placing
from benchmarks.judgement.twins import grade_twins
from benchmarks.support.report import report

#: Grades pairs of one kind, told what is wanted of them.
Grade = Callable[[str, Sequence[Texts], str], list[dict[str, object]]]


def main() -> int:
    """Print a table for each kind of material that the folder has, and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the material; subfolders are read, too")
    parser.add_argument("--pairs", type=int, default=400, help="most pairs of sentences of each kind")
    wanted = parser.parse_args()
    if not wanted.folder.is_dir():
        print(f"nothing measured: there is no folder {wanted.folder}")
        return 1
    material = read_material(wanted.folder)
    tables = {
        "judgement": _grade_merges(material, wanted.pairs, grade),
        "judgement_by_reference": _grade_merges(material, wanted.pairs, grade_by_reference),
        "judgement_twins": grade_twins(wanted.folder),
        "judgement_answers": count_answers(pairs_of(material.duplicates)),
        "judgement_paraphrases": grade_paraphrases(material.paraphrases),
        "judgement_placing": grade_placing(material.siblings, material.duplicates),
        "judgement_cues": grade_cues(material.cues),
        "judgement_lines": grade_lines(material.transcripts),
    }
    for name, rows in tables.items():
        if rows:
            report(name, name.replace("_", ": "), rows, {"material": wanted.folder.name})
    if not any(tables.values()):
        print(f"nothing measured: {wanted.folder} holds none of the files that benchmarks/judgement/material.py names")
    return 0


def _grade_merges(material: Material, limit: int, grade: Grade) -> list[dict[str, object]]:
    rows = grade("siblings", pairs_of(material.siblings), "merged 0")
    rows += grade("duplicates", pairs_of(material.duplicates), "apart 5 % at most")
    for kind, chosen in _kinds_of(material.pairs).items():
        for frame, pairs in in_frames(chosen[:limit]):
            rows += grade(f"{kind}, {frame}", pairs, "merged 0" if kind == "contradictions" else "merged or proposed")
    return rows


def _kinds_of(pairs: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    return {
        "contradictions": [one for one in pairs if str(one.get("nli")).upper() == "CONTRADICTION"],
        "paraphrased pairs": [one for one in pairs if one.get("duplicate") == 1 and one.get("source") != "febrl1"],
    }


if __name__ == "__main__":
    raise SystemExit(main())
