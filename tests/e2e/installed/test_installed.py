"""slowwave as an installed package, in an environment and a home of its own, far from the checkout."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.release import build
from tests.e2e.workers.worker_support import ROOT, eventually

pytestmark = pytest.mark.thorough


class Installed:
    """Runs programs of an environment into which the wheel is installed, as a user with an empty home."""

    def __init__(self, environment: Path, home: Path) -> None:
        self.bin, self.home = environment / "bin", home
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        self.variables = {
            **kept,
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, program: str, *arguments: str, expect: int = 0, folder: str = "") -> str:
        """Run a program, in a folder of the user's home, and return what it says."""
        ran = subprocess.run(
            [self.bin / program, *arguments],
            cwd=self.home / folder, env=self.variables, capture_output=True, text=True, check=False, timeout=170,
        )  # fmt: skip
        assert ran.returncode == expect, ran.stdout + ran.stderr
        assert "Traceback" not in ran.stdout + ran.stderr
        return ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def installed() -> Iterator[Installed]:
    """Build the wheel from this checkout and install it, with the locked versions of what it needs."""
    with tempfile.TemporaryDirectory(prefix="slowwave-installed-") as folder:
        environment, home, packages = (Path(folder, name) for name in ("env", "home", "dist"))
        (home / "notes").mkdir(parents=True)
        (home / "notes" / "a.md").write_text("# Rates\n\nLive keys get 600 calls a minute.\n")
        Path(folder).chmod(0o755)  # as root, PostgreSQL runs as another user
        build(ROOT, packages)
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "-q", "--python", sys.executable, environment], check=True, timeout=60)
        into = ["pip", "install", "-q", "--python", str(environment / "bin" / "python")]
        wheel = next(packages.glob("*.whl"))
        subprocess.run([*uv, *into, wheel, "-c", ROOT / "requirements.lock"], check=True, timeout=170)
        yield Installed(environment, home)


def test_its_version_names_the_commit_and_its_day(installed: Installed) -> None:
    asked = subprocess.run(
        ["git", "-C", ROOT, "log", "-1", "--format=commit %h of %cs", "--abbrev=8"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert asked.stdout.strip() in installed.run("slowwave", "--version")


def test_it_has_each_extra_that_a_page_names(installed: Installed) -> None:
    told = "from importlib.metadata import metadata; print(*metadata('slowwave').get_all('Provides-Extra'))"
    extras = set(installed.run("python", "-c", told).split())
    pages = [path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")]]
    assert {name for text in pages for name in re.findall(r"slowwave\[(\w+)\]", text)} <= extras
    rows = next(text for text in pages if text.startswith("# Install")).splitlines()
    named = next(line for line in rows if "slowwave[" in line)
    assert [name for name in extras if name not in named] == []


def test_its_demo_is_a_real_dream_and_names_commands_as_they_are_called_there(installed: Installed) -> None:
    assert "import" in installed.run("slowwave", "--help")
    said = installed.run("slowwave", "demo")
    assert "byte for byte" in said
    assert "slowwave import DIR" in said
    assert "./slowwave" not in said


def test_every_command_uses_one_database_wherever_it_is_called(installed: Installed) -> None:
    assert "migrated" in installed.run("slowwave", "migrate")
    installed.run("slowwave", "import", "notes", "--tenant", "here")
    assert "a.md" in installed.run("slowwave", "memory", "list", "here", folder="notes")
    assert [one.name for one in (installed.home / "notes").iterdir()] == ["a.md"]


def test_a_project_of_claude_code_dreams_and_its_approved_changes_are_back_in_its_folder(installed: Installed) -> None:
    project = installed.home / "shop"
    project.mkdir()
    subprocess.run(["git", "init", "-q", project], check=True)
    memories = _lay_project(installed.home / ".claude" / "projects" / "-home-ann-shop", project)
    before = memories.read_text()
    readme = (ROOT / "README.md").read_text()
    commands = [
        "slowwave connect claude-code --tenant acme",
        "slowwave dream acme/shop --force",
        "slowwave review approve acme/shop --all",
        "slowwave connect claude-code --tenant acme",
    ]
    assert "\n".join(commands) in readme
    for command in commands:
        assert memories.read_text() == before
        installed.run(*command.split(), *(["--yes"] if "--all" in command else []))
    after = memories.read_text()
    assert "Payments does not own the refund policy" in after
    assert after.index("## Superseded") < after.index("Payments owns the refund policy")
    kept = memories.with_name("notes") / "invoices-are-archived-after-90-days.md"
    assert "Invoices are archived after 90 days" in kept.read_text()
    assert str(kept.relative_to(memories.parent)) in memories.with_name("MEMORY.md").read_text()


def _lay_project(folder: Path, project: Path) -> Path:
    """Write what Claude Code keeps of a project: notes, their index, and the transcript of one session."""
    notes = folder / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("- [Payments](payments.md): who does what\n")
    (notes / "payments.md").write_text(
        "---\nname: payments\ntype: project\n---\n\n# Payments\n\nThe API listens on port 8443.\nPayments owns the refund policy.\n"
    )
    said = (
        "Remember that invoices are archived after 90 days.",
        "No, that's wrong: Payments does not own the refund policy, Support does.",
    )
    lines = (
        {"type": "user", "sessionId": "s1", "uuid": f"u{at}", "timestamp": f"2026-11-25T10:0{at}:00Z", "cwd": str(project),
         "message": {"role": "user", "content": text}}
        for at, text in enumerate(said)
    )  # fmt: skip
    (folder / "s1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return notes / "payments.md"


def test_up_runs_worker_beat_and_api_and_ctrl_c_ends_them(installed: Installed) -> None:
    log = installed.home / "up.log"
    with log.open("wb") as file:
        up = subprocess.Popen(
            [installed.bin / "slowwave", "up"],
            cwd=installed.home, env=installed.variables, stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        eventually(lambda: "Ctrl-C stops everything" in log.read_text() or up.poll() is not None, "up")
        installed.run("slowwave", "import", "notes", "--tenant", "acme")
        assert "Dream" in installed.run("slowwave", "dream", "acme", "--force")
        assert "alive" in installed.run("python", "-m", "gateway.cli", "probe", "worker")
        assert "forced on" in installed.run("slowwave", "doctor")
    finally:
        up.send_signal(signal.SIGINT)
        assert up.wait(timeout=60) == 0, log.read_text()


def test_the_modules_that_services_start_are_there(installed: Installed) -> None:
    assert "worker, beat, flower" in installed.run("python", "-m", "deploy.entry", expect=2)
    runbook = "import deploy, pathlib; print(*pathlib.Path(deploy.__file__).with_name('runbooks').glob('*.md'))"
    assert "dream-stuck.md" in installed.run("python", "-c", runbook)
