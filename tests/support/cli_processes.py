"""Commands in processes of their own that need not import anything: forks of one process that has.

A command spends a second of processor time on imports before it does its work, and tests run hundreds of commands.
Each still gets its own arguments, environment, output and exit code, and leaves nothing behind in this process.
"""

import atexit
import functools
import importlib
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import gateway
import shared
import workers

ROOT = Path(__file__).parents[2]
_MAIN = "import sys; from tests.support.cli_processes import serve; serve(sys.stdin, sys.stdout)"
#: Modules that commands without a server leave out: they take long to import, or do their work when they are.
_MADE_FOR_OTHERS = re.compile(r"__main__|\.migrations\b|^gateway\.(api|console|mcp)\b|\.anthropic\b")


@dataclass(frozen=True, slots=True)
class Ended:
    """The exit code and the output of a command."""

    code: int
    out: bytes
    err: bytes


def run_command(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    seconds: float = 120,
    *,
    folder: Path = ROOT,
    user: int | None = None,
) -> Ended:
    """Run `slowwave` with these arguments and no input, killed when it takes longer; root may run it as another user."""
    asked = {"argv": ["slowwave", *arguments], "environment": dict(environment), "seconds": seconds}
    return _run_forked({**asked, "folder": str(folder), "user": user})


def run_code(code: str, environment: Mapping[str, str], seconds: float = 120) -> Ended:
    """Run `python -c CODE` with no input, killed when it takes longer."""
    return _run_forked({"argv": ["-c"], "code": code, "environment": dict(environment), "seconds": seconds})


def _run_forked(asked: Mapping[str, object]) -> Ended:
    with tempfile.TemporaryDirectory(prefix="sw-cli-") as place:
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps({**asked, "place": place}).encode() + b"\n")
        server.stdin.flush()
        answer = server.stdout.readline()
        assert answer, "the process that runs commands has ended"
        return Ended(json.loads(answer), Path(place, "out").read_bytes(), Path(place, "err").read_bytes())


@functools.cache
def _server() -> "subprocess.Popen[bytes]":
    server = subprocess.Popen([sys.executable, "-c", _MAIN], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(_stop, server)
    return server


def _stop(server: "subprocess.Popen[bytes]") -> None:
    server.communicate(timeout=60)


def serve(requests: Any, answers: Any) -> None:
    """Import what commands import when they are called, then fork for each request until there are no more."""
    for package in (gateway, shared, workers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not _MADE_FOR_OTHERS.search(module.name):
                importlib.import_module(module.name)
    for line in requests:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(asked)
        answers.write(f"{_wait(child, asked['seconds'])}\n")
        answers.flush()


def _wait(child: int, seconds: float) -> int:
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _run(asked: Mapping[str, Any]) -> NoReturn:
    """Become the command: what it finds is what `python -m gateway.cli` would find."""
    code = 70
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.argv = list(asked["argv"])
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(Path(asked["place"], name), os.O_WRONLY | os.O_CREAT), number)
        os.chdir(asked.get("folder", ROOT))
        if asked.get("user") is not None:
            os.setgroups([])
            os.setuid(asked["user"])
        code = _main(asked)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does with what nothing has caught
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _main(asked: Mapping[str, Any]) -> int:
    if "code" in asked:
        exec(asked["code"], {"__name__": "__main__"})
        return 0
    from gateway.cli.main import main  # noqa: PLC0415 - the parent has imported it

    return main()
