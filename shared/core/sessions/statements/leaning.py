"""Find sentences that lean on their neighbour for their subject: "It's 609 now", "That one is on port 8443", "No, the other way round".

Such a sentence is kept together with the sentence before it, in the same message, or not at all.
"""

import re

from shared.core.sessions.cues import find_own_words, is_question, is_transient
from shared.core.sessions.languages import find_language
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.text.similarity import STOP_WORDS
from shared.core.text.words import cut

_DOES_EN = (
    "is|isn't|are|aren't|was|wasn't|were|runs?|goes|should|must|needs?|has|have|had|will|won't|would|can|can't|could|does|doesn't|did|"
    "means|lives|stays|works|listens|belongs|moved|changed|on|in|at|too|instead|again"
)
_DOES_DE = (
    "ist|sind|war|waren|läuft|laufen|heißt|geht|gilt|liegt|steht|kommt|hat|haben|wird|werden|muss|müssen|soll|sollte|kann|darf|braucht|"
    "bleibt|gehört|stimmt|macht|passt|auf|bei|im|in"
)
_DOES_NL = "is|zijn|was|draait|loopt|staat|ligt|gaat|moet|kan|heet|wordt|heeft|blijft|kost|zit"
#: By language, how a sentence begins whose subject was named before it; `es gibt` and the like point at nothing.
_BEGINNINGS = {
    "en": rf"(?:it(?!(?:'s| is| was) (?:important|essential|best|better|fine|ok|okay|forbidden|allowed|mandatory|required|necessary|safe|wrong) (?:to|that|if|for)\b)"
    rf"|its|they|their|them|he|she|his|her|him|these(?! days)|those|neither|the (?:other|same|former|latter|first|second|third|last)"
    rf"(?: (?:one|ones|two|way|thing))?(?: (?:a?round))?(?= (?:{_DOES_EN})\b|\W*$)"
    rf"|that|this(?: (?:one|way))?(?= (?:{_DOES_EN})\b|\W*$))\b",
    "de": rf"(?:es(?! (?:gibt|ist (?:wichtig|besser|verboten|erlaubt|nötig)))|er|sie(?! (?:müssen|sollen|sollten|können|dürfen))|ihn|ihm|dies(?:e[rsnm]?)?"
    rf"|(?:das|der|die)(?: da| hier)?(?= (?:{_DOES_DE})\b)|(?:der|die|das) andere|anders(?:he)?rum|umgekehrt)\b",
    "fr": r"(?:il(?! (?:faut|y a|est (?:important|interdit|obligatoire|préférable)))|ils|elles?|ça|cela|ceci|c'(?:est|était)|ce n'est|ce(?:t|tte)? \w+-l[àa]"
    r"|celui|celle|ceux|celles|l'autre|l'inverse|les deux|dans l'autre sens|le contraire)\b",
    "es": r"(?:él|ellos|ellas?|eso|esto|aquello|es[ae]|est[ae]|[ae]s[ao]s|est[ao]s|aquel(?:la)?|lo mismo|al revés|el otro|la otra|ambos"
    r"|(?:ahora )?(?:es|está|son|están|era|fue|corre|va|vive|funciona|escucha|sigue|tiene|cuesta)(?! (?:importante|mejor|obligatorio|necesario)))\b",
    "pt": r"(?:eles?|elas?|isso|isto|aquilo|ess[ea]s?|est[ea]s?|aquel[ea]s?|o outro|a outra|ao contrário|o contrário"
    r"|(?:agora )?(?:é|está|são|estão|era|foi|roda|fica|vai|funciona|tem|custa)(?! (?:importante|melhor|obrigatório|necessário)))\b",
    "it": r"(?:ess[oaie]|lui|lei|loro|quest[oaie]|quell[oaie]|quel|ciò|(?:al|il) contrario|l'altr[oa]|viceversa"
    r"|(?:ora |adesso )?(?:è|sta|stanno|era|gira|va|funziona|si trova|costa)(?! (?:importante|meglio|obbligatorio|necessario|vietato)))\b",
    "nl": rf"(?:het(?! is (?:belangrijk|beter|verboten))(?= (?:{_DOES_NL})\b)|dat|dit|die|deze|hij|zij|ze|hem|haar|hun|andersom|omgekeerd|de andere)\b",
    "zh": r"(?:它|[他她]们?|这(?!个?(?:项目|仓库)|里)|那(?!么)|其(?!他)|前者|后者|另一个|第[一二三]个|两者|同上|反过来|(?:正好|刚好)?相反"
    r"|(?:现在|目前|应该)?(?:是|在|改[成为]|换成|变成)|.{0,3}(?:它|这个(?!项目|仓库)|那个))",
    "ja": r"(?:今は|それ|これ|あれ|その|この(?!プロジェクト|リポジトリ)|あの|彼|そちら|そっち|こちら|こっち|逆|反対|同じ"
    r"|(?!.*(?:は|が|も|を|って)).*(?:です|だ|でした|なりました|変わりました)[。.!\uff01]*$)",
}
_LEADS = (
    r"^\W*(?:(?:and|but|so|now|actually|und|aber|jetzt|et|mais|maintenant|pero|y|ma|e|mas|en|maar|nu)\b[\s,:]*){0,2}"
)
#: A whole answer, too short to tell its language.
_TURNED = re.compile(
    r"\W*(?:umgekehrt|anders(?:he)?rum|andersom|omgekeerd|al rev\u00e9s|al contrario|ao contr\u00e1rio|l'inverse|viceversa)\b",
    re.IGNORECASE,
)
_LEANS = {code: re.compile(_LEADS + pattern, re.IGNORECASE) for code, pattern in _BEGINNINGS.items()}
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
    code = find_language(head).code
    if _TURNED.match(head) or _LEANS[code].match(head):
        return True
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
