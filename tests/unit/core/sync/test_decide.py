"""The decision of a sync for one path: nothing is overwritten unseen, and an edit is worth more than a deletion."""

import pytest

from shared.core.sync.decide import Decision, Step, Stored, Synced, decide
from shared.core.text.duplicates import content_hash

BASE = "# Pump\n\nIt is green.\n\nIt stands in the hall.\n"
FILE = BASE.replace("green", "blue")
STORE = BASE.replace("hall", "yard")
BOTH = FILE.replace("hall", "yard")
OTHER = BASE.replace("green", "red")


def of(last: str | None, file: str | None, store: str | None, live: str | None = "as shown") -> Decision:
    """Decide with a base that is known; `live` differs from the shown text while a change waits for a review."""
    stored = Stored(store, store if live == "as shown" else live)
    synced = None if last is None else Synced(content_hash(last), content_hash(last))
    return decide(synced, file, stored, lambda: last)


@pytest.mark.parametrize(
    ("last", "file", "store", "step"),
    [
        (None, FILE, None, Step.TO_STORE),
        (None, None, STORE, Step.TO_FOLDER),
        (None, FILE, FILE, Step.SAME),
        (None, FILE, STORE, Step.CONFLICT),
        (BASE, BASE, BASE, Step.SAME),
        (BASE, FILE, BASE, Step.TO_STORE),
        (BASE, BASE, STORE, Step.TO_FOLDER),
        (BASE, FILE, FILE, Step.SAME),
        (BASE, FILE, STORE, Step.MERGED),
        (BASE, FILE, OTHER, Step.CONFLICT),
        (BASE, None, BASE, Step.DELETE_IN_STORE),
        (BASE, BASE, None, Step.DELETE_IN_FOLDER),
        (BASE, None, STORE, Step.TO_FOLDER),
        (BASE, FILE, None, Step.TO_STORE),
        (BASE, None, None, Step.SAME),
    ],
)
def test_each_side_gets_what_only_the_other_changed(
    last: str | None, file: str | None, store: str | None, step: Step
) -> None:
    decided = of(last, file, store)
    assert decided.step is step
    assert decided.folder == decided.shown == decided.live


def test_changes_of_different_lines_become_one_text_on_both_sides() -> None:
    assert of(BASE, FILE, STORE).live == BOTH


def test_in_a_conflict_the_stores_text_stays_and_the_folders_is_kept_beside_it() -> None:
    decided = of(BASE, FILE, OTHER)
    assert (decided.folder, decided.aside) == (OTHER, FILE)


def test_without_the_text_of_the_last_sync_changes_of_both_are_a_conflict() -> None:
    synced = Synced(content_hash(BASE), content_hash(BASE))
    assert decide(synced, FILE, Stored(STORE, STORE), lambda: None).step is Step.CONFLICT


def test_what_the_folder_adds_goes_on_top_of_a_change_that_waits_for_a_review() -> None:
    decided = of(BASE, FILE, BASE, live=STORE)
    assert (decided.step, decided.folder, decided.live) == (Step.TO_STORE, FILE, BOTH)


@pytest.mark.parametrize(
    ("last", "file", "store", "live"),
    [
        (BASE, FILE, BASE, OTHER),  # both changed the same line
        (BASE, FILE, BASE, None),  # merged into another memory
        (BASE, None, BASE, STORE),  # deleted here, improved there
        (None, FILE, None, OTHER),  # made on both sides
    ],
)
def test_what_a_change_that_waits_for_a_review_stands_in_the_way_of_is_held(
    last: str | None, file: str | None, store: str | None, live: str | None
) -> None:
    decided = of(last, file, store, live)
    assert decided.step is Step.HELD
    assert (decided.folder, decided.live) == (file, live)


MASKED = Synced(content_hash("Key: hunter2\nOld.\n"), content_hash("Key: [masked]\nOld.\n"))


def test_a_secret_that_the_store_masked_stays_in_the_folder() -> None:
    """The file and the store differ although neither changed; what the store changes comes without the mask."""
    file, old = "Key: hunter2\nOld.\n", "Key: [masked]\nOld.\n"
    assert decide(MASKED, file, Stored(old, old), lambda: old).step is Step.SAME
    new = "Key: [masked]\nOld.\nNew.\n"
    decided = decide(MASKED, file, Stored(new, new), lambda: old)
    assert (decided.step, decided.folder, decided.live) == (Step.TO_FOLDER, "Key: hunter2\nOld.\nNew.\n", new)
