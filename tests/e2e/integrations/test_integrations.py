"""The files in docs/integrations with the tools that they are for: promptfoo and Inspect ask a real server."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from shared.all_ports import Ports
from tests.e2e.workers.worker_support import ROOT
from tests.integration.api.api_support import a_token
from tests.support.builders import take_picture, write
from tests.support.clients.served import a_server

FILES = ROOT / "docs" / "integrations"
needs_promptfoo = pytest.mark.skipif(
    shutil.which("promptfoo") is None, reason="promptfoo is not on the path (npm install -g promptfoo)"
)
needs_inspect = pytest.mark.skipif(
    shutil.which("inspect") is None, reason="Inspect is not on the path (pipx install inspect-ai)"
)
#: Inspect's mock of a model, which here repeats what it reads. Without the usage it would fetch a table to count tokens.
REPEAT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def repeat(messages, *_):
    output = ModelOutput.from_content("mockllm", messages[-1].text.partition("Question:")[0])
    output.usage = ModelUsage()
    return output

model = get_model("mockllm/model", custom_outputs=repeat)
eval(sys.argv[1], task_args=json.loads(sys.argv[2]), model=model, log_dir="logs", log_format="json")
"""
pytestmark = pytest.mark.thorough


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FILES, tmp_path / "files"))


@pytest.fixture
def variables(ports: Ports, tenant: str) -> Iterator[dict[str, str]]:
    notes = {
        "refunds.md": "# Refunds\n\nA refund is possible within 30 days.\n",
        "port.md": "# Port\n\nIt is `v3x0`.\n",
    }
    write(ports, tenant, notes, store="support-bot")
    with a_server(ports) as address:
        yield {"SLOWWAVE_URL": address, "SLOWWAVE_KEY": a_token(ports, tenant)}


def run(folder: Path, command: list[str], variables: Mapping[str, str], expect: int = 0) -> str:
    home = {"HOME": str(folder), "PROMPTFOO_CONFIG_DIR": str(folder / "promptfoo")}
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "INSPECT_DISPLAY": "plain"}
    known = {**os.environ, **home, **quiet, **variables}
    ended = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, timeout=150, check=False)
    assert ended.returncode == expect, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def promptfoo(folder: Path, variables: Mapping[str, str], expect: int = 0) -> dict[str, Any]:
    said = run(folder, ["promptfoo", "eval", "--no-cache", "--no-table", "-o", "out.json"], variables, expect)
    assert "slowwave_provider" in (folder / "out.json").read_text(), said
    found: dict[str, Any] = json.loads((folder / "out.json").read_text())["results"]
    return found


def inspect(folder: Path, variables: Mapping[str, str], task: str, **arguments: object) -> dict[str, Any]:
    (folder / "repeat.py").write_text(REPEAT)
    python = Path(shutil.which("inspect") or "").resolve().parent / "python"
    run(folder, [str(python), "repeat.py", f"slowwave_tasks.py@slowwave/{task}", json.dumps(arguments)], variables)
    (log,) = (folder / "logs").glob("*.json")
    found: dict[str, Any] = json.loads(log.read_text())
    assert found["status"] == "success", found["error"]["traceback"]
    return found


def scores_of(log: Mapping[str, Any], scorer: str) -> dict[str, str]:
    return {one["id"]: one["scores"][scorer]["value"] for one in log["samples"]}


@needs_promptfoo
def test_promptfoo_judges_what_a_search_of_a_store_finds(folder: Path, variables: dict[str, str]) -> None:
    found = promptfoo(folder, variables)

    (one,) = found["results"]
    assert one["success"]
    assert "A refund is possible within 30 days." in one["response"]["output"]
    assert found["stats"]["successes"] == 1


@needs_promptfoo
def test_promptfoo_says_that_a_question_is_not_answered_and_that_no_server_answers(
    folder: Path, variables: dict[str, str]
) -> None:
    config = folder / "promptfooconfig.yaml"
    config.write_text(config.read_text().replace("within 30 days", "within 90 days"))
    assert promptfoo(folder, variables, expect=100)["stats"]["failures"] == 1

    (one,) = promptfoo(folder, variables | {"SLOWWAVE_URL": "http://127.0.0.1:1"}, expect=100)["results"]
    assert "slowwave did not answer" in one["error"]


@needs_inspect
def test_inspect_asks_a_store_the_questions_of_an_evaluation(folder: Path, variables: dict[str, str]) -> None:
    own = [
        {"id": "own-1", "input": "How long is a refund possible?", "target": "possible within 30 days", "metadata": {}},
        {"id": "own-2", "input": "Which port?", "target": ["`v3x0`", "`v9x9`"], "metadata": {"store": "support-bot"}},
    ]
    (folder / "samples.json").write_text(json.dumps(own))

    log = inspect(folder, variables, "store", store="support-bot")

    assert log["eval"]["task"] == "slowwave/store"
    assert scores_of(log, "evidence") == {"own-1": "C", "own-2": "I"}


@needs_inspect
def test_inspect_asks_questions_of_locomo_of_which_the_second_run_writes_nothing_again(
    folder: Path, variables: dict[str, str], ports: Ports, tenant: str
) -> None:
    turns = [{"speaker": "Ann", "dia_id": "D1:1", "text": "My dog is called Bruno."}]
    qa = [
        {"question": "What is the dog of Ann called?", "answer": "Bruno", "evidence": ["D1:1"], "category": 1},
        {"question": "Who said nothing?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "Bob"},
        {"question": "What was lost?", "answer": "A turn", "evidence": ["D9:9"], "category": 1},
    ]
    said = {"speaker_a": "Ann", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    data = [{"sample_id": "conv-1", "conversation": said, "qa": qa}]
    (folder / "locomo10.json").write_text(json.dumps(data))

    for _ in range(2):
        shutil.rmtree(folder / "logs", ignore_errors=True)
        log = inspect(folder, variables, "locomo", conversations=1)

    assert log["eval"]["task"] == "slowwave/locomo"
    assert scores_of(log, "evidence") == scores_of(log, "includes") == {"conv-1-1": "C"}
    (written,) = take_picture(ports, tenant, "locomo-conv-1").memories.values()
    assert written.content == "# 1:56 pm on 8 May, 2023\n\n- Ann: My dog is called Bruno.\n"


def test_the_page_shows_the_provider_that_is_run() -> None:
    page = (ROOT / "docs" / "evaluate.md").read_text()
    provider, config = (FILES / "slowwave_provider.py").read_text(), (FILES / "promptfooconfig.yaml").read_text()
    assert f"```python\n{provider}```" in page
    assert f"```yaml\n{config}```" in page
