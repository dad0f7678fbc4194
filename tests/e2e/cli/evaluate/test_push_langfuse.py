"""`--push langfuse` with Langfuse's own SDK, against a server of the test's that answers as Langfuse does."""

import json
from collections.abc import Iterator

import pytest

pytest.importorskip("langfuse", reason="an extra: requirements-langfuse.lock")

from tests.e2e.cli.cli_support import Cli, Ran
from tests.support.builders import texts, write
from tests.support.evaluation.langfuse_server import FakeLangfuse, a_langfuse
from tests.support.evaluation.reports import OWN, a_harmful_report, a_memory, store_evaluation
from tests.support.servers import open_ports

QUESTION = OWN[0]["question"]


@pytest.fixture
def langfuse() -> Iterator[FakeLangfuse]:
    with a_langfuse() as found:
        yield found


@pytest.fixture(scope="module")
def evaluation_id(cli: Cli) -> str:
    cli.run("tenants", "create", "acme")
    assert cli.settings is not None
    with open_ports(cli.settings) as ports:
        write(ports, "acme", texts({"services/s3.md": a_memory(3)}), store="bot")
        return store_evaluation(ports, "acme", "bot", a_harmful_report()).id


def the_keys(langfuse: FakeLangfuse) -> dict[str, str]:
    return {"LANGFUSE_PUBLIC_KEY": "pk", "LANGFUSE_SECRET_KEY": "sk", "LANGFUSE_HOST": langfuse.url}


def push(cli: Cli, langfuse: FakeLangfuse, expect: int = 0, **variables: str) -> Ran:
    variables = the_keys(langfuse) | variables
    return cli.run(
        "evaluations", "show", "acme", "--format", "inspect", "--push", "langfuse", expect=expect, **variables
    )


def test_a_store_is_a_dataset_and_each_arm_a_run_with_what_each_reader_found(
    cli: Cli, evaluation_id: str, langfuse: FakeLangfuse
) -> None:
    pushed = push(cli, langfuse)

    assert json.loads(pushed.out), "standard output has the samples alone"
    assert f"Pushed {len(langfuse.items)} questions to Langfuse as the dataset slowwave/acme/bot" in pushed.err
    assert set(langfuse.datasets) == {"slowwave/acme/bot"}
    (mine,) = [one for one in langfuse.items.values() if one["input"] == QUESTION]
    assert mine["expectedOutput"] == OWN[0]["evidence"]
    runs = {one.get("langfuse.experiment.name") for one in langfuse.spans.values()}
    assert runs == {f"{evaluation_id} before", f"{evaluation_id} after"}
    assert langfuse.scores_of(f"{evaluation_id} before", mine["id"])["search_found"] == 1
    assert langfuse.scores_of(f"{evaluation_id} before", mine["id"])["search_rank"] >= 1
    assert langfuse.scores_of(f"{evaluation_id} after", mine["id"]) == {"search_found": 0, "files_found": 0}


@pytest.mark.usefixtures("evaluation_id")
def test_a_second_push_overwrites_the_first_one(cli: Cli, langfuse: FakeLangfuse) -> None:
    push(cli, langfuse)
    first = [set(kept) for kept in (langfuse.datasets, langfuse.items, langfuse.scores, langfuse.spans)]
    assert all(first)

    push(cli, langfuse)

    assert [set(kept) for kept in (langfuse.datasets, langfuse.items, langfuse.scores, langfuse.spans)] == first


@pytest.mark.parametrize("path", ["v2/datasets", "dataset-items", "scores", "otel/v1/traces"])
def test_what_langfuse_does_not_take_is_said_with_the_command_for_another_try(
    path: str, cli: Cli, evaluation_id: str, langfuse: FakeLangfuse
) -> None:
    langfuse.refused = {f"/api/public/{path}": 401}

    failed = push(cli, langfuse, expect=6)

    assert f"Langfuse did not take all of {evaluation_id}" in failed.err
    assert f"evaluations show acme {evaluation_id} --push langfuse" in failed.err


def test_without_keys_an_evaluation_does_not_begin(cli: Cli, evaluation_id: str, langfuse: FakeLangfuse) -> None:
    refused = cli.run("evaluate", "acme/bot", "--push", "langfuse", expect=2, LANGFUSE_PUBLIC_KEY="pk")

    assert "needs LANGFUSE_SECRET_KEY in the environment" in refused.err
    assert [one["id"] for one in cli.json("evaluations", "list", "acme")] == [evaluation_id]
    assert "--push needs the end" in cli.run("evaluate", "acme/bot", "--push", "langfuse", "--detach", expect=2).err
    assert langfuse.asked == []


def test_a_push_that_the_environment_would_silence_is_refused(cli: Cli, langfuse: FakeLangfuse) -> None:
    refused = push(cli, langfuse, expect=2, LANGFUSE_TRACING_ENABLED="False")

    assert "sends nothing while LANGFUSE_TRACING_ENABLED is false" in refused.err


def test_there_is_nothing_to_push_before_the_end(cli: Cli, langfuse: FakeLangfuse) -> None:
    assert cli.settings is not None
    with open_ports(cli.settings) as ports:
        write(ports, "early", texts({"services/s3.md": a_memory(3)}), store="bot")
        waiting = store_evaluation(ports, "early", "bot")

    refused = cli.run("evaluations", "show", "early", "--push", "langfuse", expect=2, **the_keys(langfuse))

    assert f"{waiting.id} cannot be pushed, since it has no ranks: it is queued" in refused.err
