"""Repair a merged text without a model: add the source sentences that hold what it lost."""

from shared.core.merging.repair import RepairAnswer
from shared.core.questions.question import Question
from workers.offline.join_texts import merge_bodies, restore_specifics


def decide_repair(question: Question) -> RepairAnswer:
    """Return the draft with the source sentences that hold what it lost."""
    draft = next((document for document in question.documents if document.role == "draft"), None)
    sources = [document.text for document in question.documents if document.role == "source"]
    if draft is None:
        return RepairAnswer(merged_content=merge_bodies(sources[0], sources[1:]) if sources else "")
    return RepairAnswer(merged_content=restore_specifics(draft.text, sources))
