"""Say in sentences what dreams did in a week."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.core.dream.operations import OperationKind
from shared.core.insight.model import OperationExample, OperationsOfKind

_EXAMPLES_SHOWN = 3
_K = OperationKind


@dataclass(frozen=True, slots=True)
class _Form:
    """Kinds that one sentence describes, for one and for several; `counts_memories` counts these instead of operations."""

    kinds: tuple[OperationKind, ...]
    one: str
    several: str
    counts_memories: bool = False


#: In the order of the digest; what only indexes, keeps or moves clocks is not told.
_FORMS = (
    _Form((_K.GATHER,), "It wrote down one thing from its sessions", "It wrote down {} things from its sessions"),
    _Form((_K.CORRECT,), "It corrected one statement", "It corrected {} statements"),
    _Form((_K.MERGE,), "It merged one group of memories", "It merged {} groups of memories"),
    _Form((_K.CREATE,), "It drew one insight from several memories", "It drew {} insights from several memories"),
    _Form((_K.DIGEST,), "It summed up one day", "It summed up {} days"),
    _Form((_K.FLAG,), "It found one possible contradiction", "It found {} possible contradictions"),
    _Form((_K.TEMPORAL_UPDATE,), "It dated one memory", "It dated {} memories"),
    _Form((_K.CROSS_REFERENCE,), "It linked one group of memories", "It linked {} groups of memories"),
    _Form((_K.SPLIT,), "It split one memory that was too large", "It split {} memories that were too large"),
    _Form(
        (_K.CREATE_SKILL, _K.PROMOTE, _K.MERGE_SKILLS, _K.GUIDE_SKILLS),
        "It wrote one skill",
        "It wrote {} skills",
    ),
    _Form((_K.INFER,), "It inferred one preference", "It inferred {} preferences"),
    _Form((_K.ANNOTATE,), "It noted one failure to learn from", "It noted {} failures to learn from"),
    _Form(
        (_K.ARCHIVE, _K.ARCHIVE_STALE, _K.EXPIRE, _K.FORGET, _K.COMPACT, _K.RETIRE),
        "It archived one memory",
        "It archived {} memories",
        counts_memories=True,
    ),
    _Form((_K.FOLD,), "It folded one group of duplicates", "It folded {} groups of duplicates"),
    _Form((_K.PUT_BACK,), "It put one memory back", "It put {} memories back"),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about a week, and operations to look at."""

    text: str
    examples: tuple[OperationExample, ...]
    is_whole: bool  # there is no more to look at than these


def say_deeds(deeds: Mapping[OperationKind, OperationsOfKind]) -> list[Sentence]:
    """Return a sentence for each kind of deed that was done."""
    return [said for form in _FORMS if (said := _say(form, deeds)) is not None]


def _say(form: _Form, deeds: Mapping[OperationKind, OperationsOfKind]) -> Sentence | None:
    done = [deeds[kind] for kind in form.kinds if kind in deeds]
    number = sum(deed.memories if form.counts_memories else deed.number for deed in done)
    if not number:
        return None
    named = {
        (one.store, one.path or one.operation_id): one for deed in done for one in deed.examples
    }  # each memory once
    examples = tuple(named.values())[:_EXAMPLES_SHOWN]
    is_whole = sum(deed.number for deed in done) == len(examples)
    return Sentence(form.one if number == 1 else form.several.format(f"{number:,}"), examples, is_whole)
