from hypothesis import given
from hypothesis import strategies as st

from shared.core.search.fusion import score_rankings

_RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), min_size=1, max_size=3)


def test_hits_of_both_rankings_come_before_hits_of_one() -> None:
    assert score_rankings(["a", "b", "c"], ["d", "c", "e"])[0][0] == "c"


def test_the_scores_are_those_of_the_paper_as_shares_of_the_best() -> None:
    found = dict(score_rankings(["a", "b"], ["b"]))
    assert found["b"] == (1 / 62 + 1 / 61) / (2 / 61)
    assert found["a"] == (1 / 61) / (2 / 61)


@given(_RANKINGS)
def test_every_key_comes_once_with_a_score_up_to_one(rankings: list[list[str]]) -> None:
    found = score_rankings(*rankings)
    assert sorted(key for key, _ in found) == sorted({key for ranking in rankings for key in ranking})
    assert all(0 < score <= 1 + 1e-12 for _, score in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_one_ranking_stays_as_it_is(ranking: list[str]) -> None:
    assert [key for key, _ in score_rankings(ranking, [])] == ranking
