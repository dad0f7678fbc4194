"""A made-up home folder with projects of Claude Code."""

import json
import re
from pathlib import Path

SETTINGS = '{\n    "theme": "dark", // mine\n    "hooks": {"Stop": []}\n}\n'
CLAUDE = '{"numStartups":3,"mcpServers":{"other":{"command":"x"}}}'


def a_project(
    home: Path, folder: Path, memories: dict[str, str], said: str, *, session: str = "s1", branch: str = "main"
) -> Path:
    """Make the folder that Claude Code keeps of a project, with its memories and one session; return it."""
    kept = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(folder))
    for name, text in memories.items():
        (kept / "memory" / name).parent.mkdir(parents=True, exist_ok=True)
        (kept / "memory" / name).write_text(text)
    kept.mkdir(parents=True, exist_ok=True)
    line = {
        "type": "user", "sessionId": session, "uuid": f"{session}-1", "cwd": str(folder), "gitBranch": branch,
        "timestamp": "2026-03-05T10:00:00Z", "message": {"role": "user", "content": said},
    }  # fmt: skip
    (kept / f"{session}.jsonl").write_text(json.dumps(line) + "\n")
    return kept


def a_repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


def a_worktree(repository: Path, folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {repository}/.git/worktrees/{folder.name}\n")
    return folder


def configure(home: Path) -> dict[Path, bytes]:
    """Write the configuration that a person has; return its bytes."""
    files = {home / ".claude.json": CLAUDE, home / ".claude" / "settings.json": SETTINGS}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {path: path.read_bytes() for path in files}
