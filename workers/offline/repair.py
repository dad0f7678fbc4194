"""Repair a merged text without a model: put back every statement of the sources that it lost."""

from shared.core.merging.repair import RepairAnswer
from shared.core.questions.question import Question
from workers.offline.join_texts import merge_bodies


def decide_repair(question: Question) -> RepairAnswer:
    """Return the draft with the statements that it lost, each under its heading."""
    draft = next((document for document in question.documents if document.role == "draft"), None)
    sources = [document.text for document in question.documents if document.role == "source"]
    if draft is None or not draft.text.strip():
        return RepairAnswer(merged_content=merge_bodies(sources[0], sources[1:]) if sources else "")
    return RepairAnswer(merged_content=merge_bodies(draft.text, sources))
