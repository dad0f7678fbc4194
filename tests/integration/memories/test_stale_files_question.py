"""An export over an older one asks before it removes a file whose memory is gone, and takes no for an answer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import Result

from gateway.cli.memories import files
from shared.all_ports import Ports
from shared.core.memory.model import MemoryState
from shared.ports.memories import MemoryWrite
from tests.support.builders import write


def supersede(ports: Ports, tenant: str, path: str, by: str) -> None:
    """Retire a memory as a merge does with its sources."""
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get("default").id)
        found = memories.find_by_paths([path, by])
        old = found[path]
        gone = replace(old, state=MemoryState.SUPERSEDED, superseded_by=found[by].id, version=old.version + 1)
        memories.write([MemoryWrite(memory=gone, change="supersede")])


def test_a_person_at_a_terminal_is_shown_the_stale_files_and_decides(
    ports: Ports, tenant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: Callable[..., Result]
) -> None:
    write(ports, tenant, {"api/auth.md": "# Auth\n", "api/oauth.md": "# OAuth\n"})
    monkeypatch.setattr(files, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))

    def export(answer: str = "") -> str:
        done = command_line("export", str(tmp_path), "--tenant", tenant, "--force", typed=answer)
        assert done.exit_code == 0, done.output
        return done.output

    assert "Remove them?" not in export()
    supersede(ports, tenant, "api/oauth.md", by="api/auth.md")
    asked = export("n\n")
    assert "  api/oauth.md\n" in asked
    assert "Remove them?" in asked
    assert (tmp_path / "api/oauth.md").exists()
    assert "1 removed" in export("y\n")
    assert [path.name for path in (tmp_path / "api").iterdir()] == ["auth.md"]
