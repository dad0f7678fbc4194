"""Killed holders, killed servers, taken ports: the next start makes the servers whole again, with their data."""

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from shared.adapters.embedded import postgres
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.processes import wait_until
from shared.adapters.embedded.servers import find_running, running_servers
from tests.integration.operations.embedded_support import (
    connect,
    find_all_processes,
    find_server_pids,
    holding,
    kill_servers,
    read_both,
    temporary_data_dir,
    write_both,
)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with temporary_data_dir() as directory:
        yield directory


def read_port(endpoints: Endpoints) -> int:
    found = re.search(r"@127\.0\.0\.1:(\d+)/", endpoints.redis_url)
    assert found
    return int(found[1])


def test_the_servers_of_a_killed_holder_are_adopted_and_stopped_by_the_next(data_dir: Path) -> None:
    with holding(data_dir) as victim:
        before = victim.wait_for_endpoints()
        write_both(before, "kept")
        victim.kill()
    pids = find_server_pids(data_dir)
    assert find_running(data_dir) == before
    with running_servers(data_dir, durable=False) as endpoints:
        assert find_server_pids(data_dir) == pids
        assert endpoints == before
        assert read_both(endpoints) == ("kept", "kept")
    assert find_all_processes(data_dir) == []


def test_a_killed_holder_and_killed_servers_leave_nothing_that_blocks_a_start(data_dir: Path) -> None:
    with holding(data_dir) as victim:
        write_both(victim.wait_for_endpoints(), "kept")
        victim.kill()
    kill_servers(data_dir)
    assert (data_dir / "servers.json").exists()
    assert (data_dir / "postgres" / "postmaster.pid").exists()
    assert find_running(data_dir) is None
    with running_servers(data_dir, durable=False) as endpoints:
        assert read_both(endpoints) == ("kept", "kept")


@pytest.mark.thorough
def test_a_holder_that_outlives_its_servers_finds_them_where_they_were(data_dir: Path) -> None:
    with running_servers(data_dir) as before:
        write_both(before, "kept")
        with connect(before) as orphan:
            kill_servers(data_dir)
            with running_servers(data_dir) as after:
                assert after == before
                assert read_both(before) == ("kept", "kept")
                with pytest.raises(psycopg.OperationalError):
                    orphan.execute("SELECT 1")


@pytest.mark.thorough
def test_a_postgres_that_was_told_to_stop_and_waits_for_a_client_is_started_anew(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "START_TIMEOUT_SECONDS", 3600)  # waiting for it would take this long
    with running_servers(data_dir, durable=False) as before:
        write_both(before, "kept")
        with connect(before) as client:
            os.kill(int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0]), signal.SIGTERM)
            assert wait_until(lambda: find_running(data_dir) is None, 20)
            assert client.execute("SELECT 1").fetchone() == (1,)  # what it waits for
            with running_servers(data_dir, durable=False) as after:
                assert after == before
                assert read_both(after) == ("kept", "kept")


@pytest.mark.thorough
def test_unrecorded_servers_are_replaced_and_keep_their_data(data_dir: Path) -> None:
    with holding(data_dir) as victim:
        write_both(victim.wait_for_endpoints(), "kept")
        victim.kill()
    (data_dir / "servers.json").unlink()
    with running_servers(data_dir) as endpoints:
        assert len(find_server_pids(data_dir)) == 2
        assert read_both(endpoints) == ("kept", "kept")
        with connect(endpoints) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("on",)


@pytest.mark.thorough
def test_a_half_written_state_file_is_as_good_as_none(data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "servers.json").write_text('{"durable": tr')
    assert find_running(data_dir) is None
    with running_servers(data_dir, durable=False) as endpoints:
        assert find_running(data_dir) == endpoints


@pytest.mark.thorough
def test_a_half_created_cluster_is_created_again(data_dir: Path) -> None:
    draft = data_dir / "postgres.new-killed"
    draft.mkdir(parents=True)
    (draft / "PG_VERSION").write_text("18\n")
    with running_servers(data_dir, durable=False) as endpoints, connect(endpoints) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not draft.exists()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "milestone", ["servers.lock", "postgres.new-*/PG_VERSION", "postgres/postmaster.pid", "valkey"]
)
def test_a_holder_that_is_killed_while_it_starts_them_does_no_harm(data_dir: Path, milestone: str) -> None:
    with holding(data_dir) as victim:
        assert wait_until(lambda: any(data_dir.glob(milestone)), 60)
        victim.kill()
    with running_servers(data_dir, durable=False) as endpoints:
        write_both(endpoints, "kept")
        assert len(find_server_pids(data_dir)) == 2
        assert read_both(endpoints) == ("kept", "kept")


@pytest.mark.thorough
def test_a_stale_pid_that_now_is_another_directorys_server_does_not_block_a_start(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False):
        pass
    with temporary_data_dir() as other_dir, running_servers(other_dir, durable=False):
        lines = (other_dir / "postgres" / "postmaster.pid").read_text().splitlines()
        lines[1] = str(data_dir / "postgres")
        stale = data_dir / "postgres" / "postmaster.pid"
        stale.write_text("\n".join(lines) + "\n")
        owner = stale.parent.stat()
        os.chown(stale, owner.st_uid, owner.st_gid)
        with running_servers(data_dir, durable=False) as endpoints, connect(endpoints) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert find_running(other_dir) is not None


@pytest.mark.thorough
def test_a_port_that_was_taken_in_between_is_replaced_together_with_the_password(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False) as before:
        write_both(before, "kept")
    with socket.socket() as thief:
        thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        thief.bind(("127.0.0.1", read_port(before)))
        thief.listen()
        with running_servers(data_dir, durable=False) as after:
            assert read_port(after) != read_port(before)
            assert after.redis_url.split("@")[0] != before.redis_url.split("@")[0]
            assert read_both(after) == ("kept", "kept")


def test_a_body_that_fails_still_stops_the_servers(data_dir: Path) -> None:
    with pytest.raises(ZeroDivisionError), running_servers(data_dir, durable=False):
        _ = 1 / 0
    assert find_all_processes(data_dir) == []


@pytest.mark.thorough
def test_servers_whose_files_were_removed_still_stop(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False):
        (data_dir / "servers.json").unlink()
        (data_dir / "postgres" / "postmaster.pid").unlink()
        (data_dir / "valkey" / "valkey.conf").unlink()
    assert find_all_processes(data_dir) == []
