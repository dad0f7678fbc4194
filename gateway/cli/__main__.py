"""`python -m gateway.cli`: load the command line and run a command."""

import gc
import os
import signal
import sys

#: Libraries make some 200,000 objects that stay. To look through them every 700 costs a fifth of a short command's time,
#: every 50,000 still a tenth; this way it ends before the first time.
_OBJECTS_BETWEEN_COLLECTIONS = 250_000


def run() -> int:
    """Run the command that the arguments name, and return its exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Pydantic would read the metadata of every installed package to look for plugins, and slowwave uses none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Nothing has begun yet, so Ctrl-C may end the process. As an exception it would show a traceback of an import.
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gateway.cli.main import main  # noqa: PLC0415 - the reason is above

    if is_interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return main()
    finally:
        gc.freeze()  # the interpreter's last collection would look through all of them once more, for nothing


if __name__ == "__main__":
    sys.exit(run())
