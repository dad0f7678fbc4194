"""The answer that learn_from_workflows accepts from a model."""

from shared.core.questions.answer import Answer


class SkillAnnotation(Answer):
    """A lesson of failed runs about the offered skill `name`, or about `topic` when no offered skill caused them."""

    name: str = ""
    topic: str = ""
    annotation: str  # what goes wrong, and what to do instead
    source_ids: tuple[str, ...] = ()  # offered groups of failures
    confidence: float | None = None


class PromotedSkill(Answer):
    """A new skill that succeeded runs ask for."""

    name: str
    summary: str = ""
    content: str
    source_ids: tuple[str, ...] = ()  # offered groups of successes
    confidence: float | None = None


class WorkflowAnswer(Answer):
    """The lessons of recent runs; empty lists are a good answer."""

    annotations: tuple[SkillAnnotation, ...] = ()
    to_save: tuple[PromotedSkill, ...] = ()
