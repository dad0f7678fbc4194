"""Find sentences that lean on their neighbour for their subject: "It's 609 now", "That one is on port 8443", "No, the other way round".

Such a sentence is kept together with the sentence before it, in the same message, or not at all.
"""

import re

from shared.core.sessions.cues import find_own_words, is_question, is_transient
from shared.core.sessions.languages import find_language
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.text.words import cut
from shared.languages.function_words import STOP_WORDS
from shared.languages.language_file import pattern_of

#: A whole answer, too short to tell its language.
_TURNED = pattern_of("turned", r"\W*<>")
#: Within an English sentence these need two telling words before them, of which one may be what they stand for.
_STANDING = frozenset({"it", "them", "they", "he", "him", "she", "his", "her"})
#: "I named her Tilly": in a clause about the speaker they stand for nothing in it.
_OF_SPEAKER = re.compile(
    r"^(?:i|we|you)\b(?:(?!\b(?:because|since|so|but|and|when|if|that|which|who|while|until|before|after)\b)[^,;:.!?]){0,200}?\b(?:it|them|him|his|her)\b"
    r"|\b(?:this|that|these|those)(?=\W{0,3}$|[,;!?]| (?:because|since|as well|too|again)\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])(?=.)")
_FEWEST_BEFORE = 2
_FEWEST_WORDS = 3
_IDLE = STOP_WORDS - {"use", "using", "used", "uses"}
_MOST_TOKENS = 60


def leans(statement: str) -> bool:
    """Tell whether a statement needs the sentence before it to say what it is about."""
    head = statement[:400].replace("\u2019", "'")
    language = find_language(head)
    if _TURNED.match(head) or language.leans.match(head):
        return True
    code = language.code
    if code == "en" and _OF_SPEAKER.search(head):
        return True
    words = cut(head)[:_MOST_TOKENS] if code == "en" else []
    at = next((number for number, word in enumerate(words) if word in _STANDING), 0)
    return bool(at) and sum(word not in _IDLE for word in words[:at]) < _FEWEST_BEFORE


def find_whole(statement: str, quote: str, text: str) -> tuple[str, str] | None:
    """Return a statement and its quote with the sentence that they lean on, as they are where they lean on none, or None.

    Args:
        statement: what is to be remembered.
        quote: the words of the message that say it.
        text: the whole message.
    """
    if not leans(statement):
        return statement, quote
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text)
    before = find_own_words(text)[: found.start()].rstrip() if found else ""
    neighbour = _SENTENCE_END.split(before.rpartition("\n")[2].strip())[-1]
    is_whole = len(cut(neighbour)) >= _FEWEST_WORDS and neighbour.endswith((".", "!", "\u3002", "\uff01"))
    if found is None or not is_whole or leans(neighbour) or is_question(neighbour) or is_transient(neighbour):
        return None
    start = before.rindex(neighbour)
    gap = "" if neighbour.endswith(("\u3002", "\uff01")) else " "
    return f"{plain_sentence(neighbour)}{gap}{statement}", text[start : found.end()]
