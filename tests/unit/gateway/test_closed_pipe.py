"""`slowwave … | head -1`: a reader that leaves early causes neither a failure nor a traceback."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
#: More than a pipe holds, so that writing goes on after the reader has left.
_TALKS = """
from gateway.cli.console.output import print_table, say
for number in range(20_000):
    {line}
"""


def ended_without_a_reader(line: str) -> tuple[int, str]:
    """Return the exit code and standard error of a program whose first line was read, and no other."""
    with subprocess.Popen(
        [sys.executable, "-c", _TALKS.format(line=line)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as talker:
        assert talker.stdout
        assert talker.stderr
        assert talker.stdout.readline()
        talker.stdout.close()
        said = talker.stderr.read()
        return talker.wait(timeout=120), said


def test_text_whose_reader_has_left_ends_well() -> None:
    assert ended_without_a_reader("say('x' * 100)") == (0, "")


def test_a_table_whose_reader_has_left_ends_well() -> None:
    assert ended_without_a_reader("print_table('t', ('a',), [('x' * 100,)] * 20)") == (0, "")
