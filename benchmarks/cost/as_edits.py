"""The rules' answers as a model gives them: with edits where the rules write whole texts."""

from collections.abc import Mapping
from difflib import SequenceMatcher

from pydantic import BaseModel

from shared.core.memory.frontmatter import body_of
from shared.core.questions.question import Question
from workers.phase.text_edits import TextEdit, edit_body, join_by_edits
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer


def as_edits(answer: BaseModel, question: Question) -> BaseModel:
    """Return an answer with edits in place of whole texts, as far as the host would build the same lines from them."""
    if not isinstance(answer, ConsolidateAnswer):
        return answer
    texts = {document.path: document.text for document in question.documents}
    return answer.model_copy(update={"actions": tuple(_shorten(action, texts) for action in answer.actions)})


def _shorten(action: ConsolidateAction, texts: Mapping[str, str]) -> ConsolidateAction:
    if action.type not in {"MERGE", "TEMPORAL_UPDATE"}:
        return action
    whole = action.merged_content or action.updated_content or ""
    keeper = texts[action.output_file or action.files[0]]
    others = [texts[path] for path in action.files if path != (action.output_file or action.files[0])]
    before = join_by_edits(keeper, others, []).body if action.type == "MERGE" else body_of(keeper)
    edits = _find_edits(before, body_of(whole))
    done = join_by_edits(keeper, others, edits) if action.type == "MERGE" else edit_body(keeper, edits)
    if done.refused:
        return action
    return action.model_copy(update={"edits": edits, "merged_content": None, "updated_content": None})


def _find_edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return an edit for each rewritten line: the whole line, which is more than a model has to copy."""
    ours, theirs = before.splitlines(), after.splitlines()
    codes = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    changed = [
        pair
        for kind, begin, end, its_begin, its_end in codes
        if kind == "replace"
        for pair in zip(ours[begin:end], theirs[its_begin:its_end], strict=False)
    ]
    return tuple(TextEdit(words=old.strip(), write=new.strip()) for old, new in changed if old.strip() and new.strip())
