"""Describe a store to a model: its size, what changed, and its largest domains."""

import json

from shared.core.dream.model import Survey

_MAX_NAME_CHARS = 40


def describe_store(survey: Survey) -> str:
    """Return the survey of a store as one line of JSON; empty if there is none yet."""
    if not survey.live_memories:
        return ""
    said = f"{survey.live_memories} memories, {survey.changed_topics} changed"
    if len(survey.domains) > 1:
        largest = sorted(survey.domains.items(), key=lambda one: (-one[1], one[0]))
        inside = ", ".join(f"{name[:_MAX_NAME_CHARS] or '(root)'} {number}" for name, number in largest)
        said = f"{said}; most in {inside}"
    return json.dumps({"survey": said}, ensure_ascii=False)
