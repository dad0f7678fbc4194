"""Cues: sentences of a user that may hold a correction, something to keep, a decision or a preference.

They are found once, before a dream reads an event, so that it reads hits and not transcripts. Rules know textbook phrases, and
evidence weighs what people say in their own words, both from `shared/languages`. Precision comes first: no cue are requests ("could you
rename it?"), passing intents ("let me run the tests"), questions, what others said, and pasted text: code, quotations, logs, mails,
review comments, documents. The work is linear: a fixed number of rules and phrases over sentences of bounded length.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from shared.core.sessions.cue_rules import ASSISTANT_HINTS, ASSISTANT_RULES, CueKind, CueRule
from shared.core.sessions.evidence import load_phrases
from shared.core.sessions.evidence.score import complete_reasons, find_marks, total_of, weigh
from shared.core.sessions.evidence.weights import ENOUGH
from shared.core.sessions.languages import find_language
from shared.core.sessions.languages.language import Language
from shared.core.sessions.pasted import blank_pasted, blank_reported, is_review_comment
from shared.languages.language_file import pattern_of

_GUARDED_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
#: Narrow on purpose: "ignore the above error" is how people speak to their agents.
ORDER_TO_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|your|my|of|these|those)\s+){0,3}"
    r"(?:(?:above|previous|prior|earlier|preceding|foregoing|system)\s+){1,2}"
    r"(?:instructions?|prompts?|directions?|directives?|guidelines|orders|messages?)\b"
    r"|^\W{0,8}(?:ignore|disregard|forget) (?:all of )?(?:the above|everything above)\W{0,3}$"
    r"|\byou are (?:now )?(?:root|dan|in developer mode|the system|an? unrestricted)\b"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|</?(?:system|instructions?)>|\[/?INST\]",
    re.IGNORECASE,
)
#: Longer texts are not a single intent; it also bounds the work on hostile input.
_LONGEST_INTENT = 2_000
_LONGEST_SENTENCE = 600
#: "We use tabs, ok?" states; "ok?" only asks whether it was heard.
_TAG = pattern_of("tags", r"[,\uff0c ]{1,3}<>\s{0,3}[?\uff1f]\W{0,4}$")
#: A question's mark stands among its last characters.
_LONGEST_TAG = 60
#: A whole sentence that only rejects: the right statement follows it.
_BARE_NO = pattern_of("refusals", r"\W{0,8}(?:(?:hm+|uh|um|er|ah|oh|well|äh|ähm)\W{1,3})?<>\W{0,8}")
_BARE_NO_STRENGTH = 0.8
#: Who laughs means less than the words say; what is to be remembered is said in earnest all the same.
_LAUGHTER = pattern_of("laughs", r"<>|(?<!\w):-?d(?!\w)|[\U0001f602\U0001f923]|哈哈|[(（]?笑[)）]?")  # noqa: RUF001 - as Japanese writes it


def is_transient(text: str) -> bool:
    """Tell whether a text only says what its author is about to do or wants done now."""
    if len(text) > _LONGEST_INTENT:
        return False
    language = find_language(straight(text))
    sentences = [part.strip() for part in _GUARDED_SENTENCE_END.split(straight(text)) if part.strip()]
    return bool(sentences) and all(_is_request(part, language) for part in sentences)


def is_question(text: str) -> bool:
    """Tell whether a sentence asks for something and states nothing that is to be kept."""
    words = straight(text).strip()
    return _asks(words, find_language(words)) and not _holds_in_request(words)


def _asks(sentence: str, language: Language) -> bool:
    ending = sentence[-_LONGEST_TAG:]
    is_marked = "?" in ending or "\uff1f" in ending
    stated = _TAG.sub("", sentence[-_LONGEST_SENTENCE:]) if is_marked else ""
    return (
        stated.rstrip("\"'\u201d) ").endswith(("?", "\uff1f"))
        or language.question.search(sentence[:_LONGEST_SENTENCE].lower()) is not None
    )


def _is_request(sentence: str, language: Language) -> bool:
    """Tell whether a sentence wants something done once; an order for every time is none."""
    head = sentence[:_LONGEST_SENTENCE].lower()
    is_passing = language.request.search(head) is not None or language.moment.search(head) is not None
    return is_passing and not _find_rules(head, language, only_firm=True)


def _holds_in_request(sentence: str) -> bool:
    language, head = find_language(sentence), sentence[:_LONGEST_SENTENCE].lower()
    return language.request.search(head) is not None and bool(_find_rules(head, language, only_firm=True))


def _find_rules(lowered: str, language: Language, *, only_firm: bool) -> list[CueRule]:
    return [rule for rule in language.rules if (rule.is_firm or not only_firm) and rule.holds_in(lowered)]


def is_model_instruction(text: str) -> bool:
    """Tell whether a sentence tries to command the model that reads the transcript; such words are not knowledge."""
    return ORDER_TO_MODEL.search(straight(text)) is not None


def straight(text: str) -> str:
    """Return the text with typographic apostrophes made plain; its length stays the same."""
    return text.replace("\u2019", "'").replace("\u2018", "'")


#: Raised with every change of what is found; events that an older version looked at are looked at again.
DETECTOR_VERSION = 15
#: Characters of a text that are searched; a longer one was not typed.
MAX_SCANNED_CHARS = 200_000
#: What a person types comes before or after what they paste; rules cost up to 6 microseconds a character.
_FIRST_CHARS = 8_000
_LAST_CHARS = 4_000
MAX_CUES = 50
MAX_SENTENCE_CHARS = 400
#: Two weaker reasons in one sentence make a stronger one.
_SECOND_REASON = 0.1
#: How sure a cue is that no rule knows.
_WEIGHED_STRENGTH = 0.6
#: From this strength on, the kind of a textbook phrase stands whatever the evidence speaks for.
_SURE = 0.9
#: Evidence against a cue that undoes a textbook phrase, in a sentence of talk or thanks: "Always happy to help!".
_TALK, _TALKING = -1.5, frozenset({"chat", "thanks"})
#: Evidence against a cue that undoes any but the surest phrases.
_AGAINST = -3.3
#: So many characters that are not the author's make a message one about them.
_FEWEST_QUOTED_CHARS = 8
#: A sentence with one of these wants something done once, or is bound to this moment.
_PASSING = frozenset({"request", "moment"})
#: A sentence with this mark is no cue whatever else is in it.
_IDLE = "idle"
#: No sentence ends behind a title, an initial and the like.
_SENTENCE_END = re.compile(
    r"[.!?](?=[\s\"')])(?<!\b[DMdm]r\.)(?<!\bM[rs]s\.)(?<!\b(?:Ms|St|vs|Nr|Fr|Hr|ca)\.)(?<!\b(?:Sra|Dra)\.)(?<!\bProf\.)"
    r"(?<!\b(?:e\.g|i\.e|z\.B)\.)(?<! [A-Z]\.)|[\u3002\uff01\uff1f]|\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A sentence worth looking at.

    Attributes:
        kind: the kind of the strongest rule.
        start: the first character of the sentence in the text.
        end: one past its last character.
        strength: 0 to 1, the confidence of the rules.
        rule: the name of the strongest rule, for counters and explanations.
    """

    kind: CueKind
    start: int
    end: int
    strength: float
    rule: str


def find_cues(text: str, *, is_assistant: bool = False, is_log: bool = False) -> tuple[Cue, ...]:
    """Return the cues of one message in order, at most 50 and at most one for each sentence.

    Args:
        text: what a user typed; what they pasted or quoted in it are not their words.
        is_assistant: the text is an assistant's; only an admitted mistake, a decision or a finding counts.
        is_log: the text is an entry of a daily log; each is read anyway, so that only rules make it a cue.
    """
    head = straight(text[:MAX_SCANNED_CHARS])
    found = _find_assistants(head) if is_assistant else _find_users(head, only_rules=is_log)
    return tuple(cue for cue, _ in zip(found, range(MAX_CUES), strict=False))


def _find_assistants(text: str) -> Iterator[Cue]:
    if not _may_be_assistants(text):
        return
    prose = blank_pasted(text)
    for start, end in _find_sentences(prose):
        sentence = prose[start:end]
        rules = [rule for rule in ASSISTANT_RULES if rule.holds_in(sentence)] if _may_be_assistants(sentence) else []
        is_firm = any(rule.is_firm for rule in rules)
        if rules and (is_firm or not (is_question(sentence) or is_transient(sentence))):
            yield _make_cue(rules, start, end)


def _may_be_assistants(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in ASSISTANT_HINTS)


def _find_users(text: str, *, only_rules: bool) -> Iterator[Cue]:
    sentences = _look_at(text)
    for this, following in pairwise([*sentences, None]):
        if this is None:
            return
        if _BARE_NO.fullmatch(this.text):
            if following is not None and _states(following):
                yield Cue(
                    kind=CueKind.CORRECTION, start=this.start, end=this.end, strength=_BARE_NO_STRENGTH, rule="no"
                )
            continue
        cue = _decide(this, only_rules=only_rules)
        if cue is not None:
            yield cue


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence of a person with what is found in it, and in the end all the reasons for and against a cue."""

    start: int
    end: int
    text: str
    rules: Sequence[CueRule]
    marks: frozenset[str]
    reasons: frozenset[str] = frozenset()


def _look_at(text: str) -> list[_Sentence]:
    own = find_own_words(text)
    prose = _blank_middle(own)
    language = find_language(prose)
    found = [_look_at_sentence(prose, *bounds, language) for bounds in _find_sentences(prose)]
    is_quoting = own.count(" ") - text.count(" ") > _FEWEST_QUOTED_CHARS
    reasons = complete_reasons([one.marks for one in found], is_quoting=is_quoting)
    return [replace(one, reasons=mine) for one, mine in zip(found, reasons, strict=True)]


def _look_at_sentence(prose: str, start: int, end: int, language: Language) -> _Sentence:
    sentence = prose[start:end]
    lowered = sentence.lower()
    is_request, is_momentary = language.request.search(lowered) is not None, language.moment.search(lowered) is not None
    rules = _find_rules(lowered, language, only_firm=is_request or is_momentary)
    said = {
        "question": _asks(sentence, language),
        "request": is_request,
        "moment": is_momentary,
        "reported": language.reported.search(lowered) is not None,
        _IDLE: language.idle.search(lowered) is not None,
        "firm": any(rule.is_firm for rule in rules),
        "laughs": _LAUGHTER.search(lowered) is not None,
    }
    marks = find_marks(sentence, load_phrases(language.code), language.code)
    marks |= {name for name, holds in said.items() if holds}
    return _Sentence(start=start, end=end, text=sentence, rules=rules, marks=frozenset(marks))


def find_reasons(text: str) -> list[frozenset[str]]:
    """Return the reasons for and against a cue of each sentence of a message, by which weights are fitted."""
    return [one.reasons for one in _look_at(straight(text[:MAX_SCANNED_CHARS]))]


def _blank_middle(prose: str) -> str:
    """Blank whole sentences in the middle of a long message, since they were not typed."""
    if len(prose) <= _FIRST_CHARS + _LAST_CHARS:
        return prose
    start, end = _next_sentence(prose, _FIRST_CHARS), _next_sentence(prose, len(prose) - _LAST_CHARS)
    return prose[:start] + " " * (end - start) + prose[end:]


def _next_sentence(prose: str, place: int) -> int:
    stop = _SENTENCE_END.search(prose, place, place + MAX_SENTENCE_CHARS)
    return stop.end() if stop else place


def find_own_words(text: str) -> str:
    """Blank everything that the author of a message pasted or quoted, so that positions stay the same."""
    if is_review_comment(text):
        return " " * len(text)
    prose = blank_pasted(text)
    return blank_reported(prose, find_language(prose))


def _states(sentence: _Sentence) -> bool:
    is_request = sentence.marks & _PASSING and "firm" not in sentence.marks
    return not (is_request or sentence.marks & {"question", "reported", _IDLE})


def _decide(sentence: _Sentence, *, only_rules: bool) -> Cue | None:
    """Return the cue of a sentence: by a rule, or because what is found in it weighs enough."""
    if _IDLE in sentence.marks:
        return None
    total = total_of(sentence.reasons)
    rules = [rule for rule in _find_cue_rules(sentence) if total >= _AGAINST or rule.strength >= _SURE]
    best = max(rules, key=lambda rule: rule.strength, default=None)
    is_asking = "question" in sentence.marks and "request" not in sentence.marks
    is_heavy = not (only_rules or is_asking) and total >= ENOUGH
    is_talk = total < _TALK and bool(sentence.marks & _TALKING)
    if (best is None and not is_heavy) or (is_talk and not only_rules):
        return None
    weighed = weigh(sentence.reasons, best.kind if best else None)
    is_named = best is not None and (best.kind is CueKind.SAVE or not is_heavy or best.strength >= _SURE)
    strength = best.strength + _SECOND_REASON * (len(rules) > 1) if best else _WEIGHED_STRENGTH
    return Cue(
        kind=best.kind if best and is_named else weighed.kind,
        start=sentence.start,
        end=sentence.end,
        strength=round(min(1.0, strength), 2),
        rule=best.name if best else weighed.reason,
    )


def _find_cue_rules(sentence: _Sentence) -> Sequence[CueRule]:
    """Return the rules that hold for a sentence; in a request only those that make it one for every time."""
    found, is_passing = sentence.rules, bool(sentence.marks & _PASSING)
    if not found or "reported" in sentence.marks or (not is_passing and "question" in sentence.marks):
        return ()
    return (
        [rule for rule in found if rule.kind is CueKind.SAVE and rule.is_firm] if "laughs" in sentence.marks else found
    )


def _find_sentences(prose: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each sentence without its margins, none longer than 400 characters."""
    start = 0
    while start < len(prose):
        limit = min(start + MAX_SENTENCE_CHARS, len(prose))
        stop = _SENTENCE_END.search(prose, start, limit)
        end = stop.end() if stop else limit
        words = prose[start:end]
        left = start + len(words) - len(words.lstrip())
        right = start + len(words.rstrip())
        if right > left:
            yield left, right
        start = end


def _make_cue(rules: Sequence[CueRule], start: int, end: int) -> Cue:
    best = max(rules, key=lambda rule: rule.strength)
    strength = min(1.0, best.strength + _SECOND_REASON * (len(rules) > 1))
    return Cue(kind=best.kind, start=start, end=end, strength=round(strength, 2), rule=best.name)
