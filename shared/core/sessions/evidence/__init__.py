"""Evidence that a sentence holds something to keep: groups of phrases of each language, and what each group weighs.

Rules find textbook phrases; evidence finds what people say in their own words. Each group is a principle (a fact about one's own
world, a duty, a contrast, a settled plan; against it a task, a question, doubt, trouble, talk), the same in each language. The phrases
are in `shared/languages`.
"""

from functools import cache

from shared.core.sessions.evidence.phrases import PhraseTable, make_table
from shared.languages.language_file import read_language

#: Groups whose phrases hold a verb: a sentence without any of them may be a scrap.
_VERBAL = frozenset({"states", "must", "settles", "tastes", "order", "with you", "me", "contrast", "lesson", "you did"})


@cache
def load_phrases(code: str) -> PhraseTable:
    """Return the phrases of a language, none where its file has no evidence; they are read when a text first is in it."""
    data = read_language(code)
    groups, leads = ({}, "") if data.evidence is None else (data.evidence.groups, data.evidence.leads)
    return make_table(groups, leads, is_spaced=data.spaced)


def has_verb(sentence: str, code: str) -> bool:
    """Tell whether a sentence states or orders something, as far as its phrases show; "REST, with a few calls" does not.

    In a language without evidence every sentence may.
    """
    return read_language(code).evidence is None or not _VERBAL.isdisjoint(load_phrases(code).find_groups(sentence))
