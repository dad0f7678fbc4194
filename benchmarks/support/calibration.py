"""Measure how fast this machine is now, so that figures of two machines, or of two hours, can be compared."""

import re
import time
from collections import Counter

_WORDS = re.compile(r"\w+")
_TEXT = "Parcels of Nordpost are scanned at the northern gate of the hub in Malmo at six, and leave it by van at nine. "
_ROUNDS = 500
_LOOPS = 5


def calibrate() -> float:
    """Return the processor seconds of a fixed loop that does what a dream does: cut texts, count words, make objects."""
    return min(_loop() for _ in range(_LOOPS))


def _loop() -> float:
    begun = time.process_time()
    for number in range(_ROUNDS):
        words = Counter(_WORDS.findall(f"{number} {_TEXT * 8}".lower()))
        rows = [{"word": word, "times": times, "key": f"{word}/{times}"} for word, times in words.items()]
        rows.sort(key=lambda row: (row["times"], row["key"]))
        "\n".join(str(row["key"]) for row in rows).encode()
    return time.process_time() - begun
