"""Processor seconds and memory of what a benchmark started, as the kernel counts them (/proc)."""

from collections.abc import Sequence
from pathlib import Path

import psutil


def find_servers(data_dir: Path) -> dict[str, list[psutil.Process]]:
    """Return the first process of each embedded server of a data directory, which they work in, by the server's name."""
    found: dict[str, list[psutil.Process]] = {}
    for name in ("postgres", "valkey"):
        home = (data_dir / name).resolve()
        inside = [process for process in psutil.process_iter() if _works_in(process, home)]
        oldest = min(inside, key=lambda process: process.create_time(), default=None)
        found[name] = [oldest] if oldest is not None else []
    return found


def used_seconds(roots: Sequence[psutil.Process]) -> float:
    """Return the processor seconds, user and system, of these processes and their children, ended ones among them."""
    return sum(_used_by(process) for root in roots for process in [root, *root.children(recursive=True)])


def memory_mb(roots: Sequence[psutil.Process]) -> float:
    """Return the proportional set size of processes and their children: shared pages count once."""
    everyone = [process for root in roots for process in [root, *root.children(recursive=True)]]
    return sum(process.memory_full_info().pss for process in everyone) / 1024 / 1024


def _used_by(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0  # it has ended meanwhile: its parent counts it from now on
    return float(times.user + times.system + times.children_user + times.children_system)


def _works_in(process: psutil.Process, home: Path) -> bool:
    try:
        return home in (Path(process.cwd()), *Path(process.cwd()).parents)
    except (psutil.Error, OSError):
        return False
