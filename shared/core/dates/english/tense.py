"""The tense of an English sentence: "on Friday" alone does not say which Friday."""

import re

_PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|wasn't|been|went|met|saw|said|told|got|made|took|came|began|broke|sent|found|wrote|ran|"
    r"gave|left|held|lost|won|built|bought|fell|felt|kept|led|paid|put|read|sold|spoke|spent|taught|thought|knew|became|"
    r"drove|flew|ate|cut|hit|set|shipped|died|tied|lied|owed|used|froze|rang|sang|drank|swam|threw|grew|blew|drew|wore|tore|chose|"
    r"let(?!'s| me| us| you)|rose|rode|stole|woke|shook|stood|understood|caught|fought|dug|hung|stuck|struck|slept|swept|dealt|meant|lent|bent|burnt|learnt|"
    r"fled|shot|slid|sat|lit|quit|split|hurt|laid|forgot|sank|shrank|spun|hid|bit|heard|brought|withdrew|overslept|rebuilt|rewrote|shut|"
    r"(?!hundred|indeed|speed|exceed|proceed|succeed|embed)(?<!\bthose )(?<!\bthese )(?<!\bones )(?<!\banything )(?<!\beverything )[a-z]{3,20}ed)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|planning|plans? to|let's|schedule|book|arrange|set up|can|could|would|should|must|"
    r"need to|needs to|want to|wants to|due|deadline|eta|etd|upcoming|please|available|remind)\b|\b\w{1,5}'ll\b",
    re.IGNORECASE,
)
#: "Is closed", "are paid", "gets emptied": a participle that tells how things are, on any such day.
_STANDING = re.compile(
    r"\b(?:is|are|am|be|being|gets?|becomes?|\w{1,5}'(?:s|re|m))\s{1,3}(?:not\s{1,3})?(?:\w{2,12}ly\s{1,3}|also\s{1,3}|then\s{1,3}){0,2}"
    r"(?:held|sent|made|found|kept|put|read|sold|spent|taught|cut|set|shipped|led|paid|built|bought|told|won|[a-z]{3,20}ed)\b",
    re.IGNORECASE,
)
#: "Invoices ordered on Friday arrive on Tuesday": a participle behind its noun, and behind its day the verb of any such week.
_ANY_SUCH = re.compile(
    r"\W{0,8}(?:[a-z]{1,20} ){0,2}[a-z]{2,20}s (?:of [a-z]{2,20} )?(?:not )?(?:held|sent|made|found|kept|read|sold|built|bought|told|cut|set|paid|shipped|[a-z]{3,20}ed)"
    r"(?: [a-z]{1,20}){0,3}? (?:on|by|before|after|until|since|in) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[a-z]{3,9}uary|march|april|may|june|july|august|"
    r"(?:septem|octo|novem|decem)ber) "
    r"(?!(?:and|or|but|nor|because|when|while|where|which|who|that|after|before|until|since|so|as|in|at|on|by|for|with|from|to|of|due|"
    r"despite|during|again|already|too|instead|without|via|into|over|under|about|morning|afternoon|evening|night|noon|last|this|"
    r"was|were|had|did|went|came|got|broke|began|took|made|ran|said|saw|left|lost|[a-z]{3,20}ed)\b)[a-z]{2}",
    re.IGNORECASE,
)
#: A line that is wrapped goes on; an item, a heading, a row and an empty line begin anew.
_BEFORE = re.compile(r"[.!?](?=\s|$)|\n(?=\s|[-*+#>|]|\d{1,3}[.)]\s|$)")
_REACH = 160
PERFECT = re.compile(r"\b(?:has|have|haven't|hasn't|been|\w{1,5}'ve)\b", re.IGNORECASE)


#: Between two clauses, each with a tense of its own.
_CLAUSE = re.compile(
    r"[,;:()\u2013\u2014]|\b(?:and|but|so|because|that|which|who|when|while|where|although|though)\b", re.IGNORECASE
)
#: What a colon announces has a tense of its own, or none: "we suggested: warn on Sunday".
_ANNOUNCED = re.compile(r".*:\s", re.DOTALL)
#: A verb of the present: what other clauses say of the past does not count for its own.
_PRESENT = re.compile(r"\b(?:is|are|am|has|have|\w{1,9}'(?:s|re|m|ve))\s", re.IGNORECASE)
#: An event that is arranged is told in the present: "the truck arrives on Wednesday", "we're leaving on Friday".
_ARRANGED = re.compile(
    r"\b(?:(?:arriv|leav|clos|com|mov|releas|merg|migrat|resum|retir|rotat|continu|conven|expir|chang|tak|hav|giv|driv|laps|celebrat|rehears)es?|"
    r"(?:start|begin|open|end|land|depart|launch|ship|return|join|visit|deliver|meet|expire|kick|finish|happen|go|fly|run|sit|play|drop|"
    r"present|fall|switch|speak|stop|pick|lift|renew|reopen|turn|work|enter|need|report|pay|hand|bring|get|see|host|deploy|interview|audit)(?:e?s)?|flies|"
    r"due|reminder|appointment|deadline|dentist|meeting|call|flight|demo|review|retro|kickoff|"
    r"(?:is|are|am|\w{1,9}'(?:s|re|m))\s{1,3}(?:\w{2,12}ly\s{1,3}|not\s{1,3}|also\s{1,3})?(?:\w{2,16}ing|off|away|out|back|on leave|on call|free|busy|here))\b"
    r"|(?<!\bit )(?<!today )\b(?:is|are)\s{1,3}$",
    re.IGNORECASE,
)
#: A present of its own after other clauses in the past: "she wants it changed; samples come on Friday".
_TAKES_PLACE = re.compile(
    r"\b(?:come|arrive|leave|start|begin|open|close|end|land|return|meet|happen|follow|move)s?(?:\s{1,3}(?:back|in|again|on|by)){0,2}\s{0,3}$",
    re.IGNORECASE,
)
#: "Neighbours moving Sunday": a verb without another one in front, right before its day.
_COMING = re.compile(r"^\s{0,3}(?:[\w']{1,16}\s{1,3}){0,3}\w{2,16}ing\s{1,3}(?:in\s{1,3}|up\s{1,3})?$")
#: "Moved to Friday", "booked for Friday": what was done is past, and the day lies ahead.
_TARGET = re.compile(
    r"\b(?:moved|pushed|shifted|postponed|rescheduled|delayed|deferred|scheduled|planned|booked|set|due|slated|arranged|bumped|fixed|reserved|"
    r"promised|expected|needed|wanted|listed|back|invited|closed|open|off|out|away)\s{1,3}(?:\w{1,12}\s{1,3}){0,3}?(?:to|for|by|until|till)\s{1,3}$|\b(?:to|until|till|now)\s{1,3}$|\b[a-z]{3,20}ed\s{1,3}for\s{1,3}$",
    re.IGNORECASE,
)
#: "Asked for leave in August": when it was asked, or what for.
_ASKED_FOR = re.compile(
    r"\b(?:(?:ask|appl|hop|wish|beg|sign|enquir|inquir|volunteer|pray)(?:ed|ied|ged|red|s|es|ies)?(?:\s{1,3}up)?\s{1,3}for"
    r"|(?:request|propos|book|reserv)(?:ed|es|s))\s{1,3}(?:[\w']{1,16}\s{1,3}){1,6}(?:in|on|from|over)?\s{0,3}$",
    re.IGNORECASE,
)


def find_tense(text: str, start: int, end: int) -> int:
    """Return -1 for a phrase about the past, 1 for one about the future, 0 for neither or both; its clause goes before its sentence."""
    sentence = find_sentence(text, start, end)
    if _ANY_SUCH.match(" ".join(find_sentence(text, start, start).split())):
        return 0
    left, right = _sides(text, start, end)
    clause = f"{_CLAUSE.split(left)[-1]} {_CLAUSE.split(right, maxsplit=1)[0]}"
    tense = _tense_in(clause)
    lead = _CLAUSE.split(left)[-1]
    if tense or any(
        pattern.search(part)
        for pattern, part in ((_PRESENT, clause), (_STANDING, clause), (_TAKES_PLACE, lead), (_COMING, lead))
    ):
        return tense
    return _tense_in(sentence)


def find_direction(text: str, start: int, end: int) -> int:
    """Return the tense of a phrase, and 1 where its clause tells an arranged event in the present."""
    left, right = _sides(text, start, end)
    if _ASKED_FOR.search(left) or _ASKED_FOR.search(f"{left.rstrip()} {text[start:end].partition(' ')[0]} "):
        return 0
    lead = text[start:end].rpartition(" ")[0]  # "until" of "until Friday"
    if _TARGET.search(left) or _TARGET.search(f"{left.rstrip()} {lead} "):
        return 1
    tense = find_tense(text, start, end)
    if tense or _STANDING.search(f"{left} {right}"):
        return tense
    clause = f"{_CLAUSE.split(right, maxsplit=1)[0]} {_CLAUSE.split(left)[-1]}"
    is_coming = _ARRANGED.search(clause) or _ARRANGED.search(left) or _COMING.search(_CLAUSE.split(left)[-1])
    return 1 if is_coming else 0


def _tense_in(words: str) -> int:
    # "set up a meeting we scheduled": what is to come decides over a form that may be a participle.
    if _FUTURE.search(words):
        return 0 if re.search(r"\b(?:was|were|had|did|didn't)\b", words, re.IGNORECASE) else 1
    return -1 if _PAST.search(words) and not _STANDING.search(words) else 0


def is_span_of_work(text: str, start: int, end: int) -> bool:
    """Tell whether "in two weeks" is how long something takes: "it was written in two weeks", "a visa is issued in two weeks"."""
    sentence = find_sentence(text, start, end)
    return not _FUTURE.search(sentence) and _PAST.search(sentence) is not None


def has_perfect(text: str, start: int, end: int) -> bool:
    """Tell whether the sentence of a phrase has a verb in the perfect tense: "it has been slow"."""
    return PERFECT.search(find_sentence(text, start, end)) is not None


def find_sentence(text: str, start: int, end: int) -> str:
    """Return the words of its sentence on both sides of a phrase."""
    return " ".join(_sides(text, start, end))


def _sides(text: str, start: int, end: int) -> tuple[str, str]:
    left = text[max(0, start - _REACH) : start]
    right = text[end : end + _REACH]
    stops = list(_BEFORE.finditer(left))
    left = left[stops[-1].end() :] if stops else left
    left = _ANNOUNCED.sub("", left)
    stop = _BEFORE.search(right)
    right = right[: stop.start()] if stop else right
    return left.replace("\u2019", "'"), right.replace("\u2019", "'")
