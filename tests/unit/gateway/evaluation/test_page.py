"""The page of an evaluation: what a person reads of it, on a terminal and in a file, and what other tools get."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.evaluate.page import Format, code_of, show_evaluation
from gateway.evaluation.formats import inspect_samples, junit_xml
from gateway.evaluation.html_file import render_file
from gateway.evaluation.view import EvaluationView, view_evaluation
from shared.core.evaluation.model import EvaluationState
from tests.support.evaluation.reports import a_harmful_report, a_report, an_evaluation


@pytest.fixture(scope="module")
def harm() -> dict[str, Any]:
    return a_harmful_report()


def the_view(report: dict[str, Any]) -> EvaluationView:
    view = view_evaluation("acme", an_evaluation(report))
    assert view is not None
    return view


def test_the_terminal_says_the_verdict_first_then_what_was_lost_and_the_setting_that_ends_it(
    harm: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    show_evaluation("acme", an_evaluation(harm), Format.TEXT, None)

    said = capsys.readouterr().out
    assert said.splitlines()[0].startswith("Dreaming harms this store: an agent that searches finds")
    lost = said.partition("Lost: found before, not after")[2]
    assert "asked with" in lost
    assert "because of  ARCHIVE by prune: services/" in lost
    assert "to keep it  ./slowwave memory pin acme services/" in lost
    assert "slowwave stores set acme/bot --set phases.prune=false" in said
    assert "terms 0123456789abcdef" in said


def test_every_number_stands_on_the_terminal_and_in_the_file(
    harm: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    show_evaluation("acme", an_evaluation(harm), Format.TEXT, None)
    page = render_file(the_view(harm), an_evaluation(harm).created_at)

    for said in (capsys.readouterr().out, page):
        assert re.search(r"\b3 · 17 · 33 → 0 · 0 · 0 %", said), "found in the first 1, 5 and 10"
        for name in ("tokens an answer", "bytes", "outdated", "statements gone"):
            assert name in said.lower()
        assert "Memories that no index names: 0 before, 0 after" in said
        assert "Lines that stand in more than one memory: 0 before, 0 after" in said
        assert re.search(r"loads 0 tokens of the index \(0 bytes\)", said)
        assert re.search(r"50 and 0, p (<|&lt;) 0\.001", said), "the exact test stands beside the interval"


def test_phases_without_which_the_same_is_found_are_named_in_one_sentence() -> None:
    report = a_report()
    view = the_view(report)

    assert (view.phases, view.idle_phases) == ((), ("prune",))
    assert "The same is found without each of: prune." in render_file(view, an_evaluation(report).created_at)


def test_what_went_otherwise_than_ordered_stands_beside_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    note = "copy 2 of 3: the budget is met."
    report = {**a_report(), "notes": [note]}
    show_evaluation("acme", an_evaluation(report), Format.TEXT, None)

    assert capsys.readouterr().out.splitlines()[1] == note
    page = render_file(the_view(report), an_evaluation(report).created_at)
    assert page.index(note) < page.index("answers found")


def test_an_answer_that_was_lost_is_told_with_where_it_was_and_that_this_is_archived(harm: dict[str, Any]) -> None:
    lost = the_view(harm).worst[0]

    assert re.fullmatch(r"found in services/s\d+\.md, text \d+ of \d+", lost.before)
    assert lost.after.startswith("not found")
    assert lost.kind == "facts of the memories"


def test_each_verdict_has_its_exit_code(harm: dict[str, Any]) -> None:
    ends = (a_report(), harm, a_report(services=4))
    assert [code_of(an_evaluation(one)) for one in ends] == [ExitCode.OK, ExitCode.HARMS, ExitCode.TOO_LITTLE_DATA]
    assert code_of(an_evaluation(None, state=EvaluationState.FAILED)) is ExitCode.DREAM_NOT_COMPLETED


def test_the_file_asks_no_network_and_runs_no_script(harm: dict[str, Any]) -> None:
    hostile = an_evaluation(harm)
    worst = dict(harm["worst"][0], query="<script>alert(1)</script>", answer='"><img src=https://evil.example>')
    page = render_file(the_view({**harm, "worst": [worst]}), hostile.created_at)

    assert page.startswith("<!doctype html>")
    assert "&lt;script&gt;alert(1)" in page
    tags = re.findall(r"<[a-z][^>]*>", page)
    assert [
        tag for tag in tags if re.search(r"<(script|link|img|iframe|object|base)\b|\son\w+=|(href|src)=", tag)
    ] == []
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert not re.search(r"url\(|@import|https?:", style)


def test_the_file_fits_light_and_dark(harm: dict[str, Any]) -> None:
    page = render_file(the_view(harm), an_evaluation(harm).created_at)

    assert "prefers-color-scheme: dark" in page
    assert 'content="width=device-width' in page


def test_a_few_own_questions_stand_beside_the_verdict_though_they_do_not_decide(
    harm: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    show_evaluation("acme", an_evaluation(harm), Format.TEXT, None)
    said = "Your own questions, which are too few to decide: 0 of 1 found, 1 before."
    assert said in capsys.readouterr().out
    assert said in render_file(the_view(harm), an_evaluation(harm).created_at)


def test_what_was_superseded_is_shown_beside_what_is_said_now() -> None:
    told = {"superseded": [["door.md", "The code is 1234.", "The code is 5678."]], "superseded_count": 30}
    page = render_file(the_view({**a_report(), **told}), an_evaluation(a_report()).created_at)
    assert re.search(r"Superseded by a newer statement.*The code is 1234\..*now:.*The code is 5678\.", page, re.DOTALL)
    assert "1 of 30 are listed" in page


def test_what_another_statement_says_is_shown_beside_it_and_is_no_failure_in_ci() -> None:
    view = the_view(
        {**a_report(), "reworded": [["a.md", "Mira loves her time with family.", "Mira values family time."]]}
    )

    assert re.search(
        r"Mira loves her time with family\..*Mira values family time\.",
        render_file(view, an_evaluation(a_report()).created_at),
        re.DOTALL,
    )
    assert ET.fromstring(junit_xml(view))[0].attrib["failures"] == "0"


def test_ci_sees_harm_and_lost_statements_as_failures(harm: dict[str, Any]) -> None:
    suite = ET.fromstring(junit_xml(the_view(harm)))[0]

    failed = {case.attrib["name"] for case in suite if case.find("failure") is not None}
    assert failed >= {"An agent that searches: facts of the memories", "No statement is gone"}
    assert suite.attrib["failures"] == str(len(failed))
    assert int(suite.attrib["tests"]) == 1 + len(harm["comparisons"])


def test_ci_sees_no_failure_where_a_dream_changed_nothing() -> None:
    suite = ET.fromstring(junit_xml(the_view(a_report())))[0]

    assert suite.attrib["failures"] == "0"
    skipped = {case.attrib["name"] for case in suite if case.find("skipped") is not None}
    assert skipped == {"An agent that searches: your own questions", "An agent that opens files: your own questions"}


def test_ci_can_read_a_report_of_texts_that_xml_cannot_hold(harm: dict[str, Any]) -> None:
    odd = {**harm, "gone": [["a.md", "a bell \x07, half a pair \ud800 and <tags> & more"]], "gone_count": 1}

    suite = ET.fromstring(junit_xml(the_view(odd)).encode())[0]

    assert "<tags> & more" in (suite[-1][0].text or "")


def test_samples_have_the_evidence_and_who_found_it(harm: dict[str, Any]) -> None:
    samples = inspect_samples(an_evaluation(harm))

    assert samples[0] == {
        "id": "own-1",
        "input": "Which port does service 3 have?",
        "target": "Its port in production is `v3x0`",
        "metadata": {"kind": "own", "store": "bot", "group": "ops"},
    }
    assert {"before": True, "after": False} in [one["metadata"].get("found") for one in samples]
    assert len({one["id"] for one in samples}) == len(samples)
