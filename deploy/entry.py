"""Start a process of the image or of a systemd unit: `python -m deploy.entry worker | beat | flower | COMMAND …`.

Worker, beat and Flower replace this process (exec), so that signals and exit codes are Celery's own. Anything else is a
command of slowwave's command line.
"""

import os
import sys
from collections.abc import Mapping
from typing import NoReturn

from gateway import programs
from gateway.supervisor import Program
from shared.core.errors import BadInputError, SlowwaveError
from shared.liveness import LivenessFile, liveness_folder
from shared.settings import load_settings

#: Flower must have a login; without one it would show every tenant's ids to anything that reaches the port.
_LOGIN = "FLOWER_BASIC_AUTH"


def find_program(role: str, environment: Mapping[str, str]) -> Program | None:
    """Return the program of a role; None for a command of the command line.

    Raises:
        BadInputError: Flower has no login, or a setting is wrong.
    """
    settings = load_settings()
    if role == "worker":
        return programs.worker(settings.worker_concurrency, settings.worker_pool)
    if role == "beat":
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return programs.beat(settings.data_dir.resolve())
    if role == "flower":
        if ":" not in environment.get(_LOGIN, ""):
            raise BadInputError(f"Set {_LOGIN} to user:password; Flower shows every tenant's ids and is never open")
        return programs.build_served_flower(
            environment.get("FLOWER_ADDRESS", "127.0.0.1"), environment.get("FLOWER_PORT", "5555")
        )
    return None


def main(arguments: list[str]) -> int:
    """Become the program. Returns an exit code only if there is none."""
    if not arguments:
        print("Name what to run: worker, beat, flower, or a command such as doctor, migrate, status TENANT")
        return 2
    try:
        program = find_program(arguments[0], os.environ) if len(arguments) == 1 else None
    except SlowwaveError as error:
        print(error, file=sys.stderr)
        return 2
    if program is None:
        return _become((sys.executable, "-m", "gateway.cli", *arguments), {})
    settings = load_settings()
    LivenessFile(liveness_folder(settings.data_dir, settings.probe_dir), program.name).remove()
    return _become(program.command, program.environment)


def _become(command: tuple[str, ...], environment: Mapping[str, str]) -> NoReturn:
    os.execve(command[0], command, {**os.environ, **environment})  # noqa: S606 - becoming the program is the point


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
