"""docs/integration.md, from its first line to its last, against a running installation; and webhooks on their own feet."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.e2e.cli.cli_support import Cli, a_cli, an_up
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.integration.webhooks.webhook_support import Received, Receiver, a_receiver

PAGE = (ROOT / "docs" / "integration.md").read_text()
BLOCKS = re.findall(r"<!-- run: (\w+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
_LOCAL = json.dumps({"allow_http": True, "allow_networks": ["127.0.0.0/8"], "sweep_seconds": 0.5, "backoff_seconds": 0})


class Installation(NamedTuple):
    cli: Cli
    address: str
    key: str
    receiver: Receiver


def blocks(name: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == name]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """`slowwave up`, and the tenant and key of the page's first lines."""
    log = tmp_path_factory.mktemp("up") / "up.log"
    with (
        a_cli(servers=False) as cli,
        a_receiver(500, 204) as receiver,
        an_up(cli, log, "--no-flower", SLOWWAVE_WEBHOOKS=_LOCAL) as up,
    ):
        made = [cli.json(*line.split()[1:]) for line in blocks("shell")[0].splitlines()]
        found = re.search(r"API +(http://\S+)", up.text())
        assert found
        eventually(lambda: _is_ready(found[1]), "the API")
        yield Installation(cli, found[1], made[-1]["token"], receiver)


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture(scope="module")
def ran(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run the page's snippets one after another as one program, and return the secret and the dream's id."""
    script: Path = tmp_path_factory.mktemp("page") / "page.py"
    script.write_text("\n".join(blocks("platform")) + '\nprint(json.dumps({"secret": secret, "dream": dream["id"]}))\n')
    environment = os.environ | {
        "SLOWWAVE": installation.address, "KEY": installation.key, "HOOK_URL": installation.receiver.url,
    }  # fmt: skip
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    left: dict[str, str] = json.loads(done.stdout.decode().splitlines()[-1])
    return left


def test_every_block_of_the_page_is_one_that_a_test_runs() -> None:
    assert len(re.findall(r"^```\w+$", PAGE, re.MULTILINE)) == len(BLOCKS)
    assert {kind for kind, _ in BLOCKS} == {"shell", "platform", "verify", "mcp", "celery"}


@pytest.mark.thorough
def test_a_platform_goes_the_whole_way_and_its_receiver_is_told(
    installation: Installation, ran: dict[str, str]
) -> None:
    """The receiver fails first, as receivers do: what comes again has the same id, and all of it verifies."""

    def told() -> list[Received] | None:
        # Only of the dream: in a random order the test below has sent a delivery of its own.
        about = [one for one in installation.receiver.received if "dream_id" in one.json["data"]]
        return about if len(about) == 4 else None

    received = eventually(told, "the dream's end, its reviews, and their verdicts")
    assert {one.json["type"] for one in received} == {"dream.finished", "review.needed", "review.decided"}
    assert len({one.id for one in received}) == 3
    assert {one.json["data"]["dream_id"] for one in received} == {ran["dream"]}
    page: dict[str, Any] = {}
    exec(blocks("verify")[0], page)
    assert all(page["verify"](ran["secret"], one.headers, one.body) for one in received)
    forged = received[0]
    assert not page["verify"](ran["secret"], forged.headers, forged.body + b" ")
    assert not page["verify"](ran["secret"], forged.headers | {"webhook-timestamp": "1"}, forged.body)


@pytest.mark.thorough
def test_the_commands_show_what_the_receiver_has_got(installation: Installation, ran: dict[str, str]) -> None:
    assert ran
    cli = installation.cli
    (endpoint,) = cli.json("webhooks", "list", "acme")

    def delivered() -> Any:
        # Only of this endpoint: in a random order the test below has left a failed delivery of its own.
        found = cli.json("webhooks", "deliveries", "acme", "--endpoint", endpoint["id"])
        return found if all(one["state"] == "delivered" for one in found) else None

    log = eventually(delivered, "all deliveries")
    statuses = sorted(attempt["status"] for one in log for attempt in one["tries"])
    assert statuses == [204, 204, 204, 500]
    assert all(attempt["latency_ms"] >= 0 for one in log for attempt in one["tries"])
    shown = cli.run("webhooks", "deliveries", "acme", "--endpoint", endpoint["id"]).out
    assert "dream.finished" in shown
    assert "HTTP 204" in cli.run("webhooks", "test", "acme", endpoint["id"], SLOWWAVE_WEBHOOKS=_LOCAL).out
    rotated = json.loads(cli.run("webhooks", "rotate", "acme", endpoint["id"], "--json").out)
    assert rotated["secret"].startswith("whsec_")
    assert rotated["secret"] != ran["secret"]
    assert cli.run("webhooks", "enable", "acme", endpoint["id"], expect=5).err
    cli.run("webhooks", "delete", "acme", endpoint["id"])
    assert "has no webhooks" in cli.run("webhooks", "list", "acme").out
    assert cli.json("webhooks", "list", "acme") == []


@pytest.mark.thorough
def test_a_test_of_an_address_in_this_network_fails_and_says_so(installation: Installation) -> None:
    cli = installation.cli
    created = cli.run("webhooks", "create", "acme", "https://localhost/", "--json")
    made = json.loads(created.out)
    assert "does not resolve to a public address, as seen from this machine" in created.err
    ran = cli.run("webhooks", "test", "acme", made["id"], expect=1)
    assert "does not resolve to a public address" in ran.out
    assert cli.run("webhooks", "create", "acme", "http://example.com/", expect=2).err
    cli.run("webhooks", "delete", "acme", made["id"])


def test_the_mcp_configuration_of_the_page_is_json() -> None:
    assert json.loads(blocks("mcp")[0])["mcpServers"]["slowwave"]["url"].endswith("/mcp")
