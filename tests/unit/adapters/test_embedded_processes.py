"""A server of slowwave's own is known by its pid, its name, its user and the marker in its title, all four."""

import os

import psutil

from shared.adapters.embedded.processes import find_process, find_processes


def test_a_process_is_found_by_its_pid_as_it_is_among_all() -> None:
    this = psutil.Process()
    name, marker, uid = this.name(), this.cmdline()[0], os.getuid()
    assert find_process(this.pid, name, marker, uid) == this
    assert this in find_processes(name, marker, uid)


def test_a_process_with_only_the_pid_of_a_server_is_not_taken_for_it() -> None:
    """The pid file of a server that was killed may name any other process by now."""
    this = psutil.Process()
    name, marker, uid = this.name(), this.cmdline()[0], os.getuid()
    assert find_process(this.pid, "postgres-of-old", marker, uid) is None
    assert find_process(this.pid, name, "slowwave-of-another-directory", uid) is None
    assert find_process(this.pid, name, marker, uid + 1) is None
    assert find_process(-this.pid, name, marker, uid) is None
