"""Date resolution on 200 labelled phrases: `python -m benchmarks.dates`. Correct, wrong and none for each resolver."""

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import dateparser

from benchmarks.support.report import report
from shared.core.dates.resolve import resolve_dates

Case = Mapping[str, Any]
Resolver = Callable[[Case], date | None]
_TURN_DATE = re.compile(r"(\d{1,2}:\d{2} [ap]m) on (\d{1,2}) (\w+),? (\d{4})")
_GOLD_DAY = re.compile(r"(?:on )?(\d{1,2} \w+,? \d{4}|\w+ \d{1,2},? \d{4})\.?", re.IGNORECASE)
_GOLD_MONTH = re.compile(r"(?:in )?([A-Z]\w+),? (\d{4})\.?")
_GOLD_YEAR = re.compile(r"(?:in )?(\d{4})\.?")


def main() -> None:
    """Print the tables, or say that the data is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="also list the core cases that are not correct")
    wanted = parser.parse_args()
    data = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data"))
    path = data / "dates" / "relative_dates_en.json"
    if not path.exists():
        print(f"no cases: {path} is absent (set SLOWWAVE_DATA); nothing measured")
        return
    cases = json.loads(path.read_text(encoding="utf-8"))
    rows = []
    for name, chosen in (("core", [case for case in cases if case["core"]]), ("all", cases)):
        for resolver, resolve in (("dateparser alone", _by_dateparser), ("slowwave", resolve_inside)):
            rows.append(_row(name, resolver, chosen, resolve))
    for other in sorted(path.parent.glob("relative_dates_*.json")):
        if other != path:
            language = other.stem.rpartition("_")[2]
            rows.append(_row(language, "slowwave", json.loads(other.read_text(encoding="utf-8")), resolve_inside))
    locomo = data / "locomo" / "locomo10.json"
    if locomo.exists():
        rows.append(_row_of_locomo(json.loads(locomo.read_text(encoding="utf-8"))))
    report("dates", "Relative dates", rows, {"a guess counts": "wrong, unless it is one of the labelled readings"})
    if wanted.verbose:
        _explain([case for case in cases if case["core"]])


def _row(name: str, resolver: str, cases: Sequence[Case], resolve: Resolver) -> dict[str, object]:
    return _shares(name, resolver, Counter(_verdict(case, resolve(case)) for case in cases))


def _shares(name: str, resolver: str, counts: Counter[str]) -> dict[str, object]:
    total = counts.total() or 1
    shares = {verdict: counts[verdict] / total for verdict in ("correct", "wrong", "none")}
    return {"cases": name, "resolver": resolver, "n": total, **shares}


def _verdict(case: Case, found: date | None) -> str:
    if found is None:
        return "none"
    return "correct" if found.isoformat() in case["expected_dates"] else "wrong"


def _by_dateparser(case: Case) -> date | None:
    at = datetime.fromisoformat(case["reference"])
    found = dateparser.parse(case["text"], languages=["en"], settings={"RELATIVE_BASE": at})
    return found.date() if found else None


def resolve_inside(case: Case) -> date | None:
    """Return the day of the phrase inside its sentence: the resolver has to find it, and sees what stands around it."""
    start = case["sentence"].lower().find(case["text"].lower())
    end = start + len(case["text"])
    for found in resolve_dates(case["sentence"], datetime.fromisoformat(case["reference"])):
        if start <= found.start < end or found.start <= start < found.end:
            return found.day or found.from_date
    return None


def _row_of_locomo(samples: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Compare what the evidence of a temporal question says with its answer, where that is one day, month or year."""
    counts: Counter[str] = Counter()
    for sample in samples:
        turns = _turns_of(sample["conversation"])
        for question in sample["qa"]:
            gold = _gold_of(str(question.get("answer", ""))) if question["category"] == 2 else None
            texts = [turns[name] for name in question["evidence"] if name in turns]
            if gold and len(texts) == 1:
                counts.update([_verdict_of_turn(gold, *texts[0])])
    return _shares("LoCoMo evidence", "slowwave", counts)


def _verdict_of_turn(gold: str, text: str, said_at: datetime) -> str:
    found = resolve_dates(text, said_at)
    if not found:
        return "none"
    days = [one.day or one.from_date for one in found]
    return "correct" if any(day.isoformat().startswith(gold) for day in days) else "wrong"


def _turns_of(conversation: Mapping[str, Any]) -> dict[str, tuple[str, datetime]]:
    turns = {}
    for key, session in conversation.items():
        if re.fullmatch(r"session_\d+", key):
            day = _TURN_DATE.search(conversation[f"{key}_date_time"])
            at = datetime.strptime(" ".join(day.groups()), "%I:%M %p %d %B %Y") if day else None  # noqa: DTZ007  # local by nature
            turns.update({turn["dia_id"]: (turn["text"], at) for turn in session if at})
    return turns


def _gold_of(answer: str) -> str | None:
    """Return the ISO prefix of an answer that is a date: `2023-05-07`, `2023-05`, `2022`."""
    for pattern, length in ((_GOLD_DAY, 10), (_GOLD_MONTH, 7), (_GOLD_YEAR, 4)):
        if pattern.fullmatch(answer.strip()):
            parsed = dateparser.parse(answer.strip(" ."), languages=["en"])
            return parsed.date().isoformat()[:length] if parsed else None
    return None


def _explain(cases: Sequence[Case]) -> None:
    for case in cases:
        found = resolve_inside(case)
        if _verdict(case, found) != "correct":
            print(_verdict(case, found), case["reference"][:10], repr(case["text"]), case["expected_dates"], found)


if __name__ == "__main__":
    main()
