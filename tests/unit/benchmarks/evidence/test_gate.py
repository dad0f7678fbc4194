"""The gate on rules without a model: rules that lose or bury knowledge are caught, and edits that lose nothing are not."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from benchmarks.evidence.answers import Answer, Answers, Bits, Recorded, Run, find_worse, pack, read_recorded, record
from benchmarks.evidence.cases import find_cases
from benchmarks.evidence.measuring import MEASURES, answers_of
from benchmarks.rest.conversations import A_FACT, A_SESSION, find_locomo
from shared.core.evaluation.measure import find_gone, measure
from shared.core.evaluation.probes import Probe, WrittenText, draw_pairs
from tests.unit.benchmarks.evidence.invented import make_store
from tests.unit.benchmarks.evidence.planted import BAD, HARMLESS, Rule, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Stores with their questions, by name, and how they answer as they are."""

    stores: Mapping[str, Store]
    probes: Mapping[str, tuple[Probe, ...]]

    def after(self, rule: Rule) -> Run:
        """Return the run in which a dream did what the rule does."""
        sets: dict[str, dict[str, Answer]] = {counted: {} for counted in MEASURES}
        gone = 0
        for name, store in self.stores.items():
            dreamt = rule(store)
            found = measure(self.probes[name], dreamt.snapshot)
            for counted in MEASURES:
                sets[counted] |= answers_of(name, self.probes[name], found, counted)
            gone += len(find_gone(store.snapshot, dreamt.snapshot, dreamt.archived))
        return Run(sets=sets, zeros={"statements gone": gone})


def _recorded(run: Run) -> Recorded:
    return Recorded(commit="abc1234", sets={name: pack(answers) for name, answers in run.sets.items()})


@cache
def _invented() -> tuple[_Known, Recorded]:
    store = make_store()
    at = datetime(2025, 1, 1, tzinfo=UTC)
    texts = [WrittenText(path=path, content=text, at=at) for path, text in store.live.items()]
    known = _Known(stores={"invented": store}, probes={"invented": draw_pairs(texts, 400)})
    return known, _recorded(known.after(HARMLESS["change nothing"]))


@pytest.mark.parametrize("rule", BAD.values(), ids=BAD)
def test_a_bad_rule_is_caught(rule: Rule) -> None:
    known, recorded = _invented()
    assert find_worse(recorded, known.after(rule)) != []


@pytest.mark.parametrize("rule", HARMLESS.values(), ids=HARMLESS)
def test_an_edit_that_loses_nothing_is_not_caught(rule: Rule) -> None:
    known, recorded = _invented()
    assert find_worse(recorded, known.after(rule)) == []


def test_burying_is_caught_by_what_is_found_although_nothing_is_gone() -> None:
    known, recorded = _invented()
    for name in ("archive everything", "concatenate everything", "delete titles", "supersede the first half"):
        run = known.after(BAD[name])
        assert run.zeros == {"statements gone": 0}
        assert all("answers are lost" in said for said in find_worse(recorded, run))


@pytest.mark.thorough
@pytest.mark.skipif(find_locomo() is None, reason="LoCoMo is not here")
@pytest.mark.parametrize("shape", [A_FACT, A_SESSION])
def test_on_locomo_each_rule_that_changes_knowledge_is_caught_and_no_other(shape: str) -> None:
    cases = [one for one in find_cases() if one.material == f"LoCoMo, {shape}"]
    known = _Known(
        stores={one.name: Store(live={text.path: text.content for text in one.texts}) for one in cases},
        probes={one.name: one.probes[one.material] for one in cases},
    )
    recorded = _recorded(known.after(HARMLESS["change nothing"]))
    harmful = {name for name, rule in BAD.items() if any(rule(one) != one for one in known.stores.values())}
    harmful.discard("delete titles")  # they only repeat the paths
    caught = {name for name, rule in {**BAD, **HARMLESS}.items() if find_worse(recorded, known.after(rule))}
    assert caught == harmful


_FOUND: Answers = {f"q{number:02}": Answer(f"file {number // 4}", number % 3 > 0) for number in range(40)}


def test_bits_are_read_as_they_were_packed() -> None:
    keys = sorted(_FOUND)
    assert pack(_FOUND).of(keys) == {key: _FOUND[key].is_found for key in keys}
    assert pack({}).of([]) == {}


def test_an_equal_run_passes_and_one_that_found_more_passes() -> None:
    recorded = Recorded(commit="abc1234", sets={"notes": pack(_FOUND)})
    better = {key: Answer(one.cluster, is_found=True) for key, one in _FOUND.items()}
    assert find_worse(recorded, Run(sets={"notes": _FOUND}, zeros={"traps broken": 0})) == []
    assert find_worse(recorded, Run(sets={"notes": better}, zeros={})) == []


def test_one_answer_that_is_lost_among_forty_is_within_the_interval() -> None:
    recorded = Recorded(commit="abc1234", sets={"notes": pack(_FOUND)})
    now = {**_FOUND, "q01": Answer("file 0", is_found=False)}
    assert find_worse(recorded, Run(sets={"notes": now}, zeros={})) == []


def test_what_must_be_0_is_named_with_its_count() -> None:
    assert find_worse(Recorded(commit="", sets={}), Run(sets={}, zeros={"traps broken": 2})) == [
        "traps broken: 2, and it must be 0"
    ]


def test_other_questions_than_recorded_or_none_are_an_error() -> None:
    recorded = Recorded(commit="abc1234", sets={"notes": pack(_FOUND)})
    fewer = {key: one for key, one in _FOUND.items() if key != "q00"}
    said = "\n".join(find_worse(recorded, Run(sets={"notes": fewer, "news": _FOUND}, zeros={})))
    assert "notes: these are not the questions that were recorded" in said
    assert "news: nothing is recorded; run with --record" in said
    assert find_worse(recorded, Run(sets={}, zeros={})) == ["notes: it was recorded and is not measured any more"]


def test_a_recording_holds_no_text_and_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    assert read_recorded(path) == Recorded(commit="", sets={})
    record(Run(sets={"notes": _FOUND}, zeros={}), "abc1234", path)
    assert read_recorded(path) == Recorded(commit="abc1234", sets={"notes": pack(_FOUND)})
    assert "file" not in path.read_text(encoding="utf-8")


def test_what_is_recorded_are_bits_of_as_many_questions() -> None:
    recorded = read_recorded()
    assert recorded.sets
    for bits in recorded.sets.values():
        assert isinstance(bits, Bits)
        assert int(bits.found, 16) < 2**bits.number
