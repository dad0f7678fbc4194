"""`slowwave dream`, `dreams`, `review` and `status` over a tenant that is worth a dream, with a worker of `up`."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import DEMO_NOTES, Cli, a_cli_beside, an_up, files_of

#: No dream but those that the tests ask for.
_NO_SWEEPS = {"SLOWWAVE_SWEEP_SECONDS": "3600"}


@pytest.fixture(scope="module")
def cli(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    log = tmp_path_factory.mktemp("up") / "up.log"
    with a_cli_beside(servers, log.parent / "data") as found, an_up(found, log, "--no-flower", **_NO_SWEEPS):
        yield found


@pytest.fixture(scope="module")
def dreamt(cli: Cli) -> Any:
    """The `--json` of a dream that ran over the example notes of the tenant `acme`."""
    cli.run("import", DEMO_NOTES, "--tenant", "acme")
    return cli.json("dream", "acme", "--force")


def test_a_dream_tells_its_phases_operations_and_what_it_left_alone(cli: Cli, dreamt: Any) -> None:
    shown = cli.json("dreams", "show", "acme", dreamt["id"][:20])
    assert shown["state"] == "completed"
    assert shown["phases"][0]["phase"] == "orient"
    assert {run["state"] for run in shown["phases"]} <= {"done", "skipped"}
    assert {"MERGE", "ARCHIVE", "INDEX"} <= {found["kind"] for found in shown["operations"]}
    assert all(found["reason"] and found["paths"] for found in shown["operations"])
    assert all(skip["phase"] and skip["code"] and skip["detail"] for skip in shown["skips"])
    assert shown["skips"]
    assert shown["calls"]["calls"] > 0


@pytest.mark.parametrize("option", ["--dry-run", "--detach", "--only=digest", "--again"])
def test_an_option_that_an_undo_or_a_redo_would_ignore_is_refused_and_nothing_is_undone(
    cli: Cli, dreamt: Any, option: str
) -> None:
    for wanted in ("--undo", "--redo"):
        refused = cli.run("dream", "acme", dreamt["id"], wanted, option, expect=2)
        assert option.partition("=")[0] in refused.err
    assert cli.json("dreams", "show", "acme", dreamt["id"])["state"] == "completed"


def test_a_dreams_id_without_undo_or_redo_starts_no_dream_and_says_what_is_missing(cli: Cli, dreamt: Any) -> None:
    refused = cli.run("dream", "acme", dreamt["id"], "--force", expect=2)
    assert "id needs --undo, which undoes" in " ".join(refused.err.replace("│", " ").split())
    assert cli.json("dreams", "list", "acme")[0]["id"] == dreamt["id"]


def test_undo_and_redo_of_one_dream_are_refused_together_and_a_dream_in_force_is_not_redone(
    cli: Cli, dreamt: Any
) -> None:
    refused = cli.run("dream", "acme", dreamt["id"], "--undo", "--redo", expect=2)
    assert "--redo" in refused.err
    assert "Nothing to redo" in cli.run("dream", "acme", dreamt["id"], "--redo", expect=5).err
    assert cli.json("dreams", "show", "acme", dreamt["id"])["state"] == "completed"


def test_a_dry_run_forgets_no_verdict(cli: Cli, dreamt: Any) -> None:
    refused = cli.run("dream", "acme", "--again", "--dry-run", expect=2)
    assert "--again" in refused.err
    assert cli.json("dreams", "list", "acme")[0]["id"] == dreamt["id"]


def test_the_output_about_a_dream_names_each_operation(cli: Cli, dreamt: Any) -> None:
    text = cli.run("dreams", "show", "acme").out
    assert f"Dream completed ({dreamt['id']})" in text
    assert all(found["id"] in text and found["reason"] in text for found in dreamt["operations"])
    assert dreamt["id"] in cli.run("dreams", "list", "acme").out


def test_a_dream_without_a_model_or_embeddings_says_that_it_was_a_preview_and_what_these_would_add(
    cli: Cli, dreamt: Any
) -> None:
    told = " ".join(cli.run("dreams", "show", "acme", dreamt["id"]).out.split())
    assert "preview by rules" in told
    assert "compared by words alone" in told


def test_dreams_are_listed_by_when_they_were_made(cli: Cli, dreamt: Any) -> None:
    made = dreamt["created_at"]
    assert [found["id"] for found in cli.json("dreams", "list", "acme", "--since", made)][-1] == dreamt["id"]
    assert dreamt["id"] in cli.run("dreams", "list", "acme", "--since", "2d").out
    assert cli.json("dreams", "list", "acme", "--until", made) == []
    assert "No dream matches" in cli.run("dreams", "list", "acme", "--until", made).out
    assert "must be later than" in cli.run("dreams", "list", "acme", "--since", "1h", "--until", "2h", expect=2).err
    refused = cli.json("dreams", "list", "acme", "--until", "soon", expect=2)
    assert refused["error"]["message"].startswith("--until takes 30m, 24h")


@pytest.mark.usefixtures("dreamt")
def test_a_shut_gate_exits_3_and_says_which(cli: Cli) -> None:
    refused = cli.run("dream", "acme", expect=3)
    assert refused.out.startswith("Dream skipped: Too recent (")
    assert "./slowwave dream acme --force" in refused.out
    assert cli.json("dream", "acme", expect=3)["gate"] == "time"


def test_a_refused_dream_names_the_command_that_helps(cli: Cli) -> None:
    cli.run("tenants", "create", "refused")
    cli.run("stores", "set", "refused/default", "--profile", "swarmclaw")
    assert "./slowwave stores set refused/default --set gates.enabled=true" in cli.run("dream", "refused", expect=3).out
    cli.run("pause", "refused")
    assert "./slowwave resume refused\n" in cli.run("dream", "refused", "--force", expect=3).out
    cli.run("resume", "refused")
    cli.run("pause", "refused/default")
    assert "./slowwave resume refused/default\n" in cli.run("dream", "refused", "--force", expect=3).out


def test_status_explains_why_a_store_does_not_dream(cli: Cli, dreamt: Any) -> None:
    (store,) = cli.json("status", "acme")
    assert store["eligible"] is False
    assert store["gate"] == "time"
    assert {"time", "activity"} <= {gate["gate"] for gate in store["shut_gates"]}
    assert store["retry_at"]
    assert store["last_dream_id"] == dreamt["id"]
    assert store["pending_reviews"] > 0


@pytest.mark.usefixtures("dreamt")
def test_an_archived_memory_is_found_by_its_stub(cli: Cli) -> None:
    found = {hit["path"]: hit for hit in cli.json("memory", "search", "acme", "reach the staging cluster")}
    assert found["operations/old-staging-cluster.md"]["is_archived"]
    assert "staging" in found["operations/old-staging-cluster.md"]["excerpt"]


@pytest.mark.usefixtures("dreamt")
def test_an_archived_memory_that_was_the_only_one_to_know_a_name_is_found_by_that_name(cli: Cli) -> None:
    found = {hit["path"]: hit for hit in cli.json("memory", "search", "acme", "bastion-got.larkparcel.example")}
    assert found["operations/old-staging-cluster.md"]["is_archived"]


def test_a_rejected_merge_is_taken_back_and_an_approved_one_stays(cli: Cli, dreamt: Any) -> None:
    waiting = cli.json("review", "pending", "acme")
    assert {found["dream_id"] for found in waiting} == {dreamt["id"]}
    kept, wrong = [found for found in waiting if found["kind"] == "MERGE"][:2]
    shown = cli.run("review", "show", "acme", wrong["id"][-8:]).out
    assert wrong["reason"] in shown
    assert any(line.lstrip().startswith("-") for line in shown.splitlines())
    assert any(line.lstrip().startswith("+") for line in shown.splitlines())

    assert cli.json("review", "approve", "acme", kept["id"])[0]["review"] == "approved"
    assert cli.run("review", "reject", "acme", wrong["id"]).out.startswith(f"Rejected {wrong['id']}")

    left = {found["id"] for found in cli.json("review", "pending", "acme")}
    assert left == {found["id"] for found in waiting} - {kept["id"], wrong["id"]}
    live = {found["path"] for found in cli.json("memory", "list", "acme")}
    assert set(wrong["paths"]) <= live
    assert not set(kept["paths"]) <= live


def test_a_command_without_a_tenant_says_that_the_tenant_comes_first(cli: Cli) -> None:
    assert "name its tenant first" in cli.run("dreams", "show", "drm_01M7YXB34FX", expect=4).err


@pytest.mark.usefixtures("dreamt")
def test_every_change_of_a_dream_is_listed_for_a_review_also_those_that_wait_for_no_verdict(
    cli: Cli, dreamt: Any
) -> None:
    listed = cli.json("review", "pending", "acme", "--all", "--dream", dreamt["id"])
    assert [found["id"] for found in listed] == [found["id"] for found in dreamt["operations"]]
    assert {found["review"] for found in listed} > {"pending"}


def test_what_waits_is_listed_whole_with_its_store_or_the_list_says_how_many_it_left_out(cli: Cli, dreamt: Any) -> None:
    waiting = cli.json("review", "pending", "acme")
    assert {one["store"] for one in waiting} == {"default"}
    cut = cli.run("review", "pending", "acme", "--limit", "1", "--json")
    assert [one["id"] for one in json.loads(cut.out)] == [waiting[0]["id"]]
    assert f"{len(waiting) - 1} more of {len(waiting)} were left out" in cut.err
    merges = [one for one in waiting if one["kind"] == "MERGE"]
    filters = ("--tenant", "acme", "--store", "default", "--kind", "merge", "--dream", dreamt["id"][:20])
    assert cli.json("review", "pending", *filters, "--phase", "consolidate") == merges
    assert cli.json("review", "pending", "acme", "--phase", "gather") == []
    unsure = [one for one in waiting if one["confidence"] is None]
    assert cli.json("review", "pending", "acme", "--confidence", "unsaid") == unsure
    assert "no store 'elsewhere'" in cli.run("review", "pending", "acme", "--store", "elsewhere", expect=4).err


def test_all_that_match_are_decided_by_one_command_that_shows_them_first_and_a_refusal_stops_no_other(
    cli: Cli, dreamt: Any
) -> None:
    merges = [one["id"] for one in cli.json("review", "pending", "acme", "--kind", "MERGE")]
    asked = cli.run("review", "reject", "acme", "--all", "--kind", "MERGE", expect=2)
    assert f"This would reject {len(merges)} operations: {len(merges)} MERGE" in asked.err
    assert "--yes" in asked.err
    assert all(one in asked.err for one in merges)
    assert "--all" in cli.run("review", "reject", "acme", "--kind", "MERGE", expect=2).err
    done = cli.run("review", "reject", "acme", "--all", "--kind", "MERGE", "--dream", dreamt["id"], "--yes")
    assert [line.split()[1] for line in done.out.splitlines()[:-1]] == [f"{one}:" for one in merges]
    assert f"Take it back: ./slowwave review reopen acme {merges[-1]}" in done.out
    some = cli.run("review", "reopen", "acme", merges[0], "op_nothing", *merges[1:], expect=4)
    assert "Not reopened: op_nothing: Tenant 'acme' has no operation 'op_nothing'" in some.err
    assert [line.split()[1] for line in some.out.splitlines()] == [f"{one}:" for one in reversed(merges)]
    assert [one["id"] for one in cli.json("review", "pending", "acme", "--kind", "MERGE")] == merges
    refused = cli.json("review", "reopen", "acme", merges[0], expect=5)
    assert "already waiting" in refused[0]["refused"]


@pytest.mark.usefixtures("dreamt")
def test_a_review_of_an_unknown_operation_exits_4(cli: Cli) -> None:
    assert "op_nothing" in cli.run("review", "approve", "acme", "op_nothing", expect=4).err


def test_neither_a_dry_run_nor_an_undone_dream_leaves_a_trace_and_a_reviewed_export_waits_for_verdicts(
    cli: Cli, tmp_path: Path
) -> None:
    cli.run("import", DEMO_NOTES, "--tenant", "same")
    dry = cli.run("dream", "same", "--force", "--dry-run").out
    assert "Dry run: nothing was applied" in dry
    assert "\n  -" in dry
    assert "\n  +" in dry
    assert " tokens" in dry
    cli.run("export", tmp_path / "after-dry-run", "--tenant", "same")
    assert files_of(tmp_path / "after-dry-run") == files_of(DEMO_NOTES)

    dreamt = cli.run("dream", "same", "--force").out
    assert "Dream completed" in dreamt
    cli.run("export", tmp_path / "after-dream", "--tenant", "same")
    assert "Dream undone" in cli.run("dream", "same", "--undo").out
    cli.run("export", tmp_path / "after-undo", "--tenant", "same")
    assert files_of(tmp_path / "after-undo") == files_of(DEMO_NOTES)
    assert "already undone" in cli.run("dream", "same", "--undo", expect=5).err

    assert "Dream redone" in cli.run("dream", "same", "--redo").out
    assert "redone by" in cli.run("dreams", "show", "same").out
    cli.run("export", tmp_path / "after-redo", "--tenant", "same")
    assert files_of(tmp_path / "after-redo") == files_of(tmp_path / "after-dream")
    cli.run("export", tmp_path / "reviewed", "--reviewed", "--tenant", "same")
    assert (
        files_of(tmp_path / "reviewed").items() - files_of(tmp_path / "after-redo").items()
        <= files_of(DEMO_NOTES).items()
    )
    assert files_of(DEMO_NOTES).items() <= files_of(tmp_path / "reviewed").items(), "beside them the open questions"


def test_a_digest_by_hand_is_refused_while_it_is_switched_off_and_written_when_forced(cli: Cli) -> None:
    cli.run("import", DEMO_NOTES, "--tenant", "daily")
    refused = cli.run("dream", "daily", "--only", "digest", expect=3).out
    assert refused.startswith("Digest skipped: Switched off (digest.enabled=false)")
    assert "./slowwave stores set daily/default --set digest.enabled=true" in refused
    assert cli.json("dream", "daily", "--only", "compaction", expect=3)["gate"] == "off"
    ended = cli.json("dream", "daily", "--only", "digest", "--force")
    assert [run["phase"] for run in ended["phases"]] == ["orient", "digest", "index"]
    assert ended["operations"][0]["kind"] == "DIGEST"
    again = cli.json("dream", "daily", "--only", "digest", "--force", expect=3)
    assert again["reason"] == "There is a digest of today already"
    cli.run("dream", "daily", "--only", "digest", "--undo", expect=2)


@pytest.mark.usefixtures("dreamt")
def test_an_export_over_an_older_one_names_stale_files_and_removes_them_when_that_is_meant(
    cli: Cli, tmp_path: Path
) -> None:
    cli.run("import", DEMO_NOTES, "--tenant", "shelf")
    cli.json("dream", "shelf", "--force")
    merges = [one["id"] for one in cli.json("review", "pending", "shelf") if one["kind"] == "MERGE"]
    cli.run("review", "approve", "shelf", merges[0])
    folder = tmp_path / "notes"
    shutil.copytree(DEMO_NOTES, folder)
    mine = folder / "operations" / "old-staging-cluster.md"
    mine.write_text(mine.read_text() + "\nStill of use to me.\n")
    first = cli.json("export", folder, "--tenant", "shelf", "--force")
    assert first["stale"]
    assert first["removed"] == []
    assert set(first["stale"]) <= set(files_of(folder))
    refused = cli.run("export", folder, "--tenant", "shelf", "--yes", expect=2)
    assert "--force" in refused.err
    second = cli.run("export", folder, "--tenant", "shelf", "--force", "--yes").out
    assert all(path in second for path in first["stale"][:3])
    live = {found["path"] for found in cli.json("memory", "list", "shelf")}
    kept = {"operations/old-staging-cluster.md", ".slowwave/open-questions.md"}
    assert {str(path) for path in files_of(folder)} - live <= kept
    assert "Still of use to me." in mine.read_text() or "operations/old-staging-cluster.md" in live
