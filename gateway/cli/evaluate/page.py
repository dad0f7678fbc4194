"""Print an evaluation for people or for programs, and write it as a file."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.output import out, print_json, print_table, say, warn
from gateway.evaluation.formats import evaluation_json, inspect_samples, junit_xml, word_of
from gateway.evaluation.html_file import render_file
from gateway.evaluation.langfuse import check_langfuse, push_to_langfuse
from gateway.evaluation.view import Changed, EvaluationView, Rewritten, view_evaluation
from shared.core.errors import BadInputError
from shared.core.evaluation.model import Evaluation, EvaluationState
from shared.core.evaluation.verdict import Word

_STYLES = {"good": "bold green", "bad": "bold red", "wait": "bold yellow", "over": "bold"}
_SHOWN_GONE = 5
_MARKS = ("outdated", "repeated")
_CODES = {Word.HARMS: ExitCode.HARMS, Word.TOO_LITTLE: ExitCode.TOO_LITTLE_DATA}


class Format(StrEnum):
    """The forms of a report."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    INSPECT = "inspect"


FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format", help="text; json; junit, test cases for CI; inspect, samples for Inspect. Default: text.",
    ),
]  # fmt: skip


class Target(StrEnum):
    """The tools that an evaluation can be pushed to."""

    LANGFUSE = "langfuse"


PushOption = Annotated[
    Target | None,
    typer.Option(
        "--push", help="Also push its questions and what was found to Langfuse, whose keys the environment has."
    ),
]
HtmlOption = Annotated[
    Path | None, typer.Option("--html", help="Also write the page to this file: one HTML file that needs no network.")
]


def choose_format(wanted: Format | None, *, as_json: bool) -> Format:
    """Return the form to print. Raises BadInputError for two of them."""
    if as_json and wanted not in {None, Format.JSON}:
        raise BadInputError(f"--json and --format {wanted} name two forms: give one of them")
    return Format.JSON if as_json else wanted or Format.TEXT


def show_evaluation(tenant: str, evaluation: Evaluation, form: Format, html: Path | None) -> None:
    """Print an evaluation, as far as it is, and write its page to a file."""
    view = view_evaluation(tenant, evaluation)
    if html is not None:
        if view is None:
            raise BadInputError(f"--html needs a report, and {evaluation.id} has none: it is {evaluation.state}")
        _write(html, render_file(view, evaluation.created_at))
    if form is Format.JSON:
        print_json(evaluation_json(evaluation))
    elif form is Format.INSPECT:
        print_json(inspect_samples(evaluation))
    elif view is None:
        (say if form is Format.TEXT else warn)(_say_state(evaluation))
    elif form is Format.JUNIT:
        typer.echo(junit_xml(view))
    else:
        _print(view)
    if html is not None and form is Format.TEXT:
        say(f"Written to {html}", "dim")


def check_push(target: Target | None) -> None:
    """Check that an evaluation can be pushed. Raises BadInputError."""
    if target is not None:
        check_langfuse()


def push_evaluation(tenant: str, evaluation: Evaluation, target: Target | None) -> None:
    """Push an evaluation, and say so on standard error. Raises BadInputError and ServiceUnavailableError."""
    if target is not None:
        warn(push_to_langfuse(tenant, evaluation), "dim")


def code_of(evaluation: Evaluation) -> ExitCode:
    """Return the exit code of an evaluation that has ended."""
    if evaluation.state is not EvaluationState.DONE:
        return ExitCode.DREAM_NOT_COMPLETED
    word = word_of(evaluation)
    return _CODES.get(word, ExitCode.OK) if word is not None else ExitCode.OK


def _say_state(evaluation: Evaluation) -> str:
    said = f"Evaluation {evaluation.id} is {evaluation.state}"
    why = evaluation.reason or evaluation.progress
    return f"{said}: {why}" if why else f"{said}."


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"--html {path} cannot be written: {error.strerror}") from None


def _print(view: EvaluationView) -> None:
    say(view.sentence, _STYLES[view.tone])
    for warning in view.warnings:
        say(warning, "yellow")
    if view.own:
        say(view.own)
    out.print()
    for figure in view.figures:
        say(f"  {figure.before} → {figure.after}  {figure.label}" + (f"  ({figure.note})" if figure.note else ""))
    for phase in view.harmful:
        out.print()
        say(f"Without {phase.name} more is found. Turn it off: {phase.off.command if phase.off else ''}", "yellow")
    _print_changed("Lost: found before, not after", view.worst)
    _print_changed("Gained: found after, not before", view.best)
    _print_gone(view)
    for told in view.rewritten:
        _print_rewritten(told)
    _print_rows(view)
    out.print()
    for note in view.notes:
        say(note, "dim")
    say(f"{view.id} · terms {view.terms}, stored before anything was measured. The store is as it was.", "dim")


def _print_changed(title: str, ones: Sequence[Changed]) -> None:
    if not ones:
        return
    out.print()
    say(title, "bold")
    for one in ones:
        label, said = one.beside
        say(f"  {one.title}", "cyan", hang=4)
        say(f"    {label.lower()}  {said}", hang=16)
        say(f"    who read    {one.reader.lower()}", "dim", hang=16)
        say(f"    before      {one.before}", "dim", hang=16)
        say(f"    after       {one.after}", "dim", hang=16)
        for said in one.because:
            say(f"    because of  {said}", hang=16)
        for way in one.keeps:
            say(f"    to keep it  {way.command}", "yellow", hang=16)


def _print_gone(view: EvaluationView) -> None:
    if not view.gone:
        return
    out.print()
    say("Statements that no memory says any more", "bold")
    for path, said in view.gone[:_SHOWN_GONE]:
        say(f"  {path}: {said}", hang=4)
    if more := view.gone_more + len(view.gone[_SHOWN_GONE:]):
        say(f"  and {more:,} more (--json and --html list 20)", "dim")


def _print_rewritten(told: Rewritten) -> None:
    out.print()
    say(told.title, "bold")
    for path, said, now in told.rows[:_SHOWN_GONE]:
        say(f"  {path}: {said}", hang=4)
        say(f"    {told.mark}: {now}", "dim", hang=6)
    if more := told.number - len(told.rows[:_SHOWN_GONE]):
        say(f"  and {more:,} more (--json and --html list 20)", "dim")


def _print_rows(view: EvaluationView) -> None:
    out.print()
    print_table(
        "Each kind of agent and question",
        ("who reads", "questions", "number", "found", "change (95 of 100 times within)", "lost, gained", "verdict"),
        [
            (row.reader.lower(), row.kind, row.questions, row.found, row.change, row.chance, row.word)
            for row in view.rows
        ],
    )
    out.print()
    print_table(
        "What is read",
        ("who reads", "questions", "found in the first 1 · 5 · 10", "tokens an answer", "bytes", *_MARKS),
        [
            (row.reader.lower(), row.kind, row.first, row.tokens, row.bytes, row.outdated, row.repeated)
            for row in view.rows
        ],
    )
    if view.phases:
        out.print()
        print_table(
            "Each phase: the dream with it, less the dream without it",
            ("phase", "who reads", "change", "verdict"),
            [(one.name, one.reader.lower(), one.change, one.word) for one in view.phases],
        )
    if view.idle_phases:
        out.print()
        say(f"The same is found without each of: {', '.join(view.idle_phases)}.", hang=2)
