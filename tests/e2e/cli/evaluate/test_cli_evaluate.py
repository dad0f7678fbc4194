"""`slowwave evaluate` and `evaluations` with a worker of `up`: from the order to the page, and what is left of the store."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import Cli, a_cli_beside, an_up, files_of
from tests.e2e.workers.worker_support import ROOT, eventually
from tests.support.evaluation.reports import a_memory

#: No dream but those of evaluations.
_NO_SWEEPS = {"SLOWWAVE_SWEEP_SECONDS": "3600"}


@pytest.fixture(scope="module")
def cli(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    log = tmp_path_factory.mktemp("up") / "up.log"
    with a_cli_beside(servers, log.parent / "data") as found, an_up(found, log, "--no-flower", **_NO_SWEEPS):
        for store, services in (("bot", 24), ("small", 3), ("asked", 3)):
            notes = log.parent / store
            notes.mkdir()
            for number in range(services):
                (notes / f"service-{number}.md").write_text(a_memory(number))
            found.run("import", notes, "--tenant", "acme", "--store", store)
        yield found


def exported(cli: Cli, folder: Path) -> dict[str, bytes]:
    cli.run("export", folder, "--tenant", "acme", "--store", "bot")
    return files_of(folder)


def test_an_evaluation_ends_with_its_page_and_leaves_the_store_as_it_was(cli: Cli, tmp_path: Path) -> None:
    before = exported(cli, tmp_path / "before")
    probes = tmp_path / "probes.jsonl"
    probes.write_text('{"question": "Which port does service 3 have?", "evidence": "`v3x0`"}\n')

    ran = cli.run("evaluate", "acme/bot", "--probes", probes, "--html", tmp_path / "page.html")

    assert ran.out.startswith("Dreaming "), "the verdict comes first, and nothing else is on standard output"
    assert "your own questions" in ran.out
    assert "Does dreaming help this agent?" in (tmp_path / "page.html").read_text()
    assert exported(cli, tmp_path / "after") == before
    (listed, *_) = cli.json("evaluations", "list", "acme/bot")
    assert (listed["state"], listed["own_probes"]) == ("done", 1)
    shown = cli.json("evaluations", "show", "acme", listed["id"][:-4])
    assert shown["report"]["sentence"] in ran.out
    assert shown["terms"] in ran.out
    assert cli.json("dreams", "list", "acme") == [], "the dreams of copies are no dreams of the tenant"


def test_too_little_data_has_an_exit_code_of_its_own(cli: Cli) -> None:
    ran = cli.run("evaluate", "acme/small", "--format", "junit", expect=9)

    suite = ET.fromstring(ran.out)[0]
    assert suite.attrib["failures"] == "0"
    assert cli.run("evaluations", "show", "acme", "--format", "text").out.startswith("There is too little data to tell")


def test_samples_for_inspect_are_json_and_nothing_else(cli: Cli, tmp_path: Path) -> None:
    probes = tmp_path / "probes.json"
    probes.write_text(json.dumps([{"question": "Which port?", "evidence": ["`v1x0`"]}]))

    (first, *_) = json.loads(cli.run("evaluate", "acme/small", "--probes", probes, "--format", "inspect", expect=9).out)

    assert (first["input"], first["target"]) == ("Which port?", ["`v1x0`"])


def test_a_store_keeps_questions_of_its_own_which_its_evaluations_ask(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"question": "Which port?", "evidence": "`v1x0`"}\n{"question": "Which owner?"}\n')
    assert "line 2: evidence is missing" in cli.run("probes", "set", "acme/asked", file, expect=2).err
    assert "keeps no questions of its own: " in cli.run("probes", "show", "acme/asked").out

    file.write_text('{"question": "Which port?", "evidence": "`v1x0`", "group": "ports"}\n')
    assert "acme/asked keeps 1 question of its own." in cli.run("probes", "set", "acme/asked", file).out
    shown = cli.run("probes", "show", "acme/asked", "--json").out
    assert json.loads(shown) == [{"question": "Which port?", "evidence": ["`v1x0`"], "group": "ports"}]
    assert "Which port?" in cli.run("probes", "show", "acme/asked").out

    ran = cli.run("evaluate", "acme/asked", expect=9)
    assert "also asks 1 question of the store's own." in ran.err
    assert "your own questions" in ran.out
    (done, *_) = cli.json("evaluations", "list", "acme/asked")
    assert done["own_probes"] == 1
    assert "keeps no questions of its own." in cli.run("probes", "clear", "acme/asked").out
    file.write_text('[{"question": "Which port?", "evidence": "any port"}]')
    assert "to search for: “any port”" in cli.run("probes", "set", "acme/asked", file).err
    file.write_text(shown)
    assert cli.json("probes", "set", "acme/asked", file) == json.loads(shown), "what was shown can be set again"


def test_a_queued_evaluation_is_shown_and_canceled(cli: Cli) -> None:
    queued = cli.json("evaluate", "acme/bot", "--detach", "--dreams", "10")
    again = cli.run("evaluate", "acme/bot", expect=5)
    assert f"being evaluated already ({queued['id']})" in again.err

    assert cli.json("evaluations", "cancel", "acme", queued["id"])["state"] == "canceled"

    assert "is canceled" in cli.run("evaluations", "show", "acme", queued["id"]).out
    refused = cli.run("evaluations", "show", "acme", queued["id"], "--html", "page.html", expect=2)
    assert "--html needs a report" in refused.err


def test_ctrl_c_ends_the_following_alone_and_says_how_to_see_and_cancel_it(cli: Cli) -> None:
    following = subprocess.Popen(
        cli.command("evaluate", "acme/bot", "--dreams", "10"),
        cwd=ROOT,
        env=cli.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    eventually(
        lambda: [one for one in cli.json("evaluations", "list", "acme/bot") if one["state"] == "running"], "it runs"
    )
    following.send_signal(signal.SIGINT)
    _, said = following.communicate(timeout=60)

    (newest, *_) = cli.json("evaluations", "list", "acme/bot")
    assert following.returncode == 130
    assert f"evaluations show acme {newest['id']}" in said
    assert newest["state"] != "canceled"
    cli.run("evaluations", "cancel", "acme", newest["id"])


def test_there_is_no_page_without_an_evaluation(cli: Cli) -> None:
    cli.run("tenants", "create", "empty")

    assert "No evaluation yet. Start one:" in cli.run("evaluations", "list", "empty").out
    assert "start one:" in cli.run("evaluations", "show", "empty", expect=4).err
