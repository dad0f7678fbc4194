"""Real PostgreSQL and Valkey from wheels: started, shared, protected and stopped."""

import json
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError
from redis.retry import Retry

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.processes import find_start_mark
from shared.adapters.embedded.servers import find_running, running_servers
from shared.core.errors import ConflictError, PermanentError
from tests.integration.operations.embedded_support import (
    CAN_BECOME_ANOTHER,
    connect,
    find_all_processes,
    find_server_pids,
    holding,
    read_both,
    temporary_data_dir,
    write_both,
)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with temporary_data_dir() as directory:
        yield directory


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Path, Endpoints]]:
    """A data directory whose servers run, for tests that only look at them."""
    with temporary_data_dir() as directory, running_servers(directory, durable=False) as endpoints:
        yield directory, endpoints


def test_both_servers_start_durable_and_take_connections(data_dir: Path) -> None:
    with running_servers(data_dir) as endpoints:
        assert find_running(data_dir) == endpoints
        with connect(endpoints) as connection:
            assert connection.execute("SELECT current_user, current_database()").fetchone() == ("postgres", "slowwave")
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                assert connection.execute(f"SHOW {setting}").fetchone() == ("on",)
        with Redis.from_url(endpoints.redis_url, decode_responses=True) as client:
            wanted = {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}
            assert client.config_get(*wanted) == wanted
    assert find_running(data_dir) is None
    assert find_all_processes(data_dir) == []


@pytest.mark.thorough
def test_the_application_logs_in_through_sqlalchemy_once_its_role_exists(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False) as endpoints:
        with connect(endpoints) as connection:
            connection.execute("CREATE ROLE slowwave_app LOGIN")
        engine = sqlalchemy.create_engine(endpoints.database_url)
        with engine.connect() as app:
            assert app.execute(sqlalchemy.text("SELECT current_user")).scalar() == "slowwave_app"
        engine.dispose()


def test_data_survives_a_restart(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False) as endpoints:
        write_both(endpoints, "first night")
    with running_servers(data_dir, durable=False) as endpoints:
        assert read_both(endpoints) == ("first night", "first night")


@pytest.mark.thorough
def test_two_data_directories_run_side_by_side(data_dir: Path) -> None:
    with (
        temporary_data_dir() as other_dir,
        running_servers(data_dir, durable=False) as one,
        running_servers(other_dir, durable=False) as other,
    ):
        write_both(one, "one")
        write_both(other, "other")
        assert read_both(one) == ("one", "one")
        assert read_both(other) == ("other", "other")


def test_a_second_process_shares_the_servers_and_the_last_one_stops_them(data_dir: Path) -> None:
    with holding(data_dir) as other:
        with running_servers(data_dir, durable=False) as endpoints:
            assert other.wait_for_endpoints() == endpoints
            pids = find_server_pids(data_dir)
            assert len(pids) == 2
        assert find_server_pids(data_dir) == pids
        assert find_running(data_dir) == endpoints
        other.leave()
    assert find_all_processes(data_dir) == []


@pytest.mark.thorough
def test_two_uses_within_one_process_count_twice(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False) as outer:
        with running_servers(data_dir, durable=False) as inner:
            assert inner == outer
        assert find_running(data_dir) == outer


@pytest.mark.thorough
def test_processes_that_start_at_the_same_moment_agree_on_one_pair_of_servers(data_dir: Path) -> None:
    with holding(data_dir) as one, holding(data_dir) as two, holding(data_dir) as three:
        assert len({holder.wait_for_endpoints().redis_url for holder in (one, two, three)}) == 1
        assert len(find_server_pids(data_dir)) == 2
        for holder in (one, two, three):
            holder.leave()


@pytest.mark.thorough
def test_a_holder_whose_pid_now_belongs_to_another_process_does_not_count(data_dir: Path) -> None:
    with running_servers(data_dir, durable=False):
        file = data_dir / "servers.json"
        state = json.loads(file.read_text())
        mark = find_start_mark(1)
        assert mark is not None
        state["holders"].append({"pid": 1, "born": f"not {mark}", "token": "crashed long ago"})
        file.write_text(json.dumps(state))
    assert find_all_processes(data_dir) == []


@pytest.mark.thorough
def test_durability_is_refused_while_others_run_without_it(data_dir: Path) -> None:
    with (
        running_servers(data_dir, durable=False),
        pytest.raises(ConflictError, match=str(os.getpid())),
        running_servers(data_dir),
    ):
        pass


def test_valkey_refuses_a_wrong_password_and_none(running: tuple[Path, Endpoints]) -> None:
    _, endpoints = running
    with Redis.from_url(endpoints.redis_url) as client:
        port = client.connection_pool.connection_kwargs["port"]
    for password in ("wrong", None):
        once = Retry(NoBackoff(), 0)  # redis-py takes a refused password for a connection that may recover
        with Redis(port=port, password=password, retry=once) as stranger, pytest.raises(AuthenticationError):
            stranger.ping()


def test_the_password_is_on_no_command_line_and_in_no_file_that_others_can_read(
    running: tuple[Path, Endpoints],
) -> None:
    data_dir, endpoints = running
    password = endpoints.redis_url.split(":")[2].split("@")[0].encode()
    assert password.decode() not in repr(endpoints)
    processes = find_all_processes(data_dir)
    assert len(processes) > 2
    for process in processes:
        for source in ("cmdline", "environ"):
            assert password not in Path(f"/proc/{process.pid}/{source}").read_bytes()
    holding_it = [file for file in data_dir.rglob("*") if file.is_file() and password in file.read_bytes()]
    assert {file.name for file in holding_it} == {"servers.json", "valkey.conf"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in holding_it} == {0o600}


def test_the_servers_are_out_of_reach_of_the_terminals_ctrl_c(running: tuple[Path, Endpoints]) -> None:
    data_dir, _ = running
    own = {os.getsid(0)}
    assert own.isdisjoint(os.getsid(process.pid) for process in find_all_processes(data_dir))


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", ["deep/" * 30 + "data", "with, comma 'quote' \"quotes\" $HOME `and` ünïcode %41"])
def test_paths_that_a_socket_or_a_shell_would_stumble_over_work(suffix: str) -> None:
    with temporary_data_dir(suffix) as data_dir, running_servers(data_dir, durable=False) as endpoints:
        write_both(endpoints, "reached")
        assert read_both(endpoints) == ("reached", "reached")
        engine = sqlalchemy.create_engine(endpoints.owner_database_url)
        with engine.connect() as connection:
            assert connection.execute(sqlalchemy.text("SELECT text FROM kept")).scalar() == "reached"
        engine.dispose()


@pytest.mark.thorough
@pytest.mark.skipif(not CAN_BECOME_ANOTHER, reason="already not root: every other test covers it")
def test_a_user_without_privileges_runs_its_own_servers(data_dir: Path) -> None:
    unprivileged = pwd.getpwuid(65534)
    data_dir.mkdir()
    os.chown(data_dir, unprivileged.pw_uid, unprivileged.pw_uid)
    with holding(data_dir, str(unprivileged.pw_uid)) as holder:
        holder.wait_for_endpoints()
        assert {process.uids().real for process in find_all_processes(data_dir)} == {unprivileged.pw_uid}
        holder.leave()


@pytest.mark.skipif(not CAN_BECOME_ANOTHER, reason="only root's PostgreSQL runs as another user")
def test_a_parent_that_the_server_cannot_enter_is_named_and_left_closed(data_dir: Path) -> None:
    closed = data_dir.parent / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(PermanentError, match=f"chmod o\\+x {closed}`"), running_servers(closed / "data"):
        pass
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_a_data_directory_that_is_a_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("kept")
    for place in (file, file / "below"):
        with pytest.raises(PermanentError, match=r"cannot be used \(.*SLOWWAVE_DATA_DIR"), running_servers(place):
            pass
    assert file.read_text() == "kept"


def test_the_unix_socket_is_the_only_way_to_postgres(running: tuple[Path, Endpoints]) -> None:
    data_dir, endpoints = running
    with connect(endpoints) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    assert stat.S_IMODE((data_dir / "postgres").stat().st_mode) == 0o700
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect("postgresql://postgres@127.0.0.1/slowwave", connect_timeout=5)
