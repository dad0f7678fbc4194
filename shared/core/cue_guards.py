"""What is not knowledge: a passing intent ("let me run the tests") and a question that asks to be told something.

A polite proposal ("hmm, couldn't we use X instead?") has a question mark and is none: it is how people correct.
"""

import re

#: How a person leads into what they mean.
_LEAD = (
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|sure|right|good|great|cool|nice|thanks?|alright|now|first|next|then|so|and|also|but|"
    r"please|just|hmm+|well|quickly|again)[,.! ]+){0,4}"
)
#: Who is to do it; a bare imperative has nobody.
_WHO = (
    r"(?:(?:let me|let's|lets|let us|i'll|i will|i'm going to|i am going to|i'm gonna|we'll|we will|"
    r"(?:can|could|would|will) (?:you|we|i)|go ahead and|you can|i want you to|i need you to)\s+)?"
    r"(?:(?:now|first|please|just|also|quickly|then|try to)\s+){0,2}"
)
#: Verbs of the moment: when the work is done, nothing of the sentence is worth keeping.
_PASSING = (
    r"(?:re-?run|run|check|double-check|look|see|start|continue|proceed|go on|go ahead|open|commit|push|test|verify|validate|"
    r"read|search|grep|find|fix|debug|wait|think|review|explain|show|tell|list|print|investigate|rebase|merge|build|"
    r"compile|restart|retry|try|summari[sz]e|describe|address|take a look|have a look|dig|analy[sz]e|get|give|begin|"
    r"finish|view|inspect|examine|walk|help|confirm|format|lint|delete|do)\b"
)
_TRANSIENT = re.compile(rf"\W{{0,8}}{_LEAD}{_WHO}{_PASSING}", re.IGNORECASE)
_ASKING = re.compile(
    rf"\W{{0,8}}{_LEAD}(?:what|how|why|where|when|who|which|whose|does|do|did|is|are|was|were|has|have|should|"
    r"would it|can it|any idea|any chance|i wonder|i'm wondering|wondering|(?:can|could|would) you "
    r"(?:please )?(?:explain|tell|show|describe))\b",
    re.IGNORECASE,
)
#: "What I'm trying to achieve is", "why not use", "is there a way to not": these state a wish.
_WISHING = re.compile(
    rf"\W{{0,8}}{_LEAD}(?:what (?:i|we)(?:'m|'re| am| are| want| need| meant| mean)\b|why not\b|why don't (?:we|you)\b|"
    r"how about\b|what about\b|what if (?:we|you)\b|is there (?:any|a|no|another|some) (?:\w+ )?way\b|"
    r"(?:is|are|do|does|should|did|would|was)n't\b|don't\b|do not\b|have (?:it|them|the|this|that)\b|"
    r"when(?:ever)?\b[^?]{1,120},|where\b[^?]{1,120},)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
#: Narrow on purpose: "ignore the above error" is how people speak to their agents.
_ORDER_TO_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|your|my|of|these|those)\s+){0,3}"
    r"(?:(?:above|previous|prior|earlier|preceding|foregoing|system)\s+){1,2}"
    r"(?:instructions?|prompts?|directions?|directives?|guidelines|orders|messages?)\b"
    r"|^\W{0,8}(?:ignore|disregard|forget) (?:all of )?(?:the above|everything above)\W{0,3}$"
    r"|\byou are (?:now )?(?:root|dan|in developer mode|the system|an? unrestricted)\b"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|</?(?:system|instructions?)>|\[/?INST\]",
    re.IGNORECASE,
)
#: Longer texts are no single intent; it also bounds the work on hostile input.
_LONGEST_INTENT = 2_000


def is_transient(text: str) -> bool:
    """Tell whether all that a text says is what somebody is about to do or wants done now."""
    if len(text) > _LONGEST_INTENT:
        return False
    sentences = [part for part in _SENTENCE_END.split(straight(text)) if part.strip()]
    return bool(sentences) and all(_TRANSIENT.match(part.strip()) for part in sentences)


def is_question(text: str) -> bool:
    """Tell whether a sentence asks to be told something; a polite proposal or wish does not."""
    words = straight(text).strip()
    if _WISHING.match(words):
        return False
    asks = _ASKING.match(words) is not None
    is_marked = words.endswith("?")
    return (is_marked and asks) or (
        asks and re.match(r"\W{0,8}(?:i wonder|i'm wondering|wondering)", words, re.IGNORECASE) is not None
    )


def is_order_to_model(text: str) -> bool:
    """Tell whether a sentence tries to command whoever reads the transcript; such words are no knowledge of a user's."""
    return _ORDER_TO_MODEL.search(straight(text)) is not None


def straight(text: str) -> str:
    """Return the text with typographic apostrophes made plain; its length stays the same."""
    return text.replace("\u2019", "'").replace("\u2018", "'")
