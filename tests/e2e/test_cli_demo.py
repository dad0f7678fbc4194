"""`slowwave demo` without a terminal: from a shut gate to undo, as often as one likes."""

from tests.e2e.cli_support import a_cli


def test_the_demo_runs_to_its_end_and_can_be_run_again() -> None:
    with a_cli(servers=False) as cli:
        for _ in range(2):
            ran = cli.run("demo")
            assert "41 memories imported" in ran.out
            assert "17 events of 5 sessions imported" in ran.out
            assert "Dream completed" in ran.out
            assert "Said (very_irritated) once, on 2026-03-05: The user wants: Label exports are named" in ran.out
            assert "“The rota changes on Mondays at 10:00 UTC.” — until 2026-03-04, corrected by the user" in ran.out
            assert "moved to the Frankfurt bucket yesterday (2026-03-04)" in ran.out
            assert "2026-03-04: No, that's wrong: the rota changes on Mondays at 08:30 UTC." in ran.out
            assert "because 2 sessions asked for it and no skill covers it" in ran.out
            assert "summarize-lost-parcel-claims" in ran.out
            assert "all 41 memories are what they were before the dream" in ran.out
            assert "./slowwave dream acme --undo" in ran.out.splitlines()[-1]
