"""Find two statements that say the same of now but for one version: `The parser uses 1.1.17`, `The parser uses 1.1.18`.

Only one of them can hold, however little else the two memories have in common. A list of versions is none: neither a changelog, a
lock file or a table, nor what tells of the past, of a plan or of a limit. In doubt nothing is found.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from shared.core.merging.same_subject import same_subject
from shared.core.merging.statements import StatedText, Statement, read_statements
from shared.core.merging.subject_words import read_subject
from shared.core.text.clip import clip
from shared.core.text.remember import remember_last
from shared.core.text.tokens import Token, TokenKind, find_tokens, tidy
from shared.languages.function_words import ARTICLES, STOP_WORDS
from shared.languages.language_file import every_word

_DECIMAL = re.compile(r"\d{1,4}\.\d{1,4}")
_DIGIT = re.compile(r"\d")
_CALLED = frozenset(["version", "versions", "v"])
#: What tells of another time than now, of a change, of a limit or of a choice.
_NOT_NOW = every_word("not_now")
#: `is pinned` is of now, `upgraded` is not.
_PASSIVES = frozenset(["is", "are", "be", "being", "stays"])
_LOG = re.compile(r"change ?log|release|histor|version|upgrad|migrat|archive|roadmap|news", re.IGNORECASE)
_FEWEST_WORDS, _MOST_CHARS, _MOST_STATEMENTS = 2, 300, 200

_Key = tuple[str, ...]


def find_other_version(left_path: str, left_text: str, right_path: str, right_text: str) -> str | None:
    """Return the sentence that names two statements of one subject that differ in a version alone, or None."""
    ours, theirs = _versions_of(left_text), _versions_of(right_text)
    for key, (mine, version) in ours.items():
        its, other = theirs.get(key, (mine, version))
        if version == other or not _may_be_one_subject(key, left_path, left_text, right_path, right_text):
            continue
        if same_subject(left_path, left_text, right_path, right_text).is_different:
            return None
        return f'"{clip(mine.text)}" and "{clip(its.text)}" differ in a version: {version} against {other}.'
    return None


def _may_be_one_subject(key: _Key, left_path: str, left_text: str, right_path: str, right_text: str) -> bool:
    """Tell whether nothing but the statement itself has to say that the two speak of one thing.

    `The service` is another one in another folder, and under another title; `the parser of the shop` may not be.
    """
    left, right = read_subject(left_path, left_text), read_subject(right_path, right_text)
    if left.title_words and left.title_words == right.title_words:
        return PurePosixPath(left_path).parent == PurePosixPath(right_path).parent or left.title.lower() in " ".join(
            key
        )
    is_told = not (left.title_words and right.title_words) or bool({*left.title_words} & {*right.title_words})
    return is_told and left.folder == right.folder and len(_telling(key)) >= _FEWEST_WORDS


@remember_last
def _versions_of(text: str) -> dict[_Key, tuple[Statement, str]]:
    """Return the statements of now with one version: by all else that they say."""
    if _DIGIT.search(text) is None:
        return {}
    told = read_statements(text)
    if _LOG.search(told.title_text) or _DIGIT.search(told.title_text):
        return {}
    found: dict[_Key, tuple[Statement, str]] = {}
    seen: set[_Key] = set()
    for key, statement, version in _list_versions(told):
        if key in seen:  # one text that names two versions in one place lists them
            found.pop(key, None)
        else:
            found[key] = (statement, version)
        seen.add(key)
    return found


def _list_versions(told: StatedText) -> Iterator[tuple[_Key, Statement, str]]:
    for one in told.statements[:_MOST_STATEMENTS]:
        is_listed = "\n" in one.text or "|" in one.text or "```" in one.text or len(one.text) > _MOST_CHARS
        if is_listed or _DIGIT.search(one.text) is None or any(_DIGIT.search(s) or _LOG.search(s) for s in one.under):
            continue
        tokens = find_tokens(tidy(one.text))
        places = [at for at in range(len(tokens)) if _is_version(tokens, at)]
        if len(places) != 1 or not _is_of_now(tokens):
            continue
        said = ("#" if at == places[0] else token.text for at, token in enumerate(tokens) if token.text not in ARTICLES)
        key = (*said,)
        if _telling(key):
            yield key, one, tokens[places[0]].text


def _is_version(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.kind is TokenKind.VERSION:
        return True
    if token.kind is not TokenKind.NUMBER or not at:
        return False
    before = tokens[at - 1]
    if before.text in _CALLED:
        return True
    return _DECIMAL.fullmatch(token.text) is not None and before.raw[:1].isupper() and before.end + 1 == token.start


def _is_of_now(tokens: Sequence[Token]) -> bool:
    words = [token.text for token in tokens]
    if any(token.kind is TokenKind.DATE for token in tokens) or not _NOT_NOW.isdisjoint(words):
        return False
    return all(
        before in _PASSIVES
        for before, word in zip(["", *words], words, strict=False)
        if word.endswith("ed") and len(word) > 4
    )


def _telling(key: _Key) -> list[str]:
    return [word for word in key if word.isalpha() and word not in STOP_WORDS]
