"""See-also of skills: which skills refer to which, kept right when one takes another's place."""

from collections.abc import Collection, Mapping, Sequence

from shared.core.errors import BadInputError
from shared.core.frontmatter import set_fields
from shared.core.memory import Memory
from shared.core.operation import Operation, OperationKind, Plan, Rewrite, Skip
from shared.core.skill import SEE_ALSO, see_also_of, skill_name_of

_NAMED = 4


def plan_skill_links(
    staying: Mapping[str, Memory],
    wanted: Mapping[str, Sequence[str]],
    moved: Mapping[str, str],
    made: Collection[str],
) -> Plan:
    """Return at most one LINK_SKILLS over all skills whose see-also changes.

    Args:
        staying: the offered skills that no other operation changes, by name.
        wanted: the names that the model adds, by skill; names of no skill are left out.
        moved: the name of each superseded skill and of its successor.
        made: skills that other operations of this dream write.
    """
    changes: list[Rewrite] = []
    skips: list[Skip] = []
    for name, memory in staying.items():
        before = see_also_of(memory)
        known = staying.keys() | set(made) | set(before)
        targets = [moved.get(other, other) for other in [*before, *wanted.get(name, ())]]
        after = [other for other in dict.fromkeys(targets) if other != name and other in known]
        if after == before:
            continue
        try:
            changes.append(_rewrite(memory, after))
        except BadInputError as error:
            skips.append(Skip(code="uneditable_frontmatter", detail=f"see-also of {name}: {error}"))
    if not changes:
        return Plan(skips=tuple(skips))
    names = [skill_name_of(change.path) for change in changes]
    reason = f"See-also of {', '.join(names[:_NAMED])}" + (" and others" if len(names) > _NAMED else "")
    operation = Operation(
        kind=OperationKind.LINK_SKILLS, phase="merge_skills", reason=reason, changes=tuple(changes)
    )  # fmt: skip
    return Plan(operations=(operation,), skips=tuple(skips))


def _rewrite(memory: Memory, see_also: list[str]) -> Rewrite:
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path,
        content=set_fields(memory.content, {SEE_ALSO: see_also}),
        signals=memory.signals, resets_clock=False, stays_dirty=True,
    )  # fmt: skip
