"""Turn a model's answers into operations: every published rule and every safety rule, in one pure place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.core.dream.operations import Operation, OperationKind, Plan, Retire, Rewrite, Skip
from shared.core.errors import UneditableFrontmatterError
from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import body_of, set_fields, with_body
from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.merging.confidence import confidence_of, find_doubt, needs_look
from shared.core.merging.loss_cap import LossBudget
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid
from shared.core.policy.policy import ALL_PROPOSED, Policy, Verified
from shared.core.text.tokens import find_tokens
from workers.phase.links import Link, plan_links
from workers.phase.merge_changes import find_refined_fields
from workers.phase.merged_text import Edited
from workers.phase.text_edits import edit_body
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.contradictions import plan_contradictions
from workers.phases.consolidate.merge import MergeDraft, plan_merge


@dataclass
class _Draft:
    """The decisions so far. A memory is changed by one operation of a phase at most."""

    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)

    def skip(self, code: str, detail: str) -> None:
        self.skips.append(Skip(code=code, detail=detail))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateView:
    """The facts that the rules decide by: every offered memory by path, and which live paths exist beyond them."""

    groups: tuple[Group, ...]
    live_paths: frozenset[str]
    policy: Policy
    now: datetime
    loss: LossBudget
    confirmed: frozenset[str] = frozenset()  # names of merges of which a second reader says that they lose nothing


def offered_in(group: Group) -> dict[str, Memory]:
    """Return the memories that an answer about a group may name, by path."""
    return {memory.path: memory for memory in (*group.changed, *group.related, *group.beside)}


def plan_consolidation(
    view: ConsolidateView,
    answers: Mapping[str, ConsolidateAnswer],
) -> Plan:
    """Return the operations that follow from the answers.

    Args:
        view: what was offered, and the rules.
        answers: by group key; a group without an answer changes nothing.
    """
    draft = _Draft()
    loss = view.loss
    for group in view.groups:
        answer = answers.get(group.key)
        if answer is None:
            draft.skip("no_answer", f"{group.key}: the model gave no usable answer")
            continue
        _plan_retiring(draft, group, answer)
        for number, action in enumerate(answer.actions):
            loss = _plan_action(draft, view, group, action, loss, change_name(group.key, number))
    for linked in plan_links(NAME, draft.links, draft.taken, view.live_paths):
        draft.operations.append(linked) if isinstance(linked, Operation) else draft.skips.append(linked)
    return Plan(operations=tuple(draft.operations), skips=tuple(draft.skips))


def change_name(group_key: str, number: int) -> str:
    """Return the name by which a second reader calls an action."""
    return f"{group_key}/{number + 1}"


def _plan_action(
    draft: _Draft,
    view: ConsolidateView,
    group: Group,
    action: ConsolidateAction,
    loss: LossBudget,
    name: str,
) -> LossBudget:
    if action.type == "SKIP":
        draft.skip("left_alone", f"{', '.join(action.files) or group.key}: {action.reason or 'unrelated'}")
        return loss
    memories = _offered(draft, group, action.files)
    free = tuple(memory for memory in memories if memory.path not in draft.taken)
    if len(free) < len(memories):
        draft.skip("already_changed", f"{action.type} {', '.join(action.files)}: changed by an earlier operation")
        return loss
    if action.type == "MERGE":
        wanted = MergeDraft.of(free, action, group.in_part)
        return _plan_merge(draft, view, wanted, loss, is_confirmed=name in view.confirmed)
    if action.type == "TEMPORAL_UPDATE":
        action = _with_edits(draft, free, action)
        if not _skip_unseen(draft, group, free, action):
            _plan_temporal(draft, view, free, action)
    elif len(free) >= 2:
        draft.links.append(Link(memories=free, reason=action.reason, confidence=action.confidence))
    else:
        draft.skip("too_few_files", "CROSS_REFERENCE of fewer than two offered files")
    return loss


def _with_edits(draft: _Draft, memories: Sequence[Memory], action: ConsolidateAction) -> ConsolidateAction:
    """Return an action with the whole text that results from its edits, if it has edits alone; refused ones are counted."""
    if len(memories) != 1 or not action.edits or (action.updated_content or "").strip():
        return action
    edited = edit_body(memories[0].content, action.edits)
    _count_refused(draft, action, edited)
    return action.model_copy(update={"updated_content": edited.body})


def _count_refused(draft: _Draft, action: ConsolidateAction, edited: Edited) -> None:
    for reason in edited.refused:
        draft.skip("edit_refused", f"{action.type} {', '.join(action.files)}: {reason}")


def _skip_unseen(draft: _Draft, group: Group, memories: Sequence[Memory], action: ConsolidateAction) -> bool:
    """Refuse a new text for a memory that was shown in part when it leaves out what could not be seen."""
    text = action.updated_content or ""
    cut = [one for one in memories if one.path in group.in_part and find_unsaid(text, [one.content])]
    if cut:
        draft.skip(
            "shown_in_part", f"TEMPORAL_UPDATE {cut[0].path}: the model saw its beginning, and its text has no more"
        )
    return bool(cut)


def _plan_retiring(draft: _Draft, group: Group, answer: ConsolidateAnswer) -> None:
    """Settle contradictions before anything else, so that the losers' texts do not flow into what is merged."""
    free = {path: memory for path, memory in offered_in(group).items() if path not in draft.taken}
    for settled in plan_contradictions(answer.contradictions, answer.to_delete, free):
        if isinstance(settled, Skip):
            draft.skips.append(settled)
        else:
            draft.operations.append(settled)
            draft.taken.update(change.path for change in settled.changes if isinstance(change, Retire))


def _offered(draft: _Draft, group: Group, files: Sequence[str]) -> tuple[Memory, ...]:
    offered = offered_in(group)
    unknown = [path for path in dict.fromkeys(files) if path not in offered]
    for path in unknown:
        draft.skip("not_offered", f"{path[:200]!r} was not offered to the model")
    return tuple(offered[path] for path in dict.fromkeys(files) if path in offered)


def _plan_merge(
    draft: _Draft, view: ConsolidateView, wanted: MergeDraft, loss: LossBudget, *, is_confirmed: bool
) -> LossBudget:
    _count_refused(draft, wanted.action, wanted.text)
    planned = plan_merge(wanted, view.live_paths | draft.taken, view.now, is_confirmed=is_confirmed)
    if isinstance(planned, Skip):
        draft.skips.append(planned)
        return loss
    operation, retired = planned
    doubt = operation.propose_only or wanted.action.doubt
    if not doubt and view.policy.merge.verified is Verified.PROPOSE:
        doubt = ALL_PROPOSED
    if doubt:
        draft.operations.append(replace(operation, propose_only=doubt))
        draft.taken.update(memory.path for memory in wanted.memories)
        return loss
    left = loss.take(retired)
    if left is None:
        reason = f"loss cap: this dream may retire {loss.allowed} memories and has retired {loss.used} (safety.loss_cap_share)"
        operation = replace(operation, propose_only=reason)
    draft.operations.append(operation)
    draft.taken.update(change.path for change in operation.changes if hasattr(change, "path"))
    return left or loss


def _plan_temporal(
    draft: _Draft,
    view: ConsolidateView,
    memories: tuple[Memory, ...],
    action: ConsolidateAction,
) -> None:
    if len(memories) != 1 or not (action.updated_content or "").strip():
        draft.skip("incomplete_action", f"TEMPORAL_UPDATE {', '.join(action.files)}: needs one file and its new text")
        return
    memory = memories[0]
    try:
        content = with_body(memory.content, body_of(action.updated_content or ""))
        content = set_fields(content, find_refined_fields(content, action.category, action.tags))
    except UneditableFrontmatterError as error:
        draft.skip("uneditable_frontmatter", f"{memory.path}: {error}")
        return
    kept = {token.text for token in find_tokens(content)}  # "18 December" stands in "18 December 2026", too
    missing = [one for one in find_missing_specifics(content, [memory.content]) if one not in kept]
    if missing:
        draft.skip("coverage", f"TEMPORAL_UPDATE {memory.path} would lose {', '.join(missing[:5])}")
        return
    if content.split() == memory.content.split():
        draft.skip("no_change", f"TEMPORAL_UPDATE {memory.path}: the words are the same")
        return
    rewrite = Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content,
        signals=scoring.updated(memory.signals, view.now),
    )  # fmt: skip
    draft.taken.add(memory.path)
    draft.operations.append(
        Operation(
            kind=OperationKind.TEMPORAL_UPDATE,
            phase=NAME,
            reason=action.reason or f"Update {memory.path} with what changed since",
            changes=(rewrite,),
            confidence=confidence_of(action.confidence),
            needs_review=needs_look(action.confidence, view.policy.consolidate.review_below_confidence),
            propose_only=find_doubt(action.confidence, view.policy.consolidate.review_below_confidence),
        ),
    )
