"""Evidence that a sentence holds something to keep: groups of phrases, one file for each language, and what each group weighs.

Rules find textbook phrases; evidence finds what people say in their own words. Each group is a principle (a fact about one's own
world, a duty, a contrast, a settled plan; against it a task, a question, doubt, trouble, talk), the same in each language.
"""

from functools import cache

from shared.core.sessions.evidence import (
    chinese,
    dutch,
    english,
    french,
    german,
    italian,
    japanese,
    portuguese,
    spanish,
)
from shared.core.sessions.evidence.phrases import PhraseTable, make_table

_LANGUAGES = {
    "en": (english.GROUPS, english.LEADS),
    "de": (german.GROUPS, german.LEADS),
    "fr": (french.GROUPS, french.LEADS),
    "es": (spanish.GROUPS, spanish.LEADS),
    "pt": (portuguese.GROUPS, portuguese.LEADS),
    "it": (italian.GROUPS, italian.LEADS),
    "nl": (dutch.GROUPS, dutch.LEADS),
    "zh": (chinese.GROUPS, chinese.LEADS),
    "ja": (japanese.GROUPS, japanese.LEADS),
}


@cache
def load_phrases(code: str, *, is_spaced: bool) -> PhraseTable:
    """Return the phrases of a language, none where it has no file here; they are read when a text first is in it."""
    groups, leads = _LANGUAGES.get(code, ({}, ""))
    return make_table(groups, leads, is_spaced=is_spaced)


#: Groups whose phrases hold a verb: a sentence without any of them may be a scrap.
_VERBAL = frozenset({"states", "must", "settles", "tastes", "order", "with you", "me", "contrast", "lesson", "you did"})


def has_verb(sentence: str, code: str, *, is_spaced: bool) -> bool:
    """Tell whether a sentence states or orders something, as far as its phrases show; "REST, with a few calls" does not.

    In a language without phrases every sentence may.
    """
    return code not in _LANGUAGES or not _VERBAL.isdisjoint(
        load_phrases(code, is_spaced=is_spaced).find_groups(sentence)
    )
