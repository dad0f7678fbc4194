"""A benchmark explains itself with `--help`: it measures nothing, and looks for no file of that name."""

from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[2] / "benchmarks"
_RUN = sorted(path for path in _FOLDER.glob("*.py") if '__name__ == "__main__"' in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", _RUN, ids=lambda path: path.stem)
def test_a_benchmark_answers_help_and_refuses_options_that_it_does_not_have(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert ".parse_args(" in source
    assert "sys.argv" not in source
