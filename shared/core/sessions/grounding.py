"""Check that a statement says what its quote says: a quote that really occurs in a session proves nothing by itself.

The words of a statement have to come from the event that is quoted, or at least from around it: a name that only an
earlier event gives is not an invention, a whole predicate is. A negation has to be the speaker's own.
"""

import re
from collections.abc import Iterator, Sequence

from shared.core.memory.frontmatter import body_of
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.subject_words import list_stems
from shared.core.sessions.cues import is_model_instruction
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.statement_text import current_of
from shared.core.text.markdown import CLAUSE_END
from shared.core.text.words import as_spaced
from shared.languages.function_words import NEGATIONS
from shared.languages.language_file import every_word, pattern_of

#: Words that a report of speech adds: who spoke, that something was wished or chosen, and why.
_BESIDE_THE_POINT = frozenset(list_stems(" ".join(every_word("frame") | NEGATIONS)))
#: Below these shares a statement says something else: of its words in the event, and of those in the window around it.
_SHARE_OF_EVENT, _SHARE_OF_WINDOW = 0.5, 0.6
#: A text that draws a conclusion has words of its own; below this share of words of its sources it is about something else.
_SHARE_OF_SOURCES = 0.5
_QUOTED, _MOST_LINES = 3, 30
_CLAUSE = re.compile(r"[,;:.!?\u3001\u3002\uff0c](?=\s|$)|[\u3001\u3002\uff0c]")
#: A shorter denial, such as "not at all", is about the clause beside it.
_FEWEST_OF_DENIAL = 4
_DIGIT = re.compile(r"(?<![\w.,])\d(?![\w]|[.,]\d)")
_ITEM = re.compile(r"^[ \t]{0,40}\d[.)]\s", re.MULTILINE)
#: Words before a noun that say how many, and which.
_NO_DOERS = every_word("no_doers")
_DOER = re.compile(r"\W{0,8}([A-Z][a-z]+) ([a-z]+)\b")
#: An answer that begins so denies what was said before, not what follows.
_DENIAL = pattern_of("refusals", r"^\W*<>[\s,.!:;\u2013\u2014-]")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


def find_ungrounded(statement: str, quote: str, event: str, window: str, *, is_trusted: bool = False) -> str | None:
    """Return why a statement may not match its quote, as the end of a sentence, or None if it does.

    Args:
        statement: the statement to remember.
        quote: the words that it is based on.
        event: the whole event that contains the quote.
        window: the events around it, including this one.
        is_trusted: a model that has passed its exam said it: its words may come from anywhere in the window.
    """
    wanted = _stems_of(statement) - _BESIDE_THE_POINT
    if _denies(statement) and not _denies(event):
        return "it denies what the quoted words do not deny"
    if not wanted:
        return None
    in_event, in_window = (len(wanted & _stems_of(text)) / len(wanted) for text in (event, window))
    if (in_event < _SHARE_OF_EVENT and not is_trusted) or in_window < _SHARE_OF_WINDOW:
        return "the quoted words do not say it"
    if _denies(quote) and not _denies(statement) and wanted <= _stems_of(quote) and not _states(quote, wanted):
        return "the quoted words deny it"
    return None


def _states(quote: str, wanted: frozenset[str]) -> bool:
    """Tell whether the clauses of a quote that deny nothing say all that is wanted: the denial is about something else.

    A denial of a word or two belongs to what stands beside it.
    """
    clauses = [one for one in _CLAUSE.split(quote) if one.strip()]
    denying = [one for one in clauses if _denies(one)]
    is_of_its_own = all(len(one.split()) >= _FEWEST_OF_DENIAL for one in denying)
    return is_of_its_own and wanted <= _stems_of(". ".join(one for one in clauses if one not in denying))


def find_made_up(text: str, sources: Sequence[str]) -> str | None:
    """Return what a text says that its sources do not, as the end of a sentence, or None if they support it.

    Args:
        text: what a model wrote about the sources: an insight, or the cue by which one of them is to be found.
        sources: the whole texts that it was drawn from.
    """
    sentences = [one for one in CLAUSE_END.split(text) if one.strip()]
    if any(is_model_instruction(one) or is_memory_order(one) for one in sentences):
        return "it gives its reader an order"
    said = "\n".join(sources)
    unfounded = [*find_missing_specifics(said, [text]), *_find_other_digits(text, said), *_find_other_doers(text, said)]
    if unfounded:
        return f"its sources do not say {', '.join(dict.fromkeys(unfounded[:_QUOTED]))}"
    wanted, known = _stems_of(text) - _BESIDE_THE_POINT, _stems_of(said)
    if wanted and len(wanted & known) < _SHARE_OF_SOURCES * len(wanted):
        return "its sources do not say it"
    near = (_find_near(current_of(body_of(source)), wanted) for source in sources)
    opposed = next((found for lines in near if (found := reason_opposed(text, lines))), None)
    return f"it contradicts a source: {opposed}" if opposed else None


def with_path(path: str, text: str) -> str:
    """Return a source with its path and the name of its file, which a conclusion may say as well."""
    return f"{text}\n{path} {path.rpartition('/')[2].partition('.')[0]}"


def _find_near(body: str, wanted: frozenset[str]) -> str:
    """Return the lines of a text with most of the wanted stems: of long texts the numbers are compared as a whole."""
    lines = body.splitlines()
    nearest = sorted(range(len(lines)), key=lambda place: (-len(wanted & _stems_of(lines[place])), place))
    return "\n".join(lines[place] for place in sorted(nearest[:_MOST_LINES]))


def _find_other_digits(text: str, said: str) -> list[str]:
    """Return the lone digits of a text that its sources do not have; the numbers of a list are none."""
    known = set(_DIGIT.findall(said))
    return [digit for digit in _DIGIT.findall(_ITEM.sub("", text)) if digit not in known]


def _find_other_doers(text: str, said: str) -> list[str]:
    """Return who does in a text what only others do in its sources: `Carla runs` or `Ben runs the rota`, where Anna does."""
    known, done = _stems_of(said), list(_list_done(said))
    verbs = {verb for _, verb, _ in done}
    doers: dict[tuple[str, frozenset[str]], set[str]] = {}
    for doer, verb, what in done:
        doers.setdefault((verb, what), set()).add(doer)
    return [
        doer
        for doer, verb, what in _list_done(text)
        if (verb in verbs and not _stems_of(doer) <= known) or doer not in doers.get((verb, what), {doer})
    ]


def _list_done(text: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield who does what, for each sentence that begins with a name and a verb: the verb, and the words after it."""
    for sentence in CLAUSE_END.split(text):
        match = _DOER.match(sentence)
        if match and match[1].lower() not in _NO_DOERS and _stems_of(match[1]):
            yield match[1], match[2], _stems_of(sentence[match.end() :])


def _denies(text: str) -> bool:
    words = (found.casefold().replace("\u2019", "'") for found in _WORD.findall(_DENIAL.sub("", text)))
    return any(word.replace("'", "") in NEGATIONS or word.endswith("n't") for word in words)


def _stems_of(text: str) -> frozenset[str]:
    return frozenset(list_stems(as_spaced(text)))
