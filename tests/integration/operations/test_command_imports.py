"""A command that ends soon imports what it uses; a process that stays imports the rest before its first request."""

import os
import subprocess
import sys
from pathlib import Path

from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.settings import Settings
from tests.architecture.sources import ROOT
from tests.support.builders import a_store, run_dream, write

_STATUS = """
import sys
from gateway.cli.main import main
for tenant in sys.argv[1:]:
    sys.argv = ["slowwave", "status", tenant]
    assert main() == 0
    print(*sys.modules, file=sys.stderr)
"""
_SERVER = """
import sys
from shared.bootstrap import make_ports
from shared.settings import load_settings
ports = make_ports(load_settings())
print(*sys.modules, file=sys.stderr)
ports.close()
"""
_QUIET = """
import sys
from shared.logger import configure_cli_logging, get_logger
{early}
configure_cli_logging(is_debugging={debugging})
get_logger().warning("said")
"""
#: Of no use to `status`, and slow to import: its own start took a second with them.
UNUSED = (
    "alembic",
    "anthropic",
    "celery",
    "fastapi",
    "httpx",
    "pygments",
    "rapidfuzz",
    "redis",
    "structlog",
    "tantivy",
    "ulid",
    # A type of each stands in an annotation that `status` never looks at.
    "shared.core.dream.phase_catalog",
    "shared.ports.llm",
    "shared.ports.memories",
    "shared.ports.webhooks",
)
#: Of no use to `status` either where a store is quiet, and it asks the phases whether time has left a dream something to do.
UNUSED_BY_DUE_RULES = (
    "celery",
    "tantivy",
    "yaml",
    "shared.core.questions.question",
    "workers.phase.shape",
)
REPOSITORIES = ROOT / "shared" / "adapters" / "postgres"


def run(code: str, *arguments: str, settings: Settings | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=os.environ | (environment_of(settings) if settings else {}),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def test_status_imports_no_library_and_no_table_that_it_does_not_use(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    quiet = f"{tenant}-quiet"
    a_store(ports, quiet)
    write(ports, quiet, {"a.md": "One note."})
    run_dream(ports, quiet)
    ran = run(_STATUS, tenant, quiet, settings=ports.settings)
    imported, by_quiet = (set(line.split()) for line in ran.stderr.splitlines())
    tables = {name.rpartition(".")[2] for name in imported if name.startswith("shared.adapters.postgres.tables.")}
    assert tables == {"dreams", "mapping", "stores", "table_row"}
    assert imported & {*UNUSED, "shared.adapters.postgres.repositories"} == set()
    assert "workers.phases.prune.due" in by_quiet
    assert by_quiet & set(UNUSED_BY_DUE_RULES) == set()


def test_a_process_that_stays_has_every_repository_from_the_start(settings: Settings) -> None:
    imported = set(run(_SERVER, settings=settings).stderr.split())
    nouns = ("dreams", "memories", "sessions", "tenants", "webhooks")
    files = [file for noun in nouns for file in (REPOSITORIES / noun).glob("*.py") if file.stem != "__init__"]
    assert {_module(file) for file in files} - imported == set()


def test_the_log_stays_out_of_a_commands_output_whenever_structlog_is_imported() -> None:
    for early in ("", "import structlog"):
        quiet = run(_QUIET.format(early=early, debugging=False))
        assert quiet.stdout + quiet.stderr == ""
        loud = run(_QUIET.format(early=early, debugging=True))
        assert (loud.stdout, "said" in loud.stderr) == ("", True)


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)
