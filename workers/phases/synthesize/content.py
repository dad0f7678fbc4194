"""Tell whether a draft says anything: a weak model copies the shape of an answer, dots and all, or repeats its title."""

from shared.core.memory.frontmatter import body_of
from shared.core.text.similarity import significant_words

_ENOUGH = 40


def has_content(title: str, content: str) -> bool:
    """Tell whether a text has a word that carries meaning and that its title has not."""
    return bool(set(significant_words(body_of(content), _ENOUGH)) - set(significant_words(title, _ENOUGH)))
