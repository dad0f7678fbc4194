"""Compare what a dream costs now with what was recorded: `python -m benchmarks.compare`, or `make bench`.

Some dreams of `benchmarks.dream_overhead` over generated stores, the same on every machine. Processor time is compared as a
ratio to a fixed loop that is run right before and behind each dream, as the median of several runs; prompt tokens and
planted near-duplicates that were shown are compared as they are. Exits with 1 when something costs more than the tolerance
allows, or a near-duplicate is missed that was found. `--record` writes the figures to benchmarks/compare/recorded.json instead.
"""

import argparse
import sys

from benchmarks.compare.figures import CASES, RUNS, find_commit, measure, name_of, read_recorded, record, tell
from benchmarks.dream_overhead import run_case


def main() -> int:
    """Measure every case, then print or record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write the figures as those to compare with")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of each case, of which the median counts")
    chosen = parser.parse_args()
    results = {name_of(case): measure([run_case(case) for _ in range(chosen.runs)]) for case in CASES}
    if chosen.record:
        record(results, find_commit())
        return 0
    return tell(read_recorded(), results)


if __name__ == "__main__":
    sys.exit(main())
