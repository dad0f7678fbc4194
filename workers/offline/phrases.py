"""Turn a sentence of a session into a plain statement and a title, and decide whether it is worth a memory.

Cues find sentences that may matter, also for a model; these rules decide without one. A doubtful sentence becomes no
memory: the session stays, while a memory without content wastes every reader's time.
"""

import re
from itertools import islice

from shared.core.merging.specifics import find_specifics
from shared.core.sessions.languages import find_language
from shared.core.text.similarity import significant_words
from shared.languages.language_file import every_word, pattern_of

_TITLE_CHARS = 60
_FEWEST_TITLE_WORDS = 3
_WORD_BEGIN = re.compile(r"(?<!\S)\S")
#: Opening phrases without information on the subject.
_TITLE_LEAD = pattern_of("title_leads", r"^(?:<>\s+)+", is_whole=False)
_CLAUSE_END = pattern_of("new_clauses", r"[;!?]|[:.](?=\s|$)| [-\u2013\u2014>]+ |\s(?=<>)|\s\(|(?P<comma>,\s)")
#: After these, the statement begins behind a comma.
_COMMA_LEADS = pattern_of("comma_leads", r"^\W?<>")
_LOOSE_END = pattern_of("loose_ends", r"(?:\s+<>)+$", is_whole=False)

#: Words that only join or order, and name nothing.
_EMPTY = every_word("empty")
_FEWEST_TELLING = 3
_POINTS = pattern_of("points")
_FIRM = pattern_of("firm")
_CHOICE = re.compile(r"^(?:option )?\d{1,2}[a-z]?[,.)]?(?: |$)", re.IGNORECASE)
_CHAT = pattern_of("chat")
_CHAT_LEAD = pattern_of("chat_leads", r"^<>|.*?\[image:")
_HEDGE = pattern_of("hedges")
#: "You count that twice" tells what went wrong, and only a second clause what is right.
_BLAMES = re.compile(
    r"^(?:you|du|tu|te|vous|você|你)(?: |(?=[^a-zà-ÿ]))"
    r"(?!(?:don't|do not|needn't|can|may|should|must|shouldn't|mustn't|never have|musst|brauchst|darfst|kannst|sollst|dois|peux|debes|puedes|deve|pode|要|可以|不用)\b)"
    r"[^,;:()\u2013\u2014\uff0c\u3002]*$",
    re.IGNORECASE,
)
#: "Write that down" speaks of another sentence.
_KEEP_THAT = pattern_of("keep_that", r"^<> (?:this|that|it)\b[^:]*$")
#: "This: the port is 80".
_LABEL = pattern_of("labels", r"^<>\s?:\s*")
_FRAGMENT = pattern_of("fragments", r"^<>|^\d{1,2}:\d\d\b")
_STORY = pattern_of("stories", "^<>")
_WISH = pattern_of("wishes", "^<>")
_NORM = pattern_of("norms")
#: A masked secret, such as `[masked: API key]`: its colon ends no clause.
_MASKED = re.compile(r"\[masked: [^\[\]\n]{1,60}\]")


def state_plainly(quote: str) -> str:
    """Return a sentence without its opening phrase."""
    bare = _LABEL.sub("", find_language(quote).opening.sub("", quote, count=1).strip())
    if bare[:1] in {'"', "\u201c"} and bare.count(bare[0]) + bare.count("\u201d") == 1:
        bare = bare[1:].lstrip()  # a quotation whose end is in another sentence
    return f"{bare[:1].upper()}{bare[1:]}" if bare else ""


def title_statement(statement: str) -> str:
    """Return the first clause of a statement as a title of at most 60 characters, in its own words and order."""
    shown = _MASKED.sub("[masked]", " ".join(statement.split()))
    bare = _TITLE_LEAD.sub("", shown, count=1) or shown
    skips_commas = _COMMA_LEADS.match(bare) is not None
    ends = (found.start() for found in _CLAUSE_END.finditer(bare) if not (found["comma"] and skips_commas))
    third = next(islice(_WORD_BEGIN.finditer(bare), _FEWEST_TITLE_WORDS - 1, None), None)
    end = next((at for at in ends if third is not None and third.start() < at), len(bare))
    title = bare[:end]
    if len(title) > _TITLE_CHARS:
        title = title[: _TITLE_CHARS + 1].rpartition(" ")[0] or title[:_TITLE_CHARS]
    title = _LOOSE_END.sub("", title).strip(" .,:;!?\"'*`\u3002\uff01\uff0c") or bare[:_TITLE_CHARS].strip()
    title = title.replace("`", "") if title.count("`") % 2 else title
    return f"{title[:1].upper()}{title[1:]}"


def is_worth_keeping(kind: str, statement: str) -> bool:
    """Tell whether a statement of this kind makes sense without its session."""
    if kind == "save":
        return not (_FRAGMENT.match(statement) or _KEEP_THAT.match(statement))
    is_blame = kind in {"correction", "preference"} and blames(statement)
    if (
        is_blame
        or _CHOICE.match(statement)
        or _CHAT.search(statement)
        or _CHAT_LEAD.match(statement)
        or _FRAGMENT.match(statement)
    ):
        return False
    has_specifics = bool(find_specifics(statement))
    if not has_specifics and not _tells_enough(statement):
        return False
    if find_language(statement).code != "en":
        return True  # the rules below know English words; the cues of the other languages are narrow enough
    if kind == "correction":
        return not (_HEDGE.search(statement) or _STORY.match(statement))
    return kind != "decision" or _is_decision(statement, has_specifics=has_specifics)


def blames(statement: str) -> bool:
    """Tell whether a statement only says what its reader did wrong, and not what is right."""
    return _BLAMES.match(statement) is not None


def _tells_enough(statement: str) -> bool:
    telling = len(set(significant_words(statement, 40)) - _EMPTY)
    is_firm = _FIRM.search(statement) is not None and not _POINTS.search(statement)
    return telling >= (1 if is_firm else _FEWEST_TELLING)


def _is_decision(statement: str, *, has_specifics: bool) -> bool:
    if _HEDGE.search(statement) or not _NORM.search(statement):
        return has_specifics and not _HEDGE.search(statement) and not statement.endswith("!")
    is_plain_wish = _WISH.match(statement) is not None and statement.endswith("!")
    return has_specifics or not is_plain_wish
