"""Make a second note of a note by edits that lose nothing, and grade the merges of a sensible model that answers by reference."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.judgement.by_reference import ask_for, ask_no_reader, plan_merge
from benchmarks.judgement.merging import memory_of, verdict_of
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.questions.question import Document
from shared.core.reading.placed import Placed, read_placed
from shared.core.text.similarity import significant_words
from workers.phase.by_reference import Statements
from workers.phase.second_question import ConfirmAnswer
from workers.phase.shape import Answers
from workers.phases.revise.merges import judge_merges
from workers.phases.revise.phase import PHASE, Inputs

_FEWEST_STATEMENTS = 6
_LONGEST = 30_000
#: Of each so many plain items of the second note one is left out.
_LEFT_OUT = 5
_ITEM = re.compile(r"- \S.*")
_GROUPED = re.compile(r"(?<=\d)[_,](?=\d{3}\b)")
_WHERE = re.compile(r"^before \(.*?\):\s", re.MULTILINE)
_MANY = 5_000
_BOLD = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")


def read_notes(folder: Path) -> list[Memory]:
    """Return the notes at and below a folder with enough statements, by their paths."""
    texts = {
        one.relative_to(folder).as_posix(): one.read_text(encoding="utf-8") for one in sorted(folder.rglob("*.md"))
    }
    notes = [memory_of(path, text) for path, text in texts.items() if len(text) <= _LONGEST]
    return [one for one in notes if len(read_placed(one.content)) >= _FEWEST_STATEMENTS]


def make_twin(note: Memory, more: str) -> Memory:
    """Return a second note that says what a note says, but for a few items, and one statement of another note."""
    lines = list(_turn_lists(body_of(note.content).splitlines()))
    text = _outside_code("\n".join(lines))
    folder, _, name = note.path.rpartition("/")
    return memory_of(f"{folder}/{name.removesuffix('.md')}-copy.md".lstrip("/"), f"{text}\n\n{more}\n")


def _turn_lists(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with each list of plain items turned round, and some of the items left out."""
    held: list[str] = []
    count, in_code = 0, False
    for number, line in enumerate([*lines, ""]):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if not in_code and _ITEM.fullmatch(line) and not line.endswith(":") and not following.startswith(" "):
            count += 1
            held += [line] if count % _LEFT_OUT else []
            continue
        yield from held[::-1]
        held = []
        yield line


def _outside_code(text: str) -> str:
    parts = re.split(r"(^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]*`)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if at % 2 else _respell(part) for at, part in enumerate(parts))


def _respell(text: str) -> str:
    text = re.sub(r"^- (?=\S)", "* ", text, flags=re.MULTILINE)
    text = re.sub(r"^#{2,5} ", r"#\g<0>", text, flags=re.MULTILINE)
    text = re.sub(r"\b([Dd]o|[Dd]oes|[Ii]s|[Aa]re) not\b", r"\1n't", text)
    return _GROUPED.sub("", _BOLD.sub("", text))


def answer_sensibly(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[str]:
    """Leave out each statement of the second text that the first has, too, and place everything else."""
    known = {_plain(one.text): one.number for one in reversed(ours)}
    lines = [f"{{a1-a{len(ours)}}}"]
    for one in theirs:
        twin = known.get(_plain(one.text))
        lines.append(f"- b{one.number}: a{twin}" if twin else f"{{b{one.number}}}")
    return lines


def _plain(text: str) -> str:
    """Return a statement without bold marks, case, outer space and stop; numbers and denials in one spelling."""
    text = _GROUPED.sub("", _BOLD.sub("", text)).lower()
    return " ".join(text.replace("n't", " not").split()).rstrip(".")


def confirm_fairly(inputs: Inputs, answers: Answers) -> Answers:
    """Confirm each change that loses no telling word."""
    found = {
        question.key: ConfirmAnswer.model_validate({"verdicts": [_judge(one) for one in question.documents]})
        for question in PHASE.confirm(inputs, answers)
    }
    return {**answers, **found}


def _judge(change: Document) -> dict[str, str]:
    before, after = re.split(r"\n(?=stays|after)", change.text, maxsplit=1)
    told, stays = (set(significant_words(_plain(text), _MANY)) for text in (_WHERE.sub("", before), after))
    return {"change": change.path, "verdict": "lost" if told - stays else "nothing_lost"}


def grade_twins(folder: Path) -> list[dict[str, object]]:
    """Return a row for each second reader: what becomes of the merges, and which checks the left-out statements do not pass."""
    notes = read_notes(folder)
    pairs = [(one, make_twin(one, read_placed(notes[at - 1].content)[0].text)) for at, one in enumerate(notes)]
    found = [find_doubts(pair) for pair in pairs]
    refused = Counter(code for codes, _ in found for code in codes)
    rows: list[dict[str, object]] = []
    for name, reader in {"none": ask_no_reader, "fair": confirm_fairly}.items() if pairs else ():
        verdicts = Counter(verdict_of(plan_merge(pair, answer_sensibly, reader)) for pair in pairs)
        counts = {key: verdicts[key] for key in ("merged", "proposed", "apart")}
        left_out = sum(count for _, count in found)
        codes = ", ".join(f"{code} {count}" for code, count in refused.most_common())
        rows.append({"second reader": name, "notes": len(pairs), **counts, "left out": left_out, "doubted": codes})
    return rows


def find_doubts(pair: tuple[Memory, Memory]) -> tuple[list[str], int]:
    """Return the codes of the checks that parts of a sensible merge do not pass, and how many statements it leaves out."""
    inputs, answer = ask_for(pair, answer_sensibly)
    judged, skips = judge_merges(Statements(inputs.view), inputs.view, answer)
    codes = [one.code for one in skips]
    for merge in (one.merge for one in judged):
        codes += [finding.check.code for finding in merge.findings.values()]
        codes += [merge.whole.check.code] if merge.whole is not None else []
    return codes, sum(len(one.merge.arrangement.left_out) for one in judged)
