"""Tables of commands: their number is told, and a narrow terminal folds no sentence into a thin column."""

from collections.abc import Callable

import pytest

from gateway.cli.console import output

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
