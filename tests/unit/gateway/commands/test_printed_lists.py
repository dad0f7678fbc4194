"""Tables of commands: their number is told, and a narrow terminal folds no sentence into a thin column."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from gateway.cli.console import output
from gateway.cli.console.output import ago

_COLUMNS = ("dream", "store", "state", "when", "what")
_WHAT = "1 pruned, 40 indexed, 5 flagged, 4 proposed, and a reason of some length"
_ROW = ("drm_01M8JKHRAPBC4AEWZTXF5DZS7E", "default", "completed", "4m ago", _WHAT)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Return a function that prints a list on a terminal of a width, or to a pipe, and returns its lines."""

    def print_on(width: int | None) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width or 80))
        monkeypatch.setattr(output.out, "_width", width or 80)
        monkeypatch.setattr(output.out, "_height", 40)
        monkeypatch.setattr(output.out, "_force_terminal", width is not None)
        output.print_list("Dreams of acme", _COLUMNS, [_ROW, _ROW], has_more=True)
        return capsys.readouterr().out.splitlines()

    return print_on


def test_a_narrow_terminal_shows_the_last_column_below_the_others(printed: Callable[..., list[str]]) -> None:
    lines = printed(80)
    assert lines[0] == "Dreams of acme: the newest 2"
    assert f"  {_WHAT}" in lines
    assert all(len(line) <= 80 for line in lines)


def test_a_wide_terminal_and_a_pipe_show_each_row_on_one_line(printed: Callable[..., list[str]]) -> None:
    for lines in (printed(200), printed(None)):
        assert len(lines) == 4
        assert all(_ROW[0] in line and _WHAT in line for line in lines[2:])


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (59, "59s ago"),
        (3_600, "1h ago"),
        (5_400, "1.5h ago"),
        (86_400, "1d ago"),
        (54_870_000, "635d ago"),
        (-39_600, "in 11h"),
    ],
)
def test_a_time_ago_is_as_exact_as_a_person_would_say_it(seconds: int, said: str) -> None:
    now = datetime(2026, 3, 4, tzinfo=UTC)
    assert ago(now - timedelta(seconds=seconds), now) == said
