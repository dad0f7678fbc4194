"""Turn a model's answer into merged, guided and linked skills: no skill is deleted or retired without a replacement.

`see_also` links between skills are updated when one skill replaces another.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from shared.core.checks.merges import CONFLICT_CHECKS
from shared.core.dream.operations import Change, Create, Operation, OperationKind, Plan, Retire, Rewrite, Skip
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.learning.skill_merging import decide_guide, decide_skills_unmergeable, find_sources, is_merge
from shared.core.learning.skills import (
    CREATED,
    LAST_USED,
    MAX_SUMMARY_CHARS,
    SEE_ALSO,
    SkillUse,
    build_skill,
    check_skill_name,
    created_at_of,
    describe_skill,
    format_moment,
    last_used_of,
    see_also_of,
    skill_name_of,
    skill_path,
    spaced,
)
from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import (
    MAX_CONTENT_CHARS,
    body_of,
    read_fields,
    set_fields,
    split_frontmatter,
    strings_of,
    with_body,
)
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.provenance import FIELD as SOURCES_FIELD
from shared.core.merging.confidence import confidence_of, is_unsure
from shared.core.merging.loss_cap import LossBudget
from workers.phase.by_reference import ArrangedMerge
from workers.phase.merged_text import Edited, Written, write_merged
from workers.phase.shape import Surroundings
from workers.phases.merge_skills import NAME
from workers.phases.merge_skills.answer import MergedSkill, MergeSkillsAnswer, write_skill

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
        wanted: the names that the model adds, by skill; unknown names are left out.
        moved: the name of the successor of each superseded skill.
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
        kind=OperationKind.LINK_SKILLS, phase=NAME, reason=reason, changes=tuple(changes)
    )  # fmt: skip
    return Plan(operations=(operation,), skips=tuple(skips))


def _rewrite(memory: Memory, see_also: list[str]) -> Rewrite:
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path,
        content=set_fields(memory.content, {SEE_ALSO: see_also}),
        signals=memory.signals, resets_clock=False, stays_dirty=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeSkillsView:
    """The facts for the rules: the offered skills by name, other names in use, and the recorded uses."""

    skills: Mapping[str, Memory]
    clusters: Mapping[str, tuple[str, ...]]
    taken: frozenset[str]  # names of live skills that were not offered
    files: tuple[str, ...]
    uses: tuple[SkillUse, ...]
    loss: LossBudget
    around: Surroundings
    arranged: Mapping[int, ArrangedMerge] = field(default_factory=dict)  # by the draft's place in `toSave`
    confirmed: frozenset[str] = frozenset()  # the parts of which a second reader says that they lose nothing


@dataclass
class _Draft:
    """The decisions so far. A skill is changed by one operation at most."""

    loss: LossBudget
    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)  # name of a superseded skill -> of its successor
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)  # see-also by skill

    def skip(self, code: str, detail: str) -> None:
        self.skips.append(Skip(code=code, detail=detail))


def plan_merge_skills(view: MergeSkillsView, answer: MergeSkillsAnswer) -> Plan:
    """Return the operations that follow from an answer.

    Args:
        view: the offered skills.
        answer: the model's answer.
    """
    if answer.to_delete and not answer.to_save:
        detail = f"deletion of {', '.join(answer.to_delete[:5])} without a replacement: the whole answer is left alone"
        return Plan(skips=(Skip(code="deletion_without_replacement", detail=detail),))
    draft = _Draft(loss=view.loss)
    for number, one in enumerate(answer.to_save):
        _plan_one(draft, view, one, view.arranged.get(number))
    for name in dict.fromkeys(answer.to_delete):
        if name not in draft.moved:
            code = "deletion_without_replacement" if name in view.skills else "not_offered"
            draft.skip(code, f"{name[:80]} is not deleted: no merged skill takes its place")
    staying = {name: memory for name, memory in view.skills.items() if name not in draft.busy}
    linked = plan_skill_links(staying, draft.links, draft.moved, draft.busy - draft.moved.keys())
    return Plan(operations=(*draft.operations, *linked.operations), skips=(*draft.skips, *linked.skips))


def _plan_one(draft: _Draft, view: MergeSkillsView, one: MergedSkill, arranged: ArrangedMerge | None) -> None:
    for name in dict.fromkeys(one.source_names):
        if name not in view.skills and name != one.name:
            draft.skip("not_offered", f"{name[:80]!r} was not offered to the model")
    sources = find_sources(view.skills, one)
    if {one.name, *sources} & draft.busy:
        draft.skip("already_merged", f"{one.name[:80]} or what it is made of was changed by an earlier decision")
    elif is_merge(view.skills, one):
        _plan_merge(draft, view, one, sources, arranged)
    elif one.name in view.skills:
        draft.links[one.name] = one.see_also
    elif decide_guide(one.name, view.clusters):
        _plan_guide(draft, view, one)
    else:
        draft.skip("no_sources", f"skill {one.name[:80]!r} is made from no offered skill, nor the guide of a cluster")


def _plan_merge(
    draft: _Draft,
    view: MergeSkillsView,
    one: MergedSkill,
    sources: Sequence[str],
    arranged: ArrangedMerge | None,
) -> None:
    memories = [view.skills[name] for name in sources]
    text = Edited(body=arranged.compose(view.confirmed)) if arranged else write_skill(one, memories)
    for why in text.refused:
        draft.skip("edit_refused", f"merge into {one.name}: {why}")
    problem = _find_problem(view, one, memories, text.body)
    if problem is not None:
        draft.skips.append(problem)
        return
    # Of what is arranged line by line every part is checked already.
    written = Written(body=text.body) if arranged else _write(one, memories, text)
    if written.finding is not None and is_unsure(one.confidence):
        draft.skip(written.finding.check.code, f"merge into {one.name}: {written.why}")
        return
    try:
        changes = _merge_changes(view, one, memories, written.body)
    except (BadInputError, UneditableFrontmatterError) as error:
        draft.skip("uneditable_frontmatter", f"merge into {one.name}: {error}")
        return
    waits = arranged.find_doubt(view.confirmed, view.around) if arranged else one.doubt
    _add_merge(draft, one, sources, changes, written.why or waits)


def _add_merge(
    draft: _Draft, one: MergedSkill, sources: Sequence[str], changes: tuple[Change, ...], waits: str
) -> None:
    gone = [name for name in sources if name != one.name]
    reason = waits or _take_loss(draft, len(gone))
    operation = Operation(
        kind=OperationKind.MERGE_SKILLS,
        phase=NAME,
        reason=one.reason or f"{', '.join(sources)} do the same: {one.name} takes their place",
        changes=changes,
        confidence=confidence_of(one.confidence),
        needs_review=True,
        propose_only=reason,
    )
    draft.operations.append(operation)
    draft.busy |= {one.name, *sources}
    if reason is None:
        draft.moved |= dict.fromkeys(gone, one.name)


def _take_loss(draft: _Draft, count: int) -> str | None:
    """Count skills against the loss cap of this dream; return the reason if the cap does not allow them."""
    left = draft.loss.take(count)
    draft.loss = left or draft.loss
    return None if left else f"a dream may retire {draft.loss.allowed} skills of this store"


def _write(one: MergedSkill, memories: Sequence[Memory], text: Edited) -> Written:
    """Return the merged text with lost specifics put back, under the frontmatter that stays."""
    keeper = next((memory for memory in memories if memory.path == skill_path(one.name)), None)
    frontmatter = split_frontmatter(keeper.content).raw if keeper is not None else ""
    return write_merged(text, memories, frontmatter, CONFLICT_CHECKS)


def _find_problem(view: MergeSkillsView, one: MergedSkill, memories: Sequence[Memory], body: str) -> Skip | None:
    try:
        check_skill_name(one.name)
    except BadInputError as error:
        if one.name not in view.skills:
            return Skip(code="unsafe_path", detail=str(error))
    if one.name in view.taken:
        return Skip(code="not_offered", detail=f"merge into {one.name}: it exists and was not offered")
    if not body.strip() or len(body) > MAX_CONTENT_CHARS:
        return Skip(code="incomplete_action", detail=f"merge into {one.name}: the merged text is missing or too large")
    return decide_skills_unmergeable(memories, one.name, view.files)


def _merge_changes(
    view: MergeSkillsView, one: MergedSkill, memories: Sequence[Memory], body: str
) -> tuple[Change, ...]:
    """Return the merged skill with the earliest creation and the latest use of its sources, and the sources retired."""
    target = skill_path(one.name)
    keeper = next((memory for memory in memories if memory.path == target), None)
    used = [moment for moment in (last_used_of(memory, view.uses) for memory in memories) if moment is not None]
    fields: dict[str, object] = {CREATED: format_moment(min(map(created_at_of, memories)))}
    if used:
        fields[LAST_USED] = format_moment(max(used))
    gone = [memory for memory in memories if memory is not keeper]
    for name, added in (("consolidated_from", [memory.path for memory in gone]), (SOURCES_FIELD, [])):
        known = [item for memory in memories for item in strings_of(read_fields(memory.content).get(name, []))]
        if known or added:
            fields[name] = list(dict.fromkeys([*known, *added]))
    see_also = _named(view, [*one.see_also, *(name for memory in memories for name in see_also_of(memory))], one)
    if see_also:
        fields[SEE_ALSO] = see_also
    signals = scoring.merged([memory.signals for memory in memories])
    told = " ".join(one.summary.split())[:MAX_SUMMARY_CHARS]
    written: Change
    if keeper is None:
        content = build_skill(one.name, told or describe_skill(memories[0]), body, fields)
        written = Create(path=target, content=content, signals=signals)
    else:
        content = set_fields(
            with_body(keeper.content, spaced(keeper, body)), fields | ({"description": told} if told else {})
        )
        written = Rewrite(
            memory_id=keeper.id, version=keeper.version, path=target, content=content, signals=signals
        )  # fmt: skip
    retired = tuple(
        Retire(
            memory_id=memory.id, version=memory.version, path=memory.path,
            state=MemoryState.SUPERSEDED, superseded_by=target,
        )
        for memory in gone
    )  # fmt: skip
    return (written, *retired)


def _named(view: MergeSkillsView, names: Sequence[str], one: MergedSkill) -> list[str]:
    """Return the names of skills that stay, each once, without the skill's own."""
    gone = {*find_sources(view.skills, one), one.name}
    return [name for name in dict.fromkeys(names) if name not in gone and name in view.skills]


def _plan_guide(draft: _Draft, view: MergeSkillsView, one: MergedSkill) -> None:
    """Plan a guide, which tells agents which of its siblings to use; the siblings stay."""
    body = body_of(one.content)
    siblings = view.clusters[one.name.rpartition("/")[0]]
    if one.name in view.taken or not body.strip() or not one.summary.strip() or len(body) > MAX_CONTENT_CHARS:
        draft.skip("incomplete_action", f"guide {one.name}: it exists, or needs a summary and a content")
        return
    see_also = _named(view, [*siblings, *one.see_also], one)
    try:
        content = build_skill(
            check_skill_name(one.name), one.summary, body, {CREATED: format_moment(view.around.now), SEE_ALSO: see_also}
        )
    except BadInputError as error:
        draft.skip("unsafe_path", str(error))
        return
    draft.operations.append(
        Operation(
            kind=OperationKind.GUIDE_SKILLS,
            phase=NAME,
            reason=one.reason or f"{len(siblings)} skills begin with {one.name.rpartition('/')[0]}/: a guide to them",
            changes=(Create(path=skill_path(one.name), content=content),),
            confidence=confidence_of(one.confidence),
            needs_review=True,
        )
    )
    draft.busy.add(one.name)
