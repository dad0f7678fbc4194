"""The coverage rule: a merged text keeps every specific of its sources.

Specifics are the parts that a rewrite loses unnoticed: numbers, dates, versions, names, acronyms, identifiers, paths,
addresses and code. A false alarm costs one repair request or a merge that does not happen; a silent loss costs knowledge.
So in doubt a word is a specific.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import yaml

from shared.core.memory.yaml_read import load_block, split_frontmatter
from shared.core.text.phrases import find_phrases
from shared.core.text.tokens import Token, TokenKind, find_tokens, tidy
from shared.languages.language_file import every_word

_FENCE = re.compile(r"\s*(?:>\s*)*(```+|~~~+)")
_HEADING = re.compile(r"\s*#{1,6}\s")
_INLINE_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,500}?)(?<!`)\1(?!`)")
#: Between two words of one name stands a space; after one of these a new sentence, item, cell or label begins.
_BREAKS = re.compile(r"[.!?:;|()\[\]\"\u2014>=]|- ")
_LABEL_END = re.compile(r"[*_]*:")
#: Capitalised without being names, and shouted without being acronyms.
_NOT_NAMES = every_word("not_names")
#: Sentences of small words, each of which may begin with a capital: most of any text, and nothing in it is a specific.
_PROSE = re.compile(
    r"\s*(?:(?:[-*>]|\#{1,6})[ ])?[A-Z]?[a-z]{1,40}+(?:(?:[-'][a-z]|,?[ ][a-z]|[.!?:;][ ][A-Z]?[a-z])[a-z]{0,39}+)*+[.!?:;,]?\s*"
)


def find_specifics(text: str) -> frozenset[str]:
    """Return what a merge of this text must keep, in a normal form: lower case, one spelling of dates and units.

    Looks at the body and the frontmatter's title; what else stands in a valid frontmatter is upkept by the host.
    """
    return frozenset(_walk(tidy(_knowledge_of(text))))


def find_missing_specifics(merged: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the specifics of any source that the merged text does not have, sorted.

    Case, spacing, quotes and markdown decoration may differ. Tokens are compared whole: `3.1` does not stand for
    `3.10`, nor `123` for `12`, nor one date for another.
    """
    wanted: set[str] = set().union(*map(find_specifics, sources))
    return tuple(sorted(wanted - find_present(merged, wanted)))


def find_present(text: str, wanted: Iterable[str]) -> set[str]:
    """Return those of some specifics that a text has."""
    words = [token.text for line in tidy(text).splitlines() for token in find_tokens(line)]
    once, phrases = set(words), set[str]()
    found: set[str] = set()
    for specific in wanted:
        if " " in specific:
            phrases.add(specific)
        elif specific in once:
            found.add(specific)
    return found | find_phrases(words, phrases)


def _knowledge_of(text: str) -> str:
    front = split_frontmatter(text)
    block = load_block(front.inner) if front.raw else None
    if block is None:
        return text  # no frontmatter, or an unreadable one: all of it is text
    title = block.fields.get("title")
    # As it is spelled, not as YAML reads it: `0x10` is no 16 to the reader of a title.
    return f"# {title.node.value}\n{front.body}" if title and isinstance(title.node, yaml.ScalarNode) else front.body


def _walk(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        if not fence and _PROSE.fullmatch(line):
            continue
        tokens = find_tokens(line)
        if not tokens:
            continue
        if fence:
            yield _phrase(tokens)
            continue
        yield from (token.text for token in tokens if _is_specific(line, token))
        if "`" in line:
            yield from _find_inline_code(line, tokens)
        if not _HEADING.match(line):
            yield from _find_names(line, tokens)


def _find_inline_code(line: str, tokens: list[Token]) -> Iterator[str]:
    starts = [token.start for token in tokens]
    for span in _INLINE_CODE.finditer(line):
        first, last = bisect_left(starts, span.start()), bisect_left(starts, span.end())
        inside = [token for token in tokens[first:last] if token.end <= span.end()]
        if inside:
            yield _phrase(inside)


def _is_specific(line: str, token: Token) -> bool:
    if token.kind is not TokenKind.WORD:  # a lone digit is mostly a list's or a sentence's
        return token.kind is not TokenKind.NUMBER or len(token.text) > 1 or token.raw.startswith("#")
    is_call = line[token.end : token.end + 1] == "(" and token.raw.islower()
    is_acronym = len(token.raw) > 1 and token.raw.isupper() and token.text not in _NOT_NAMES
    return is_acronym or is_call


def _find_names(line: str, tokens: list[Token]) -> Iterator[str]:
    """Find runs of capitalised words; the word that begins a sentence is written so anyway and does not count."""
    run: list[Token] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if not run and not _is_name(token):
            continue
        gap = line[before.end : token.start] if before else ""
        begins = before is None or bool(_BREAKS.search(gap))
        if run and (gap != " " or not _is_name(token)):
            yield from _name_of(line, tokens, run)
            run = []
        if not begins and _is_name(token):
            run.append(token)
    yield from _name_of(line, tokens, run)


def _name_of(line: str, tokens: list[Token], run: list[Token]) -> Iterator[str]:
    """Return a run as one name, but nothing for a label such as `**Key Facts**:` at the head of a line."""
    is_label = run and _LABEL_END.match(line, run[-1].end) and run[0] in tokens[:3]
    if run and not is_label:
        yield _phrase(run)


def _is_name(token: Token) -> bool:
    raw = token.raw
    is_word = raw[0].isupper() and token.kind is TokenKind.WORD and len(raw) > 1
    return is_word and not raw.isupper() and token.text not in _NOT_NAMES


def _phrase(tokens: Iterable[Token]) -> str:
    return " ".join(token.text for token in tokens)
