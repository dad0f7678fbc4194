"""Decide what becomes of one memory that stands in a folder and in a store.

Both texts are compared with the one that both had after the last sync. What one side changed goes to the other, what both
changed is merged line by line, and where that is impossible the store's text stays and the folder's is kept beside it. A
deletion is carried out only if the other side changed nothing: an edit is worth more than a deletion.

A store has two texts of a memory while a change of a dream waits for a review: the one that agents read, and the one that
waits for no review, which a folder may be given in its place. What the folder adds is then applied to both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from shared.core.text.duplicates import content_hash
from shared.core.text.three_way import merge_three_ways


class Step(StrEnum):
    """The steps that a sync takes for one path; their values are stable words for `--json`."""

    SAME = "same"
    TO_STORE = "to_store"
    TO_FOLDER = "to_folder"
    MERGED = "merged"
    CONFLICT = "conflict"
    DELETE_IN_STORE = "delete_in_store"
    DELETE_IN_FOLDER = "delete_in_folder"
    HELD = "held"  # it waits until a change of a dream is reviewed


@dataclass(frozen=True, slots=True)
class Synced:
    """The hashes of both texts after the last sync; they differ when a secret was masked in the store. Empty: no text."""

    file_sha256: str
    store_sha256: str


@dataclass(frozen=True, slots=True)
class Stored:
    """The text of a store that the folder is given, and the one that agents read; None where there is no memory."""

    shown: str | None
    live: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """A step, and the texts after it: in the folder, shown by the store, and live in it. None: no file, no memory.

    `aside` is the folder's own text in a conflict, for a file beside it.
    """

    step: Step
    folder: str | None
    shown: str | None
    live: str | None
    aside: str | None = None


def decide(last: Synced | None, file: str | None, stored: Stored, find_base: Callable[[], str | None]) -> Decision:
    """Return what a sync does with one path.

    Args:
        last: what both sides had after the last sync; None if they never had the same text.
        file: the folder's text; None if there is no file.
        stored: the store's texts.
        find_base: returns the text that the store showed after the last sync, or None if it is known no more. It is called
            only if both sides changed it.
    """
    here = _Path(file, stored)
    if file == stored.shown:
        return here.stay()
    if last is None:
        return here.decide_new()
    is_file_changed, is_store_changed = _sha(file) != last.file_sha256, _sha(stored.shown) != last.store_sha256
    if not (is_file_changed or is_store_changed):
        return here.stay()
    if file is None or stored.shown is None:
        return here.decide_gone(is_file_changed=is_file_changed, is_store_changed=is_store_changed)
    if not is_store_changed:
        return here.take(file)
    if not is_file_changed and last.file_sha256 == last.store_sha256:
        return here.give()
    return here.merge(find_base(), is_file_changed=is_file_changed)


def _sha(text: str | None) -> str:
    return "" if text is None else content_hash(text)


@dataclass(frozen=True, slots=True)
class _Path:
    """One path with the texts that stand there."""

    file: str | None
    stored: Stored

    def stay(self, step: Step = Step.SAME) -> Decision:
        return Decision(step, self.file, self.stored.shown, self.stored.live)

    def give(self, text: str | None = None) -> Decision:
        """Give the folder the store's text, or another one with it in it."""
        folder = self.stored.shown if text is None else text
        return Decision(Step.TO_FOLDER, folder, self.stored.shown, self.stored.live)

    def take(self, text: str, step: Step = Step.TO_STORE) -> Decision:
        """Take a text into the store, on top of what waits for a review there."""
        shown, live = self.stored.shown, self.stored.live
        if live == shown:
            return Decision(step, text, text, text)
        rebased = None if shown is None or live is None else merge_three_ways(shown, live, text)
        return self.stay(Step.HELD) if rebased is None else Decision(step, text, text, rebased)

    def decide_new(self) -> Decision:
        if self.file is None:
            return self.give()
        return self.take(self.file) if self.stored.shown is None else self.conflict()

    def decide_gone(self, *, is_file_changed: bool, is_store_changed: bool) -> Decision:
        """Decide about a path that one side has no more."""
        if self.file is not None:
            deletion = Decision(Step.DELETE_IN_FOLDER, None, None, self.stored.live)
            return self.take(self.file) if is_file_changed else deletion
        if is_store_changed:
            return self.give()
        is_whole = self.stored.live == self.stored.shown
        return Decision(Step.DELETE_IN_STORE, None, None, None) if is_whole else self.stay(Step.HELD)

    def conflict(self) -> Decision:
        return Decision(Step.CONFLICT, self.stored.shown, self.stored.shown, self.stored.live, aside=self.file)

    def merge(self, base: str | None, *, is_file_changed: bool) -> Decision:
        shown, file = self.stored.shown or "", self.file or ""
        merged = None if base is None else merge_three_ways(base, shown, file)
        if merged is None:
            return self.conflict()
        if merged == shown or not is_file_changed:
            return self.give(merged)
        return self.take(merged, Step.MERGED)
