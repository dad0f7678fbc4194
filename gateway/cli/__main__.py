"""`python -m gateway.cli`: load the commands, and run one."""

import signal
import sys


def _run() -> int:
    # Loading takes a second, in which Ctrl-C would show a traceback: nothing has begun, so it may just end.
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gateway.cli.main import main  # noqa: PLC0415 - the reason is above

    if is_interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(_run())
