"""Debian's pgbouncer in transaction mode before the tests' PostgreSQL."""

import shutil

import pytest

from benchmarks.support.pgbouncer import behind_pgbouncer

__all__ = ["behind_pgbouncer", "skip_without_pgbouncer"]


def skip_without_pgbouncer() -> None:
    """Skip the test with the reason when there is no pgbouncer here."""
    if shutil.which("pgbouncer") is None:
        pytest.skip("pgbouncer is not installed here (Debian: apt-get install pgbouncer)")
