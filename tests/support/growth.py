"""Measure how the work of a function grows with its text, by processor time, and hold what grows too fast.

Between one size and the next lies a factor of 8: linear work takes 8 times as long, quadratic work 64 times. The bound
stands in the middle, a result is believed only above a floor and when it repeats, and a busy machine makes every size
slower alike.
"""

import gc
import time
from collections.abc import Callable
from contextlib import suppress

from shared.core.errors import SlowwaveError
from shared.core.text.wording import stem_of, wording_of

STEP = 8
SIZES = (2**11, 2**14, 2**17, 2**20)
QUICK_SIZE, LARGEST_SIZE = SIZES[1], SIZES[-1]
#: Of 8 (linear), 10 (n log n) and 64 (quadratic).
_MOST_GROWTH = 24.0
#: Processor times below this one do no harm, and say little about growth.
_FLOOR_SECONDS = 0.02
#: What grew up to here and no further is capped work. The slowest linear function takes a third of it.
_MOST_SECONDS_PER_CHAR = 10e-6
#: The most processor time that the longest text may take.
_MOST_SECONDS_AT_LAST = 0.5
_TRIES = 3
#: What is kept by sentence or by word: texts of one piece share these, so a smaller text would find its work done.
_KEPT = (wording_of, stem_of)

#: What is repeated to be a hostile text. Each has made a pattern or a loop here or elsewhere slow, or might.
PIECES = (
    "#", "\n", " \n", "`", "``", "```\n", "a. A", "Is it? No. ", "- a\n", "- a b. C\n", "hf_", "[", "](", "[a](b.md)", "[[",
    '{"', "{", "1", "1.", "1,", "1 ", "-", "- ", "--", "---\n", "\\", '\\"', "a", "A", "Aa ", "Aa Bb. ", "a-", "a/", "./", "/",
    "<", "<!--", "<a ", "*_", "**", "*", "_", "don't ", "2024-01-01 ", "(2024-01-01)", "a: b\n", "- a: b\n", "e\u0301",
    "\u4e2d", "\u200b", "\U0001f600", " ", "\t", "\r\n", '"', "'", "\u2019", "(", ")", ">", "> ", "|", "| a ", "~", "~~~\n",
    "a b ", "a@", "a.b@", "://", "http://a ", "+", "$1 ", "10 ms ", "=", "no, ", "not a ", "i ", "last ", "in 2 ", "in 2 days ",
    "yesterday ", "on monday ", "remember: ", "the the ", "a, ", ", ", ". ", "! ", "?", "ok, ", "# a\n", "## A B\n",
    "\n\n- ", "## Superseded\n", "<think>", "</think>", "sk-", "AKIA", "\x85", "\ufeff", "\u201c",
    "§ ", "§\n", "- a§\n", "- Use §. Not w§.\n", "Ab§ Cd§. ", "w§: v§\n", "`a§ b§` ", "w§ is not v§.\n\n", "w§ ", "§.§.§ ",
    "# w§\n", "## w§\nv§\n", "| § | w§ |\n", '"w§" yesterday. ', "a/w§.md ", "[w§](v§.md)\n", "(2§-01-01) ", "w§@a.b ",
    # Combining characters, quotes in quotes, wide tables, a date again and again, CJK without blanks, right to left, confusables,
    # one word, many bullets, deep nesting.
    "a\u0301\u0323\u0302", "\u201c'\"\u00ab", "| w§ | v§ | yesterday ", "2026-03-04 yesterday ", "\u6628\u65e5\u4f1a\u8bae\u51b3\u5b9a",
    "\u0623\u0645\u0633 \u05d0\u05ea\u05de\u05d5\u05dc ", "\u0430\u0435\u043e\u0440 \u0441\u0445 ", "w§v", "* w§ yesterday\n", "> - [(**`{",
)  # fmt: skip
#: What ends a text, so that a pattern which nearly matched has to try again.
_ENDS = ("", "\x00", "!\n")


def hostile_text(piece: str, size: int, attempt: int = 0, *, end: str | None = None) -> str:
    """Return a text of about a size; another attempt gives another text, which no cache of texts knows.

    In a piece, `§` stands for a number that is another one each time. The end follows from the size unless it is given.
    """
    if "§" in piece:
        text = "".join(piece.replace("§", str(number)) for number in range(size // len(piece)))[:size]
    else:
        text = piece * (size // len(piece))
    return text + (_end_of(size) if end is None else end) + "z" * attempt


def _end_of(size: int) -> str:
    return _ENDS[size // STEP % len(_ENDS)]


def find_growth(run: Callable[[str], object], piece: str, enough: int) -> str:
    """Return what grew faster than n log n from one size to the next; nothing if all is well.

    Sizes end at `enough`, or where a text takes long enough to judge. Work that is capped grows fast up to its cap, so
    what is still cheap is looked at again at the next size.
    """
    before = 0.0
    for size in SIZES:
        took = _seconds(run, hostile_text(piece, size))
        if _is_grown(before, took):
            # With the same end: a line that it begins may be work that the other text does not have.
            before, took = (_least(run, piece, one, _end_of(size)) for one in (size // STEP, size))
        is_grown = _is_grown(before, took)
        if is_grown and took > (_MOST_SECONDS_AT_LAST if size == LARGEST_SIZE else size * _MOST_SECONDS_PER_CHAR):
            return f"{piece!r}: {before:.4f} s for {size // STEP:,} characters, {took:.4f} s for {size:,}"
        if not is_grown and (size >= enough or (before > 0 and took > _FLOOR_SECONDS)):
            return ""
        before = took
    return ""


def _is_grown(before: float, took: float) -> bool:
    return before > 0 and took > _FLOOR_SECONDS and took > _MOST_GROWTH * before


def _least(run: Callable[[str], object], piece: str, size: int, end: str) -> float:
    return min(_seconds(run, hostile_text(piece, size, attempt, end=end)) for attempt in range(1, _TRIES + 1))


def _seconds(run: Callable[[str], object], text: str) -> float:
    for kept in _KEPT:
        kept.cache_clear()
    gc.disable()
    try:
        start = time.thread_time()
        with suppress(ValueError, SlowwaveError):  # the text is refused
            run(text)
        return time.thread_time() - start
    finally:
        gc.enable()
