"""`slowwave demo`: from a shut gate to undo, as often as one likes; on a terminal also the console."""

import re

import httpx
import pytest

from tests.e2e.cli.cli_support import a_cli
from tests.e2e.cli.terminal_support import a_terminal
from tests.e2e.workers.worker_support import eventually
from tests.integration.console.console_support import csrf_of


def test_the_demo_runs_to_its_end_and_can_be_run_again() -> None:
    with a_cli(servers=False) as cli:
        for _ in range(2):
            ran = cli.run("demo")
            assert "41 memories imported" in ran.out
            assert "17 events of 5 sessions imported" in ran.out
            assert "Dream completed" in ran.out
            assert "Label exports are named by depot and ISO date, always." in ran.out
            assert "“The rota changes on Mondays at 10:00 UTC.” — until 2026-03-04, corrected by the user" in ran.out
            assert "moved to the Frankfurt bucket yesterday (2026-03-04)" in ran.out
            assert "2026-03-04: No, that's wrong: the rota changes on Mondays at 08:30 UTC." in ran.out
            assert "user-preferences/inferred" not in ran.out
            assert re.search(r"importance 32 → \d: last written or kept \d+ days ago", ran.out)
            assert "all 41 memories are what they were before the dream" in ran.out
            assert "6 changes wait for you" in ran.out
            assert re.search(r"Facts of the memories: a search finds \d+ of \d{2,3}, \d+ before the dream", ran.out)
            assert "./slowwave dream acme --undo" in ran.out.splitlines()[-1]
        told = re.search(r"export SLOWWAVE_DATA_DIR=(\S+)", ran.out)
        assert told
        waiting = cli.json("review", "pending", "demo", SLOWWAVE_DATA_DIR=told[1])
        assert {one["kind"] for one in waiting} == {"CORRECT", "MERGE", "ARCHIVE"}
        assert "42 memories" in cli.run("status", "demo", SLOWWAVE_DATA_DIR=told[1]).out


@pytest.mark.thorough
def test_on_a_terminal_the_demo_ends_with_the_console_and_a_key_until_ctrl_c() -> None:
    with a_cli(servers=False) as cli, a_terminal(cli, "demo") as terminal:
        said = terminal.until("Ctrl-C ends the demo", seconds=120)
        address = re.search(r"Console +(http://\S+/console)", said)
        key = re.search(r"Key +(swk_\S+)", said)
        assert address
        assert key
        with httpx.Client() as browser:
            form = eventually(lambda: _page(browser, f"{address.group(1)}/sign-in"), "the console")
            fields = {"key": key.group(1), "csrf": csrf_of(form)}
            assert browser.post(f"{address.group(1)}/sign-in", data=fields).status_code == 303
            assert "demo" in browser.get(f"{address.group(1)}/t/demo").text
            waits = browser.get(f"{address.group(1)}/t/demo/reviews").text
            assert "rate-limits.md" in waits
        assert terminal.interrupt() == 0
        assert "Traceback" not in terminal.text


def _page(browser: httpx.Client, address: str) -> str | None:
    try:
        return browser.get(address).text
    except httpx.TransportError:
        return None
