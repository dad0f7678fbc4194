"""A whole slowwave on this machine, run by its own `up`, and the ways in which it is hurt."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import redis

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.servers import find_running
from tests.support.servers import plain_url

ROOT = Path(__file__).parents[2]
_QUICK = {
    "SLOWWAVE_LEASE_SECONDS": "3",
    "SLOWWAVE_HEARTBEAT_SECONDS": "0.5",
    "SLOWWAVE_SWEEP_SECONDS": "1",
    "SLOWWAVE_RECONCILE_SECONDS": "1",
    "SLOWWAVE_MAX_RESCUES": "50",
    "SLOWWAVE_WORKER_CONCURRENCY": "3",
}


class System:
    """`slowwave up` over a data directory."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self._said = data_dir.parent / f"{data_dir.name}-up.log"
        self._log = self._said.open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.quick_up", "up", "--no-flower"],
            cwd=ROOT,
            env=os.environ | _QUICK | {"SLOWWAVE_DATA_DIR": str(data_dir)},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def endpoints(self) -> Endpoints | None:
        return find_running(self.data_dir)

    def children(self, name: str) -> list[psutil.Process]:
        """The processes of a program, the main one first. Celery renames its processes, so the parent tells."""
        found = []
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.Error):
                line = " ".join(child.cmdline())
                is_beat = "scheduler.app" in line or " beat" in line or "beat" in child.name()
                if ("beat" if is_beat else "worker") == name and "celery" in line:
                    found += [child, *child.children()]
        return found

    def assert_up(self) -> None:
        """Whatever is killed, `up` itself stays: it is what starts the others again."""
        code = self.process.poll()
        assert code is None, f"slowwave up ended by itself with {code}: {self._said.read_text()[-2000:]}"

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(timeout=90)
        finally:
            self._log.close()
        return code


@contextmanager
def a_system(data_dir: Path) -> Iterator[System]:
    """A running system that is stopped at the end, whatever happened to it."""
    system = System(data_dir)
    try:
        yield system
    finally:
        if system.process.poll() is None:
            system.stop()


def _kill(processes: list[psutil.Process], number: int) -> bool:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(number)
    return bool(processes)


def _pause(process: psutil.Process, seconds: float) -> bool:
    with contextlib.suppress(psutil.Error):
        process.suspend()
        threading.Timer(seconds, lambda: _resume(process)).start()
        return True
    return False


def _resume(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error):
        process.resume()


def _pid_of_postgres(system: System) -> int | None:
    file = system.data_dir / "postgres" / "postmaster.pid"
    return int(file.read_text().splitlines()[0]) if file.exists() else None


def kill_worker(system: System, _: random.Random) -> bool:
    return _kill(system.children("worker"), signal.SIGKILL)


def kill_worker_child(system: System, chance: random.Random) -> bool:
    found = system.children("worker")[-1:]  # a child of prefork, or the worker itself
    return _kill([chance.choice(found)], signal.SIGKILL) if found else False


def pause_worker_child(system: System, chance: random.Random) -> bool:
    found = system.children("worker")[-1:]
    return _pause(chance.choice(found), chance.uniform(0.5, 6.0)) if found else False


def stop_worker_gently(system: System, _: random.Random) -> bool:
    return _kill(system.children("worker")[:1], signal.SIGTERM)


def kill_beat(system: System, _: random.Random) -> bool:
    return _kill(system.children("beat"), signal.SIGKILL)


def stop_beat_gently(system: System, _: random.Random) -> bool:
    return _kill(system.children("beat")[:1], signal.SIGTERM)


def pause_beat(system: System, chance: random.Random) -> bool:
    return any(_pause(process, chance.uniform(0.5, 6.0)) for process in system.children("beat")[:1])


def _broker(system: System) -> list[psutil.Process]:
    return [process for process in psutil.process_iter(["cmdline"]) if _is_valkey(process, system.data_dir)]


def kill_broker(system: System, _: random.Random) -> bool:
    return _kill(_broker(system), signal.SIGKILL)


def stop_broker_gently(system: System, _: random.Random) -> bool:
    return _kill(_broker(system), signal.SIGTERM)


def pause_broker(system: System, chance: random.Random) -> bool:
    return any(_pause(process, chance.uniform(0.5, 6.0)) for process in _broker(system)[:1])


def _is_valkey(process: psutil.Process, data_dir: Path) -> bool:
    with contextlib.suppress(psutil.Error):
        return "valkey" in process.name() and Path(process.cwd()).is_relative_to(data_dir)
    return False


def flush_broker(system: System, _: random.Random) -> bool:
    endpoints = system.endpoints()
    if endpoints is None:
        return False
    with contextlib.suppress(redis.RedisError), redis.Redis.from_url(endpoints.redis_url) as client:
        client.flushall()
        return True
    return False


def _postmaster(system: System) -> list[psutil.Process]:
    pid = _pid_of_postgres(system)
    with contextlib.suppress(psutil.NoSuchProcess):
        return [psutil.Process(pid)] if pid else []
    return []


def kill_database(system: System, _: random.Random) -> bool:
    return _kill(_postmaster(system), signal.SIGKILL)


def stop_database_gently(system: System, _: random.Random) -> bool:
    """It takes no new connection and waits for the open ones: until `up` notices and restarts it."""
    return _kill(_postmaster(system), signal.SIGTERM)


def pause_database(system: System, chance: random.Random) -> bool:
    """The postmaster and every process of it stand still at once."""
    seconds = chance.uniform(0.5, 6.0)
    with contextlib.suppress(psutil.NoSuchProcess):
        found = [p for main in _postmaster(system) for p in [main, *main.children()]]
        return any([_pause(process, seconds) for process in found])  # noqa: C419 - all of them, not until the first
    return False


def drop_connections(system: System, _: random.Random) -> bool:
    endpoints = system.endpoints()
    if endpoints is None:
        return False
    with contextlib.suppress(psycopg.Error), psycopg.connect(plain_url(endpoints.owner_database_url)) as owner:
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'slowwave_app'")
        return True
    return False


FAULTS: tuple[Callable[[System, random.Random], bool], ...] = (
    kill_worker,
    kill_worker_child,
    kill_worker_child,
    pause_worker_child,
    pause_worker_child,
    stop_worker_gently,
    kill_beat,
    stop_beat_gently,
    pause_beat,
    kill_broker,
    stop_broker_gently,
    pause_broker,
    flush_broker,
    kill_database,
    stop_database_gently,
    pause_database,
    drop_connections,
    drop_connections,
)


def wait_for_endpoints(system: System, seconds: float = 60.0) -> Endpoints:
    """The servers' addresses, as soon as both answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = system.endpoints()
        if found is not None:
            return found
        time.sleep(0.1)
    message = "the servers did not come back"
    raise AssertionError(message)
