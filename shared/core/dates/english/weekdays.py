"""English weekdays without a side, which their clause decides: "on Friday", "by Monday", "since Tuesday", "Thu 8:15"."""

import re
from dataclasses import replace

from shared.core.dates.arithmetic import nearest
from shared.core.dates.english.tense import PERFECT, find_direction, find_sentence, find_tense
from shared.core.dates.resolved import When, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, MONTHS, SHORT_WEEKDAY, WEEKDAY, WEEKDAYS

_JOINED = re.compile(
    rf"\b(?:last|past|previous|this|next|following|coming|upcoming|week){GAP}(?:on{GAP})?{SHORT_WEEKDAY},?"
    rf"{GAP}?(?:(?:or|and|/|,){GAP}{SHORT_WEEKDAY},?{GAP}?)?(?:or|and|/|,){GAP}?(?:on{GAP})?$"
    rf"|\b{SHORT_WEEKDAY}\s{{0,2}}(?:-|\u2013|to|through|until|till)\s{{0,3}}$",
    re.IGNORECASE,
)
_RUNS_ON = re.compile(rf"\s{{0,2}}(?:-|\u2013|to|through|until|thru)\s{{0,2}}{SHORT_WEEKDAY}\b", re.IGNORECASE)
_HABIT = re.compile(
    r"\b(?:every|each|any|most|some|all|one|other|a|the|alternate|first|second|third|last)\s{1,3}$", re.IGNORECASE
)
#: "Friday the 15th", "Tuesday, March 7": the rest of the phrase says which one.
SAID_EXACTLY = re.compile(
    rf",?\s{{0,2}}\(?(?:the{GAP})?(?:\d(?!\d?(?:[:.]\d\d|\s?[ap]\.?m|h\b))|(?:{'|'.join(name[:3] for name in MONTHS)})[a-z]{{0,6}}[\s.-]{{0,2}}\d"
    r"|(?<=the\s)(?:first|second|third|four|fif|six|seven|eigh|nine|nint|ten|eleven|twel|twent|thirt)[a-z]{0,6}\b)",
    re.IGNORECASE,
)
#: After a weekday that is a time: "Saturday pickups" speaks of pickups.
_NO_NOUN = r"\s{0,2}(?:[.,;!?:)\n]|$|(?:or|and|at|from|morning|afternoon|evening|night|i|we|he|she|they|it)\b)"
#: A limit lies ahead, unless the sentence says otherwise.
_LIMIT = re.compile(r"(?:by|until|till)\b", re.IGNORECASE)
_SINCE = re.compile(r"since\b", re.IGNORECASE)
#: "Dentist Friday 8:15": an appointment, which lies ahead where the sentence does not say otherwise.
_AT_TIME = re.compile(
    r"(?:\s(?:morning|noon|afternoon|evening|night))?,?\s{0,2}(?:at\s)?\d{1,2}(?:[:.]\d\d|\s?[ap]\.?m|h\b)",
    re.IGNORECASE,
)
_NEAR = 60
_RANGE = re.compile(rf"\b{SHORT_WEEKDAY}\s?(?:-|\u2013|to|through|thru)\s?{SHORT_WEEKDAY}\b", re.IGNORECASE)


def _is_hours(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence holds a range of weekdays, as opening hours do."""
    return _RANGE.search(find_sentence(text, start, end)) is not None


def _bare_weekday(found: re.Match[str], scene: Scene) -> When | None:
    """Read "on Friday" in a clause that looks back or ahead, and not on a Friday. What is ahead may be a habit, too."""
    before = scene.text[max(0, found.start() - _NEAR) : found.start()]
    if _JOINED.search(before) or _HABIT.search(before) or _goes_on(found, scene):
        return None
    weekday = WEEKDAYS[found["weekday"].lower()]
    if scene.today.weekday() == weekday or _is_hours(scene.text, *found.span()):
        return None
    direction = _find_direction(found, scene, before)
    if not direction:
        return None
    is_clear = direction < 0 and find_tense(scene.text, *found.span()) < 0
    return replace(on_day(nearest(scene.today, weekday, direction)), is_clear=is_clear)


def _find_direction(found: re.Match[str], scene: Scene, before: str) -> int:
    if _SINCE.match(found[0]):
        return -1 if PERFECT.search(before) else 0
    direction = find_direction(scene.text, *found.span())
    is_ahead = _LIMIT.match(found[0]) or _AT_TIME.match(scene.text, found.end())
    return direction or (1 if is_ahead else 0)


def _goes_on(found: re.Match[str], scene: Scene) -> bool:
    return any(pattern.match(scene.text, found.end()) for pattern in (_RUNS_ON, SAID_EXACTLY))


_PREPOSITION = r"(?:on|by|until|till|since|before|after|from|due|come)"
_SHORT = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)"
RULES: tuple[DateRule, ...] = (
    rule("on weekday", rf"{_PREPOSITION}{GAP}(?P<weekday>{WEEKDAY})(?!s|['\u2019]s)(?={_NO_NOUN})", _bare_weekday),
    rule("on weekday and more", rf"(?:on|by|until|till){GAP}(?P<weekday>{WEEKDAY})(?!s|['\u2019]s)", _bare_weekday),
    rule("bare weekday", rf"(?P<weekday>{WEEKDAY})(?={_NO_NOUN}|,?\s\d{{1,2}}:\d\d)", _bare_weekday),
    rule(
        "short weekday",
        rf"(?:{_PREPOSITION}{GAP})?(?-i:(?P<weekday>{_SHORT}))(?=\.?(?:{_NO_NOUN}|,?\s{{1,2}}\d{{1,2}}(?::\d\d|\s?[ap]m|h\b)))",
        _bare_weekday,
    ),
)
