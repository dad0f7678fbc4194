"""Exams are drawn at random: any seed gives pairs that follow the rules, and no two exams are equal."""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from shared.core.exam.draws import DRAWS, LANGUAGES, OPPOSED, ExamDraw, PairKind, draw_exam
from shared.core.memory.paths import check_memory_path

SEEDS = st.text(min_size=1, max_size=40)


def notes_of(draws: tuple[ExamDraw, ...]) -> list[str]:
    return [text for draw in draws for _, text in draw.notes]


@given(SEEDS)
def test_an_exam_has_enough_pairs_of_every_kind_in_every_language(seed: str) -> None:
    draws = draw_exam(seed)
    pairs = [pair for draw in draws for pair in draw.pairs]
    kinds = Counter(pair.kind for pair in pairs)
    assert len(draws) == DRAWS
    assert kinds.keys() == set(PairKind)
    assert kinds[PairKind.SIBLING] + kinds[PairKind.SUBJECT] >= 35, "one error in ten pairs is found out"
    assert all(PairKind.INJECTED in {pair.kind for pair in draw.pairs} for draw in draws)
    for draw in draws:
        assert {pair.language for pair in draw.pairs} == set(LANGUAGES)


@given(SEEDS)
def test_every_note_of_a_question_has_a_path_of_its_own_and_a_text_without_a_gap(seed: str) -> None:
    for draw in draw_exam(seed):
        paths = [path for path, _ in draw.notes]
        assert len(set(paths)) == len(paths) == 2 * len(draw.pairs)
        assert {(p, t) for pair in draw.pairs for p, t in zip(pair.paths, pair.texts, strict=True)} == set(draw.notes)
        for path, text in draw.notes:
            check_memory_path(path)
            assert not re.search(r"[{}]", path + text)


@given(SEEDS)
def test_what_must_stay_apart_differs_in_its_text_or_in_its_subject(seed: str) -> None:
    for draw in draw_exam(seed):
        for pair in draw.pairs:
            if pair.kind is PairKind.SUBJECT:
                assert pair.texts[0] == pair.texts[1]
            else:
                assert pair.texts[0] != pair.texts[1]


@given(SEEDS)
def test_duplicates_have_the_same_values_and_other_words(seed: str) -> None:
    for draw in draw_exam(seed):
        for pair in draw.pairs:
            if pair.kind is PairKind.DUPLICATE:
                one, other = (Counter(re.findall(r"\d+|`\w+", text)) for text in pair.texts)
                assert one == other
                assert pair.texts[0].split("\n")[2] != pair.texts[1].split("\n")[2]


@given(SEEDS)
def test_opposed_statements_are_about_one_subject(seed: str) -> None:
    for draw in draw_exam(seed):
        for pair in draw.pairs:
            if pair.kind in OPPOSED:
                assert pair.paths[0].split("/")[0] == pair.paths[1].split("/")[0]


@given(SEEDS, SEEDS)
def test_no_two_exams_are_equal_and_a_seed_gives_the_same_one_again(one: str, other: str) -> None:
    assert draw_exam(one) == draw_exam(one)
    if one != other:
        shared = set(notes_of(draw_exam(one))) & set(notes_of(draw_exam(other)))
        assert len(shared) < 10, "single notes may meet by chance"
