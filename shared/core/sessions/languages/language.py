"""The patterns by which a language says how people correct, decide, prefer, ask and quote, compiled from its file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shared.core.sessions.cue_rules import CueKind, CueRule
from shared.languages.language_file import LanguageData, pattern_of

_PART = re.compile(r"<(\w+)>")
#: Words of any language that lead into a sentence which leans on the one before it.
_JOINING = pattern_of("leads_on", r"^\W*(?:<>[\s,:]*){0,2}").pattern
_CAPITAL = re.compile(r"\\.|[A-Z]")
_RuleKey = Literal["corrections", "saves", "forgets", "facts", "decisions", "lasting", "preferences"]
#: Of which kind the phrases under a key are, and whether they also hold in requests; in the order in which they are tried.
_RULES: Sequence[tuple[_RuleKey, CueKind, bool]] = (
    ("corrections", CueKind.CORRECTION, False),
    ("saves", CueKind.SAVE, True),
    ("forgets", CueKind.FORGET, True),
    ("facts", CueKind.SAVE, False),
    ("decisions", CueKind.DECISION, False),
    ("lasting", CueKind.PREFERENCE, True),
    ("preferences", CueKind.PREFERENCE, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The compiled patterns of one language; docs/add-a-language.md says what each is for. Firm rules also hold in requests.

    The patterns of questions, requests, moments, reports, idle words and rules look at text in lower case, which takes half the time.
    """

    code: str
    question: re.Pattern[str]
    request: re.Pattern[str]
    moment: re.Pattern[str]
    reported: re.Pattern[str]
    idle: re.Pattern[str]
    states: re.Pattern[str]
    narrates: re.Pattern[str]
    first_person: re.Pattern[str]
    opening: re.Pattern[str]
    leans: re.Pattern[str]
    is_spaced: bool
    rules: Sequence[CueRule]


class _Compiler:
    """Compiles the patterns of one file. An error names the file and the key."""

    def __init__(self, code: str, data: LanguageData) -> None:
        gap = r"[\s,.!:\u2013-]{1,4}" if data.spaced else r"[\s,.!:\uff0c\u3001\u3002\uff01\uff1a]{0,4}"
        self._file = f"{code}.toml"
        self._parts = {**data.parts, "head": rf"^\W{{0,8}}(?:(?:{data.sentences.lead}){gap}){{0,4}}"}

    def compiled(self, key: str, pattern: str) -> re.Pattern[str]:
        return self._compile(key, self._fill(key, pattern), re.IGNORECASE)

    def lowered(self, key: str, pattern: str) -> re.Pattern[str]:
        return self._compile(key, _lower(self._fill(key, pattern)))

    def _fill(self, key: str, pattern: str) -> str:
        for name in _PART.findall(pattern):
            if name not in self._parts:
                raise ValueError(f"{self._file}: {key}: there is no part <{name}>")
        return _PART.sub(lambda found: self._parts[found[1]], pattern)

    def _compile(self, key: str, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
        try:
            return re.compile(pattern, flags)
        except re.error as error:
            raise ValueError(f"{self._file}: {key}: {error}") from None


def make_language(code: str, data: LanguageData) -> Language:
    """Return a language ready for use. Raises ValueError, which names the file and the key, for a pattern that is none."""
    to, said = _Compiler(code, data), data.sentences
    return Language(
        code=code,
        question=to.lowered("sentences.question", said.question),
        request=to.lowered("sentences.request", said.request),
        moment=to.lowered("sentences.moment", said.moment),
        reported=to.lowered("sentences.reported", said.reported),
        idle=to.lowered("sentences.idle", said.idle),
        states=to.compiled("sentences.states", said.states),
        narrates=to.compiled("sentences.narrates", said.narrates),
        opening=to.compiled("sentences.opening", said.opening),
        first_person=to.compiled("sentences.first_person", said.first_person),
        leans=to.compiled("sentences.leans", _JOINING + said.leans),
        is_spaced=data.spaced,
        rules=_make_rules(to, data),
    )


def _make_rules(to: _Compiler, data: LanguageData) -> Sequence[CueRule]:
    trouble = to.lowered("sentences.trouble", data.sentences.trouble)
    return tuple(
        CueRule(
            kind=kind,
            name=phrase.name,
            strength=phrase.strength,
            pattern=to.lowered(f"{key}: {phrase.name}", phrase.pattern),
            is_firm=is_firm,
            unless=trouble if phrase.unless_trouble else None,
        )
        for key, kind, is_firm in _RULES
        for phrase in getattr(data, key)
    )


def _lower(pattern: str) -> str:
    """Return a pattern with its letters in lower case, classes such as that of blanks left as they are."""
    return _CAPITAL.sub(lambda found: found[0] if found[0].startswith("\\") else found[0].lower(), pattern)
