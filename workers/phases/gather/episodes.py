"""Tell episodes from knowledge, and give each its category as RockBot publishes it."""

import re

#: The category of a kind, and `None` where the words decide. A kind that is missing here is not an episode.
_CATEGORIES = {"decision": "decision", "theme": "conversation", "fact": None}
_SOLVED = re.compile(
    r"\b(?:fixed|solved|resolved|repaired|worked around|finished|completed|implemented|shipped|released|merged|deployed|"
    r"migrated|moved|upgraded|renamed|rolled (?:back|out))\b",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|failures?|broke|broken|breaks|bugs?|crash(?:es|ed|ing)?|errors?|outages?|incidents?|"
    r"regress(?:ion|ions|ed)|time(?:s|d)? out|timeouts?|dead-?locks?|hangs?|leaks?|lost|corrupt(?:s|ed)?)\b",
    re.IGNORECASE,
)


def find_episode(kind: str, statement: str) -> str | None:
    """Return the category of an episode, such as `episodic/decision`, or None for what is knowledge.

    `episodic/{conversation, task, decision, discovery, problem}`: what conversations came back to, what was done, chosen,
    found out and what went wrong. A problem that was solved is a task.
    """
    if kind not in _CATEGORIES:
        return None
    return f"episodic/{_CATEGORIES[kind] or _of_fact(statement)}"


def _of_fact(statement: str) -> str:
    if _SOLVED.search(statement):
        return "task"
    return "problem" if _PROBLEM.search(statement) else "discovery"
