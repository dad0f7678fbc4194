"""Vectors of texts: the embedded part of a text, the stored form of a vector, and the neighbours that stand out."""

import math
import sys
from array import array
from collections.abc import MutableSequence, Sequence

from shared.core.errors import BadInputError
from shared.core.memory.frontmatter import body_of
from shared.core.memory.provenance import without_sources

#: The embedded part of a text: the models read some 500 tokens, and the first statements name the subject.
EMBEDDED_CHARS = 600
#: This much of a memory's text is read to find its beginning after the frontmatter.
READ_CHARS = 8_000
#: The similarity of unrelated texts depends on the model (E5: a cosine of 0.8), so a neighbour counts as near if it is
#: nearer than most: by this many standard deviations of its store.
_STANDS_OUT = 1.5
#: With fewer other memories, the usual similarity is unknown.
_LEAST_OTHERS = 8


def embedded_text(content: str) -> str:
    """Return the part of a memory's text to embed: its beginning, without frontmatter and sources."""
    body = " ".join(body_of(without_sources(content)).split())
    return embeddable_text(body or " ".join(content.split()))


def embeddable_text(text: str) -> str:
    """Return the beginning of a text in a form that every embedder accepts: without NUL and half surrogate pairs."""
    beginning = text[:EMBEDDED_CHARS].replace("\0", " ")
    return beginning.encode("utf-8", "replace").decode("utf-8")


def pack_vector(numbers: Sequence[float]) -> bytes:
    """Return a vector, normalized to length 1, in its stored form. Raises BadInputError if it has no direction."""
    length = math.sqrt(math.fsum(number * number for number in numbers))
    if not math.isfinite(length) or length <= 0:
        raise BadInputError("This is not a vector: its length is zero, or not a number")
    packed = array("f", [number / length for number in numbers])
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack_vector(vector: bytes) -> MutableSequence[float]:
    """Return the numbers of a vector."""
    numbers = array("f")
    numbers.frombytes(vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def least_cosine(others: int, total: float, squares: float) -> float:
    """Return the lowest cosine at which a neighbour stands out among all of them.

    Args:
        others: the number of other memories.
        total: the sum of their cosines.
        squares: the sum of the squared cosines.
    """
    if others < _LEAST_OTHERS:
        return -1.0
    mean = total / others
    return mean + _STANDS_OUT * math.sqrt(max(0.0, squares / others - mean * mean))
