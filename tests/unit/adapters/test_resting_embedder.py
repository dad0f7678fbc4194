import pytest

from shared.adapters.embeddings.resting import REST_SECONDS, RestingEmbedder
from shared.ports.embedder import EmbedderError
from tests.integration.meaning.embedders import FailingEmbedder


def ask(embedder: RestingEmbedder, *, is_query: bool = True) -> str:
    try:
        embedder.embed(["a"], seconds=1, is_query=is_query)
    except EmbedderError as error:
        return "resting" if error.is_resting else "failed"
    return "answered"


def test_after_a_failure_searches_do_not_wait_for_the_embedder_for_a_while() -> None:
    now = [0.0]
    failing = FailingEmbedder(fails_at=1)
    embedder = RestingEmbedder(failing, clock=lambda: now[0])
    assert [ask(embedder), ask(embedder)] == ["failed", "resting"]
    assert failing.calls == 1
    now[0] = REST_SECONDS
    failing.fails_at = 10**9
    assert ask(embedder) == "answered"


def test_a_dream_tries_again_at_once() -> None:
    failing = FailingEmbedder(fails_at=1)
    embedder = RestingEmbedder(failing, clock=lambda: 0.0)
    assert [ask(embedder, is_query=False), ask(embedder, is_query=False)] == ["failed", "failed"]


def test_a_refused_query_leaves_the_others_alone() -> None:
    embedder = RestingEmbedder(FailingEmbedder(refused_word="long"), clock=lambda: 0.0)
    with pytest.raises(EmbedderError):
        embedder.embed(["a long one"], seconds=1, is_query=True)
    assert ask(embedder) == "answered"
