"""`slowwave demo` without a terminal: from a shut gate to undo, as often as one likes."""

from tests.e2e.cli_support import a_cli


def test_the_demo_runs_to_its_end_and_can_be_run_again() -> None:
    with a_cli(servers=False) as cli:
        for _ in range(2):
            ran = cli.run("demo")
            assert "41 memories imported" in ran.out
            assert "Dream completed" in ran.out
            assert "all 41 memories are what they were before the dream" in ran.out
            assert "./slowwave dream acme --undo" in ran.out.splitlines()[-1]
