"""Candidates by words and by meaning together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.core.memory.model import Memory
from shared.core.merging.candidates import Candidates, find_candidates
from shared.core.policy.policy import ConsolidatePolicy
from tests.unit.builders import by_path, memory, texts_of
from tests.unit.core.merging.test_candidates import BOOKS, LABELS, RETRY, RETRY_AGAIN, TAX

_ALONE = ConsolidatePolicy(small_folder_files=0)
_NO_FAR = replace(_ALONE, far_chars=0)


def find(
    memories: Sequence[Memory], alike: Mapping[str, Sequence[str]], policy: ConsolidatePolicy = _ALONE
) -> Candidates:
    known = by_path(memories)
    return find_candidates(texts_of(memories), ["a/first.md"], (), policy, lambda _: known, alike=alike)


def shown(found: Candidates) -> list[str]:
    return [one.path for group in found.groups for one in group.related]


def test_memories_alike_in_meaning_are_shown_together_without_a_common_word() -> None:
    memories = [memory("a/first.md", BOOKS), memory("b/other.md", TAX), memory("c/far.md", LABELS)]
    assert find(memories, {}).settled == 1
    assert shown(find(memories, {"a/first.md": ["b/other.md"]})) == ["b/other.md"]


def test_the_nearest_in_meaning_is_shown_whatever_there_is_room_for() -> None:
    memories = [memory("a/first.md", BOOKS), memory("b/other.md", TAX), memory("c/far.md", LABELS)]
    found = find(memories, {"a/first.md": ["b/other.md", "c/far.md"]}, _NO_FAR)
    assert shown(found) == ["b/other.md"]


def test_near_duplicates_are_shown_however_many_are_alike_in_meaning() -> None:
    others = [memory(f"b/{n}.md", f"{TAX} {n}") for n in range(9)]
    memories = [memory("a/first.md", RETRY), memory("z/again.md", RETRY_AGAIN), *others]
    found = shown(find(memories, {"a/first.md": [one.path for one in others]}))
    assert "z/again.md" in found
    assert len(found) == _ALONE.related_limit


def test_candidates_found_by_words_and_meaning_come_before_those_found_by_one() -> None:
    half = "Carrier calls are retried three times with exponential backoff, but only in the small warehouse of Malmo."
    others = [memory(f"b/{n}.md", f"{TAX} {n}") for n in range(9)]
    memories = [memory("a/first.md", RETRY), memory("z/half.md", half), *others]
    by_words = shown(find(memories, {}))
    found = shown(find(memories, {"a/first.md": [*(one.path for one in others[:4]), "z/half.md", "b/7.md"]}))
    assert by_words == ["z/half.md"]
    assert "z/half.md" in found
    assert len(found) == _ALONE.related_limit
