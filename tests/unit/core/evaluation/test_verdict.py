"""Evaluation: a dream that loses knowledge is called harmful, and one that changes nothing makes no difference."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.intervals import Paired, compare, holm, mcnemar, smallest_visible
from shared.core.evaluation.measure import Measured, find_gone, find_superseded, measure
from shared.core.evaluation.needles import needle_of, read_lines, says
from shared.core.evaluation.probes import Probe, Turn, WrittenText, draw_pairs, draw_said, probes_of_owner
from shared.core.evaluation.readers import HitReader, Reader, Snapshot, rank_by_words
from shared.core.evaluation.report import Ablation, Outcome, Report, Touch, build_report
from shared.core.evaluation.verdict import Word, choose_terms
from shared.core.evaluation.work import EvaluationWork, StoreCopy, sum_up
from shared.core.search.bm25 import by_path
from shared.core.sessions.statement_text import add_superseded

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_SERVICES = [f"{first}{second}" for first in ("billing", "search", "mail", "export", "audit", "login") for second in ("", "-eu", "-us", "-test")]  # fmt: skip
_TOPICS = ("port", "owner", "region", "timeout", "backup")


def _store(services: int = 24) -> dict[str, str]:
    return {
        f"services/{name}.md": f"# The {name} service\n\n"
        + "".join(
            f"- Its {topic} in production is `v{number}x{place}` since the move.\n"
            for place, topic in enumerate(_TOPICS)
        )
        for number, name in enumerate(_SERVICES[:services])
    }


def _probes(live: Mapping[str, str]) -> tuple[Probe, ...]:
    texts = [
        WrittenText(path=path, content=content, at=_NOW + timedelta(days=number))
        for number, (path, content) in enumerate(live.items())
    ]
    return draw_pairs(texts, 400)


def _report(before: Mapping[str, str], after: Snapshot, *, ablations: tuple[Ablation, ...] = ()) -> Report:
    probes, earlier = _probes(before), Snapshot(live=before)
    gone = find_gone(earlier, after, {})
    touched = [Touch(operation_id="op_1", kind="MERGE", phase="consolidate", paths=tuple(before))]
    outcome = Outcome(
        before=measure(probes, earlier),
        after=measure(probes, after),
        gone=gone,
        superseded=find_superseded(earlier, after),
        touched=touched,
        ablations=ablations,
    )
    return build_report(probes, outcome, choose_terms(probes))


def test_a_store_that_did_not_change_makes_no_difference() -> None:
    report = _report(_store(), Snapshot(live=_store()))
    assert report.verdict.word is Word.NO_DIFFERENCE
    assert (report.worst, report.best, report.gone) == ((), (), ())


def test_archiving_everything_harms() -> None:
    report = _report(_store(), Snapshot(live={}, stubs={path: text[:40] for path, text in _store().items()}))
    assert report.verdict.word is Word.HARMS
    assert "harms" in report.sentence
    assert "finds 0 of" in report.sentence
    assert "for each" not in report.sentence, "nothing was read for an answer that was not found"
    assert report.worst[0].operations[0].operation_id == "op_1"
    assert report.gone_count > 0


def test_statements_said_in_other_words_are_counted_beyond_those_that_are_listed() -> None:
    reworded = [("a.md", f"It is {number}.", "It is said.") for number in range(57)]
    store = Snapshot(live=_store())
    measured = measure((), store)
    report = build_report((), Outcome(before=measured, after=measured, reworded=reworded), choose_terms(()))
    assert (len(report.reworded), report.reworded_count) == (20, 57)


def _superseding(text: str, *, number: int, is_replaced: bool = True) -> str:
    old = f"Its port in production is `v{number}x0` since the move."
    new = f"- Its port in production is `w{number}` since the move.\n" if is_replaced else ""
    return add_superseded(text.replace(f"- {old}\n", new), old, "until 2026-03-04")


def test_a_store_in_which_facts_were_superseded_is_not_harmed() -> None:
    before = _store()
    corrected = {path: _superseding(text, number=number) for number, (path, text) in enumerate(before.items())}
    after = before | dict(list(corrected.items())[:12])
    report = _report(before, Snapshot(live=after))
    assert report.verdict.word is Word.NO_DIFFERENCE
    assert report.superseded_count == 12
    assert report.superseded[3][1:] == (
        "Its port in production is `v3x0` since the move.",
        "Its port in production is `w3` since the move.",
    )
    assert report.comparisons[0].interval.n == _report(before, Snapshot(live=before)).comparisons[0].interval.n - 12


def test_what_most_repeats_supersede_is_superseded_though_each_says_something_else_now() -> None:
    store = _store(1)
    measured = (measure(_probes(store), Snapshot(live=store)),)
    old = ("services/billing.md", "Its port in production is `v0x0`.")
    said = [(*old, "Its port is `v9x1` now."), (*old, "In production its port is `v9x1`.")]
    copies = [StoreCopy(measured=measured, superseded=(one,)) for one in said]
    outcome = sum_up(EvaluationWork(before=measured[0], copies=(*copies, StoreCopy(measured=measured))))
    assert outcome is not None
    assert outcome.superseded == (said[0],)
    once = sum_up(EvaluationWork(before=measured[0], copies=(copies[0], *[StoreCopy(measured=measured)] * 2)))
    assert once is not None
    assert once.superseded == ()


def test_what_another_memory_still_says_is_asked_although_one_superseded_it() -> None:
    old, new = "Its port in production is 8080.", "Its port in production is 9090."
    before = {f"{name}.md": f"# {name}\n\n- {old}\n" for name in ("billing", "search")}
    changed = add_superseded(f"# billing\n\n- {new}\n", old, "until 2026-03-04")
    moved = find_superseded(Snapshot(live=before), Snapshot(live=before | {"billing.md": changed}))
    assert moved == ()
    alone = find_superseded(Snapshot(live=before), Snapshot(live={"billing.md": changed}))
    assert alone == (("billing.md", old, new),)


def test_facts_that_are_called_superseded_by_nothing_are_lost() -> None:
    before = _store()
    after = {
        path: _superseding(text, number=number, is_replaced=False) for number, (path, text) in enumerate(before.items())
    }
    report = _report(before, Snapshot(live=after))
    assert report.superseded == ()
    assert report.verdict.word is Word.HARMS


def test_one_long_file_harms_although_it_says_everything() -> None:
    before = {
        path: text + "The people of the team meet in a room on the third floor.\n" * 40
        for path, text in _store().items()
    }
    report = _report(before, Snapshot(live={"all.md": "\n\n".join(before.values())}))
    assert report.gone_count == 0
    assert report.verdict.word is Word.HARMS


def test_a_small_store_has_too_little_data() -> None:
    report = _report(_store(8), Snapshot(live={"heap.md": "\n".join(_store(8).values())}))
    assert report.verdict.word is Word.TOO_LITTLE
    assert "40 questions could be asked, and 100 are needed" in report.sentence


def test_a_small_store_whose_statements_are_gone_is_harmed() -> None:
    report = _report(_store(3), Snapshot(live={}))
    assert report.verdict.word is Word.HARMS
    assert re.match(
        r"Dreaming harms this store: \d+ statements are gone; \d+ questions could be asked", report.sentence
    )


def test_texts_that_are_copied_under_another_title_are_counted_although_no_question_finds_them() -> None:
    copies = {
        f"notes/{number}.md": text.replace("# The", f"# Summary {number} of")
        for number, text in enumerate(_store().values())
    }
    report = _report(_store(), Snapshot(live=_store() | copies))
    assert report.copied == (0, 24 * len(_TOPICS))


def test_an_answer_that_an_agent_finds_by_the_new_index_is_put_down_to_the_index() -> None:
    live = {"a.md": "# Berth\n\nThe harbour fee is `42`.\n"}
    probes = probes_of_owner([{"question": "harbour?", "evidence": "The harbour fee is `42`."}])
    wrote = Touch(operation_id="op_1", kind="INDEX", phase="index", paths=("MEMORY.md", "_index.md"))
    after = Snapshot(live=live | {"MEMORY.md": "# Memory\n\n- [a.md](a.md): the harbour\n"})
    outcome = Outcome(
        before=measure(probes, Snapshot(live=live)), after=measure(probes, after), gone=(), touched=[wrote]
    )
    (gained,) = build_report(probes, outcome, choose_terms(probes)).best
    assert (gained.reader, gained.operations) == (Reader.FILES, (wrote,))


def test_what_is_read_is_counted_in_bytes_too() -> None:
    live = {"a.md": "# Büro\n\nDas Büro öffnet um `9:30` für Gäste.\n", "MEMORY.md": "# Übersicht\n"}
    [probe] = probes_of_owner([{"question": "Büro Gäste?", "evidence": "Das Büro öffnet um `9:30` für Gäste."}])
    measured = measure([probe], Snapshot(live=live))
    assert measured.found[Reader.SEARCH][probe.key].bytes == len(live["a.md"].encode())
    assert measured.bytes_at_start == len(b"# \xc3\x9cbersicht")


def test_half_as_much_to_read_for_the_same_answers_helps() -> None:
    after = _store()
    before = {path: f"{text}\n" + "This page is about a service of ours.\n" * 60 for path, text in after.items()}
    after["about.md"] = "# About\n\nThis page is about a service of ours.\n"
    assert _report(before, Snapshot(live=after)).verdict.word is Word.HELPS


def test_the_phase_that_loses_answers_is_named_with_its_setting() -> None:
    before = _store()
    probes = _probes(before)
    without = measure(probes, Snapshot(live=before))
    lost = {path: text.splitlines()[0] for path, text in before.items()}
    report = _report(before, Snapshot(live=lost), ablations=(Ablation(phase="prune", measured=without),))
    harmful = [one for one in report.phases if one.word is Word.HARMS]
    assert {(one.phase, one.setting) for one in harmful} == {("prune", "phases.prune=false")}


def test_what_stands_as_superseded_is_no_answer_but_is_not_gone() -> None:
    before = {"a.md": "# Deploys\n\n- The deploy host of staging is `pg-7`.\n"}
    after = Snapshot(
        live={
            "a.md": "# Deploys\n\n- The deploy host of staging is `pg-9`.\n\n## Superseded\n\n"
            "- The deploy host of staging is `pg-7`. (superseded 2026-01-02)\n"
        }
    )
    needle = needle_of("The deploy host of staging is `pg-7`.")
    assert not says(read_lines("a.md", after.live["a.md"], 10_000), needle)
    assert find_gone(Snapshot(live=before), after, {}) == ()


def test_a_number_beside_another_subject_is_not_found() -> None:
    text = "# Ports\n\n- The mail relay listens on 5432.\n- The database of billing has no fixed port.\n"
    needle = needle_of("The database of billing listens on 5432.")
    assert not says(read_lines("ports.md", text, 10_000), needle)
    assert says(read_lines("ports.md", "# Billing\n\n## Database\n\n- It listens on 5432.\n", 10_000), needle)


def test_a_question_of_a_session_is_answered_by_the_next_turn() -> None:
    turns = [
        Turn(session="s1", speaker="assistant", text="Which port does the staging database use?"),
        Turn(session="s1", speaker="user", text="It has been 5433 since May, for staging only."),
        Turn(session="s1", speaker="assistant", text="Thanks. Anything else?"),
        Turn(session="s2", speaker="user", text="No."),
    ]
    [probe] = draw_said(turns, 10)
    assert (probe.kind, probe.cluster) == (ProbeKind.SAID, "s1")
    assert "5433" in probe.needle.fact


@pytest.mark.parametrize("asked", ["Can you list the claims of depot 7?", "Kannst du die Mail an Depot 7 schreiben?"])
def test_a_request_is_no_question_of_a_session(asked: str) -> None:
    turns = [
        Turn(session="s1", speaker="user", text=asked),
        Turn(session="s1", speaker="assistant", text="Done: 12 claims of depot 7, in `claims.csv`."),
    ]
    assert draw_said(turns, 10) == ()
    assert draw_said([replace(turns[0], text="Which file has the claims of depot 7?"), turns[1]], 10)


def test_an_owner_names_questions_with_the_quotes_that_answer_them() -> None:
    rows: list[dict[str, object]] = [
        {"question": "Where is staging?", "evidence": ["Staging is pg-9 in Dublin."]},
        {"question": "Who?", "evidence": []},
        {"evidence": ["x"]},
    ]
    assert [one.query for one in probes_of_owner(rows)] == ["Where is staging?"]


@given(st.permutations(sorted(_store().items())))
def test_the_draw_does_not_depend_on_the_order_of_the_texts(items: list[tuple[str, str]]) -> None:
    texts = [WrittenText(path=path, content=content, at=_NOW) for path, content in items]
    drawn = draw_pairs(texts, 50)
    assert drawn == draw_pairs(
        [WrittenText(path=path, content=content, at=_NOW) for path, content in sorted(items)], 50
    )
    assert len({one.key for one in drawn}) == len(drawn)


def test_a_store_without_facts_is_not_read_to_its_end_for_probes() -> None:
    plain = [
        WrittenText(path=f"a/{number:03d}.md", content="# A\n\nall of it is well so\n", at=_NOW) for number in range(90)
    ]
    last = max(plain, key=lambda one: hashlib.sha256(one.path.encode()).digest())
    texts = [replace(one, content="# A\n\nIt runs on `node_7`.\n") if one is last else one for one in plain]
    assert draw_pairs(texts, 10)
    assert draw_pairs(texts, 10, most_read=30) == ()


def test_a_search_finds_an_answer_whether_or_not_it_reads_on_behind_it() -> None:
    probes, live = _probes(_store()), dict(list(_store().items())[::2])
    reader = HitReader(live, rank_by_words(by_path(live.items())))
    found = [reader.find(probe) is not None for probe in probes]
    assert found == [reader.search(probe).rank is not None for probe in probes]
    assert True in found
    assert False in found


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_an_interval_holds_its_mean_and_turns_with_before_and_after(rows: list[tuple[str, bool, bool]]) -> None:
    forth = compare([Paired(*row) for row in rows], draws=200)
    back = compare([Paired(cluster, after, before) for cluster, before, after in rows], draws=200)
    assert forth.low <= forth.mean <= forth.high
    assert back.mean == pytest.approx(-forth.mean)
    assert (back.gained, back.lost, back.p) == (forth.lost, forth.gained, forth.p)


def test_exact_probabilities_are_those_of_the_binomial() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(2, 8) == pytest.approx(112 / 1024)


def test_adjusted_probabilities_grow_with_the_number_of_phases() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})


def test_probes_of_few_files_show_less_than_as_many_of_many_files() -> None:
    apart = [Paired(str(number), before=True, after=True) for number in range(200)]
    together = [Paired(str(number % 10), before=True, after=True) for number in range(200)]
    assert smallest_visible(apart) < smallest_visible(together)


def test_the_index_answers_a_coding_agent_before_it_opens_a_file() -> None:
    live = {**_store(), "MEMORY.md": "# Memory\n\n- Staging runs on `pg-9` in Dublin.\n"}
    [probe] = probes_of_owner(
        [{"question": "Where does staging run?", "evidence": "Staging runs on `pg-9` in Dublin."}]
    )
    measured: Measured = measure([probe], Snapshot(live=live))
    assert measured.found[Reader.FILES][probe.key].rank == 0
    assert measured.chars_at_start > 0


def test_a_denial_that_is_gone_is_not_found() -> None:
    needle = needle_of("The relay of billing does not listen on 5432 at night.")
    assert not says(read_lines("a.md", "# Relay\n\nThe relay of billing listens on 5432 at night.\n", 10_000), needle)
    for said in ("never listens", "isn't listening"):
        assert says(read_lines("a.md", f"# Relay\n\nAt night the relay of billing {said} on 5432.\n", 10_000), needle)
