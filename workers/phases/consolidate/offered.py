"""A document that is offered to the rules without a model, with what they look at."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from shared.core.memory.frontmatter import body_of, title_of
from shared.core.memory.model import ROOT_INDEX, MemoryKind, kind_of
from shared.core.merging.subject_words import list_stems
from shared.core.questions.question import Document, Question
from shared.core.text.tokens import spell_alike
from shared.core.text.words import as_spaced, is_mostly_unspaced

#: Up to so many characters, a clock time or a number that is spelled otherwise makes two texts unlike.
_SHORT_BODY = 300


@dataclass(frozen=True, kw_only=True)
class Offered:
    """One document with what the rules look at. Not slotted, because some of it is computed only when asked for."""

    document: Document
    body: str
    words: frozenset[str]  # stems; in scripts without spaces pairs of characters

    @property
    def path(self) -> str:
        """Return the document's path."""
        return self.document.path

    @property
    def is_changed(self) -> bool:
        """Tell whether this dream was started by a change of this document."""
        return self.document.role == "changed"

    @cached_property
    def title(self) -> str:
        """Return the document's title on one line."""
        return title_of(self.path, self.document.text)

    @cached_property
    def compared(self) -> str:
        """Return the body; of a short one, in which one value spelled otherwise counts for much, its tokens."""
        return spell_alike(self.body) if len(self.body) <= _SHORT_BODY else self.body

    @cached_property
    def is_unspaced(self) -> bool:
        """Tell whether the text is in a script without spaces, whose words no rule can tell."""
        return is_mostly_unspaced(self.body)


def read_offered(question: Question) -> tuple[Offered, ...]:
    """Return the memories among a question's documents by path: no indexes, no derived files, no path twice."""
    found: dict[str, Offered] = {}
    for document in question.documents:
        is_index = PurePosixPath(document.path).name == ROOT_INDEX  # in a subfolder it is a topic to the host
        if document.role in {"changed", "related"} and kind_of(document.path) is MemoryKind.TOPIC and not is_index:
            body = body_of(document.text)
            words = frozenset(list_stems(as_spaced(body) if is_mostly_unspaced(body) else body))
            found.setdefault(document.path, Offered(document=document, body=body, words=words))
    return tuple(found[path] for path in sorted(found))
