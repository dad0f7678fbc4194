"""Find the statement that an operation taught, by comparing the memories before and after it."""

from collections.abc import Iterable, Sequence

from shared.core.dream.effects import Effect
from shared.core.dream.operations import OperationKind
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import MemoryState
from shared.core.sessions.statement_text import statements_of
from shared.core.sessions.statements.same_statement import key_of

_K = OperationKind
#: The kinds that bring knowledge, what matters most first: a correction was wrong until now, an insight is only derived.
TEACHING = (_K.CORRECT, _K.INFER, _K.GATHER, _K.UPDATE, _K.ANNOTATE, _K.PROMOTE, _K.CREATE_SKILL, _K.CREATE)
#: Kinds whose new statement takes the place of an old one.
_REPLACING = frozenset({_K.CORRECT, _K.UPDATE})
_MAX_CHARS = 300
#: Of longer texts, a comparison would take more than a page may.
_MAX_TEXT = 100_000


def find_lesson(kind: OperationKind, effects: Sequence[Effect]) -> tuple[str, str]:
    """Return the first statement that is new, and the one that it replaced; empty strings if there is none."""
    old = _statements(effect.before.content for effect in effects if effect.before is not None)
    new = _statements(effect.after.content for effect in effects if effect.after.state is MemoryState.LIVE)
    added = [text for key, text in new.items() if key not in old]
    gone = [text for key, text in old.items() if key not in new]
    if not added:
        return "", ""
    return _cut(added[0]), _cut(gone[0]) if gone and kind in _REPLACING else ""


def find_taken(first: Sequence[Effect], then: Sequence[Effect]) -> tuple[str, ...]:
    """Return the statements that effects on a memory brought, and that later effects on it took away again."""
    old = _statements(effect.before.content for effect in first[:1] if effect.before is not None)
    brought = _statements(effect.after.content for effect in first[-1:])
    left = _statements(effect.after.content for effect in then[-1:] if effect.after.state is MemoryState.LIVE)
    return tuple(_cut(text) for key, text in brought.items() if key not in old and key not in left)


def _statements(texts: Iterable[str]) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for text in texts:
        for statement in statements_of(body_of(text[:_MAX_TEXT])):
            found.setdefault(key_of(statement), statement)
    return found


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_CHARS else f"{flat[: _MAX_CHARS - 1].rstrip()}…"
