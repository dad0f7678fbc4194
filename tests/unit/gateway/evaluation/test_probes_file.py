"""A file of a person's own questions: what is read, and what is said of a row that cannot be."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gateway.cli.app import app
from gateway.evaluation.probe_rows import read_probes
from shared.core.errors import BadInputError

ROW = '{"question": "Which port?", "evidence": "port 8080"}'


def in_a_file(folder: Path, text: str) -> Path:
    file = folder / "probes.jsonl"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("text", [f"{ROW}\n\n{ROW}\n", f"[{ROW}, {ROW}]", f"\ufeff{ROW}\r\n{ROW}"])
def test_a_list_and_lines_are_read_alike(tmp_path: Path, text: str) -> None:
    assert read_probes(in_a_file(tmp_path, text)) == ({"question": "Which port?", "evidence": "port 8080"},) * 2


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Which port?", "this is no JSON"),
        ('"Which port?"', "a row is an object"),
        ('{"evidence": "port 8080"}', "question is missing"),
        ('{"question": " ", "evidence": "port 8080"}', "question is missing"),
        ('{"question": "Which port?", "evidence": []}', "evidence is missing"),
        ('{"question": "Which port?", "evidence": ["a", 1]}', "evidence is missing"),
        ('{"question": "Which port?", "evidence": "a", "group": 1}', "group is no text"),
        ('{"question": "Which port?", "answer": "a"}', "there is no field 'answer'"),
    ],
)
def test_a_malformed_row_is_refused_with_its_line_and_the_reason(tmp_path: Path, row: str, reason: str) -> None:
    with pytest.raises(BadInputError, match=f"line 3: {reason}"):
        read_probes(in_a_file(tmp_path, f"{ROW}\n\n{row}\n"))


def test_a_malformed_row_of_a_list_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="row 2: question is missing"):
        read_probes(in_a_file(tmp_path, f'[{ROW}, {{"evidence": "a"}}]'))


@pytest.mark.parametrize("text", ["", "[]", "\n \n", "[" * 100_000])
def test_a_file_without_questions_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match=r"probes\.jsonl"):
        read_probes(in_a_file(tmp_path, text))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--families", "."], "--families is for asking models past questions: add --replay"),
        (["--model", "a", "--model", "b"], "to compare the answers of several, add --replay"),
        (["--replay"], "--replay asks models: name each with --model"),
        (["--replay", "--model", "a", "--html", "a.html"], "--html says how a store is evaluated"),
        (["--replay", "--model", "a", "--dreams", "3", "--families", "."], "--families asks about a folder"),
        (["--detach", "--html", "a.html"], "--html needs the end"),
        (["--json", "--format", "junit"], "--json and --format junit name two forms"),
        (["--without", "index"], "'index' is no phase that can be left out"),
        (["--dreams", "11"], "dreams is a number from 1 to 10"),
    ],
)
def test_options_that_contradict_each_other_are_refused_before_anything_is_asked(words: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["evaluate", "acme", *words])

    assert isinstance(done.exception, BadInputError)
    assert said in str(done.exception)
