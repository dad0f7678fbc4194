"""`slowwave up`, but what is killed every few seconds is started again at once instead of ever later."""

import sys

import gateway.supervisor
from gateway.cli.main import main

gateway.supervisor._LONGEST_PAUSE_SECONDS = 1.0

if __name__ == "__main__":
    sys.argv[0] = "slowwave"
    sys.exit(main())
