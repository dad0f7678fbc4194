"""Describe a store to a model: its largest domains."""

import json

from shared.core.dream.model import Survey

_MAX_NAME_CHARS = 40


def describe_store(survey: Survey) -> str:
    """Return the survey of a store as one line of JSON; empty if all its memories are in one domain.

    It has no numbers: one that changed would make each question a new one, for a kept answer and for the prompt cache.
    """
    if len(survey.domains) <= 1:
        return ""
    names = ", ".join(name[:_MAX_NAME_CHARS] or "(root)" for name in sorted(survey.domains))
    return json.dumps({"survey": f"most memories are in {names}"}, ensure_ascii=False)
