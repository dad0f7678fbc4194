"""A result holds until it expires, the prompts change, or a newer one comes."""

from dataclasses import replace
from datetime import timedelta

from shared.core.exam.model import EXAM_DAYS, exam_fingerprint, find_valid
from tests.unit.builders import NOW, an_exam

PROMPTS = exam_fingerprint(["the rules", "the task"], "low")
TAKEN = replace(an_exam("exm_1"), fingerprint=PROMPTS, taken_at=NOW, expires_at=NOW + timedelta(days=EXAM_DAYS))
BY_HAND = replace(an_exam("exm_2"), fingerprint="", passed=False, set_by="anna", expires_at=None)


def test_a_result_holds_until_it_expires() -> None:
    assert find_valid([TAKEN], PROMPTS, NOW + timedelta(days=EXAM_DAYS - 1)) == TAKEN
    assert find_valid([TAKEN], PROMPTS, NOW + timedelta(days=EXAM_DAYS)) is None


def test_other_prompts_or_another_effort_need_another_exam() -> None:
    assert find_valid([TAKEN], exam_fingerprint(["the rules", "another task"], "low"), NOW) is None
    assert find_valid([TAKEN], exam_fingerprint(["the rules", "the task"], "high"), NOW) is None


def test_the_newest_result_counts_whether_it_was_taken_or_set_by_hand() -> None:
    later = replace(BY_HAND, taken_at=NOW + timedelta(hours=1))
    earlier = replace(BY_HAND, taken_at=NOW - timedelta(hours=1))
    assert find_valid([TAKEN, later], PROMPTS, NOW) == later
    assert find_valid([earlier, TAKEN], PROMPTS, NOW) == TAKEN


def test_what_a_person_set_holds_for_all_prompts_and_does_not_expire() -> None:
    assert find_valid([BY_HAND], "other prompts", NOW + timedelta(days=10 * EXAM_DAYS)) == BY_HAND
