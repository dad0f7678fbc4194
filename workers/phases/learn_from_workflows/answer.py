"""The answer that learn_from_workflows accepts from a model."""

from shared.core.questions.answer import Answer


class SkillAnnotation(Answer):
    """A lesson of failed runs about the offered skill `name`, or about `topic` if no offered skill caused them."""

    name: str = ""
    topic: str = ""
    annotation: str  # the mistake, and the better way
    source_ids: tuple[str, ...] = ()  # offered groups of failures
    confidence: float | None = None


class PromotedSkill(Answer):
    """A new skill from successful runs."""

    name: str
    summary: str = ""
    content: str
    source_ids: tuple[str, ...] = ()  # offered groups of successes
    confidence: float | None = None


class WorkflowAnswer(Answer):
    """The lessons of recent runs; empty lists are a good answer."""

    annotations: tuple[SkillAnnotation, ...] = ()
    to_save: tuple[PromotedSkill, ...] = ()
