"""Commit what a sync wrote into a git working tree: one commit, which names each dream with its summary."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from shared.core.dream.model import Dream
from shared.core.dream.summary import render_summary
from shared.core.errors import BadInputError


def check_working_tree(root: Path) -> None:
    """Raise BadInputError if a folder is in no git working tree."""
    nearest = next(folder for folder in (root, *root.parents) if folder.is_dir())
    if _ask(nearest, "rev-parse", "--is-inside-work-tree").stdout.strip() != "true":
        raise BadInputError(f"{root} is in no git working tree: --commit has nothing to commit to")


def commit_files(root: Path, written: Sequence[str], removed: Sequence[str], message: str) -> str:
    """Commit these files and nothing else; return the commit's short hash, or an empty text if git ignores them all.

    Raises:
        BadInputError: git refuses; the files stay as they are.
    """
    ignored = set(_ask(root, "check-ignore", "-z", "--stdin", paths=written).stdout.split("\0"))
    wanted = [path for path in (*written, *removed) if path not in ignored]
    _git(root, "update-index", "--add", "--remove", "-z", "--stdin", paths=wanted)
    staged = set(_git(root, "diff", "--cached", "--name-only", "-z", "--relative").split("\0"))
    changed = [path for path in wanted if path in staged]
    if not changed:
        return ""
    _git(root, "commit", "-q", "-m", message, "--only", "--pathspec-from-file=-", "--pathspec-file-nul", paths=changed)
    return _git(root, "rev-parse", "--short", "HEAD").strip()


def write_message(where: str, count: int, dreams: Sequence[Dream]) -> str:
    """Return the message of a commit: how many files, from which store, and the summary of each dream that wrote them."""
    subject = f"Sync {count} {'memory' if count == 1 else 'memories'} from {where}"
    return "\n\n".join([subject, *(render_summary(dream) for dream in dreams)])


def _git(root: Path, *words: str, paths: Sequence[str] = ()) -> str:
    asked = _ask(root, *words, paths=paths)
    if asked.returncode:
        said = (asked.stderr or asked.stdout).strip().replace("\n", " ")
        raise BadInputError(f"The files are written, but git {words[0]} failed in {root}: {said}")
    return asked.stdout


def _ask(root: Path, *words: str, paths: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - constants; paths come on standard input
            ["git", "-C", str(root), *words],  # noqa: S607 - the git of the user
            input="\0".join(paths),
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "GIT_LITERAL_PATHSPECS": "1"},
        )
    except FileNotFoundError as error:
        raise BadInputError("There is no git on this machine") from error
