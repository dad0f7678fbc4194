"""Tell whether the worker or beat of this machine is alive: `python -m deploy.probe worker|beat`.

For HEALTHCHECK, Kubernetes probes and cron: it reads a file's age, in the standard library only, in a few hundredths of
a second. It needs no server: a worker that cannot reach its broker falls silent by itself.
"""

import os
import sys

from shared.sign_of_life import MAX_SILENCE_SECONDS, ROLES, find_silence_seconds, place_of_signs


def main(arguments: list[str]) -> int:
    """Print one sentence; return 0 when it is alive, 1 when it is not, 2 for an unknown role."""
    if len(arguments) != 1 or arguments[0] not in ROLES:
        print(f"Say which: python -m deploy.probe {'|'.join(ROLES)}")
        return 2
    role = arguments[0]
    place = place_of_signs(os.environ.get("SLOWWAVE_DATA_DIR") or ".slowwave", os.environ.get("SLOWWAVE_PROBE_DIR"))
    silence = find_silence_seconds(place, role)
    if silence is None:
        print(f"The {role} has given no sign of life in {place}: it is starting, or it runs elsewhere")
        return 1
    if silence > MAX_SILENCE_SECONDS:
        print(f"The {role} has been silent for {silence:.0f} s (more than {MAX_SILENCE_SECONDS:.0f} s): restart it")
        return 1
    print(f"The {role} gave a sign of life {silence:.0f} s ago")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
