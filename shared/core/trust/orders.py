"""Find orders: statements that tell an agent to run, fetch, send, disclose or disable something.

An order is read as a person sees it, in every known language (`order_*` in `shared/languages`). A dangerous one runs what it
fetches, sends out or discloses secrets, disables what protects, or tells a model whom to obey.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from shared.core.memory.pointer import name_by_file
from shared.core.sessions.cues import ORDER_TO_MODEL, is_model_instruction
from shared.core.trust.look_alikes import list_readings
from shared.core.trust.sieve import Sieve
from shared.languages.language_file import pattern_of

#: Longer statements are read in parts that overlap by what an order may take.
_PART, _OVERLAP = 4_000, 600
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"'\u201d)*_]|$)|[\u3002\uff01\uff1f\n]")
#: Where a clause begins, behind marks and in front of what leads into an order.
_BEGINS = r"(?:^|[,;:(\[\u2013\u2014-]\s{1,3}|[\u2026\u3001\uff0c\uff1a\uff1b\u300c]|\s[\u2192>]\s)[\s\W]{0,8}(?:\d{1,3}[.)]\s)?"
#: All patterns look at text in lower case, which is twice as fast as to ignore case.
#: An address outside, not one of the machine itself.
_OUTSIDE = Sieve(
    r"(?:https?|ftp|wss?|s3|gs)://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[^\s`'\"]{3,200}|\bwww\.\w|[\w.+-]{1,64}@[\w-]{1,64}\.\w{2,}|\bwebhooks?\b"
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|io|dev|ru|cn|xyz|top|sh|co|info|biz|site|example|test)\b",
)
_FETCHED = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|fetch|aria2c|https?://)"
_SHELL = r"(?:sudo\s+(?:-\w+\s+)*)?(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi|c|tc|a)?sh\b|(?:sudo\s+)?(?:python|perl|ruby|node|php|deno|bun|pwsh|powershell|osascript)[\d.]*\b|iex\b|source\b|xargs\b"
#: Commands that no one needs to hear of from a stranger: they run what they fetch, send files or keys out, or switch checks off.
_COMMANDS: tuple[tuple[str, Sieve], ...] = (
    (
        "runs what it fetches",
        Sieve(
            rf"\b{_FETCHED}\b[^\n]{{0,400}}\|\s*(?:{_SHELL})|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)?<\(|\bsource\s+<\(|(?:^|\s)\.\s+<\("
            rf"|\b(?:eval|exec|iex|invoke-expression|(?:ba|z|da)?sh\s+-\w*c|(?:python|node|perl|ruby)[\d.]*\s+-[ce])\b[^\n]{{0,80}}\b{_FETCHED}"
            r"|\b(?:pip[\d.]*|uv pip|pipx|uvx|npm|npx|pnpm|yarn|gem|cargo|go)\s+(?:install|add|i|run|dlx|exec|get)?\s*(?:-\S+\s+)*(?:git\+)?(?:https?|git|ssh)://"
            rf"|\b(?:curl|wget)\b[^\n]{{0,300}}(?:-o|>)[^\n]{{0,200}}(?:&&|;|\bthen\b|\band\b)[^\n]{{0,60}}(?:chmod\s+\+?\w*x|{_SHELL}|\./)"
            rf"|\bpip(?:e|es|ed|ing)\b[^\n]{{0,100}}https?://[^\n]{{0,200}}\b(?:in)?to\s+(?:{_SHELL})"
            r"|\bbase64\s+(?:-d|--decode)\b[^\n]{0,80}\|\s*(?:\w*sh|python\d?)\b",
        ),
    ),
    (
        "sends files or keys out",
        Sieve(
            r"\b(?:curl|wget|http|xh)\b[^\n]{0,300}(?:\s(?:-d|--data(?:-\w+)?|--form|--upload-file|--post-file|--post-data)[ =][^\n]{0,80}(?:@|\$\(|`\w|\$\{?\w*(?:key|token|secret|pass))|\s-f\s?[\"']?[\w.-]*=@|\s-t\s\S)"
            r"|\b(?:env|printenv|set|cat|tar|base64|history|git diff|git log)\b[^\n|]{0,120}\|[^\n]{0,120}\b(?:curl|wget|nc|ncat|netcat|telnet|ssh|mail|sendmail)\b"
            r"|(?:\.env\b|~/\.ssh|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)|~/\.aws|\.netrc\b|\.kube/config)[^\n]{0,200}(?:https?://|@[\w-]+\.|\bnc\b|\bscp\b)"
            r"|\b(?:scp|rsync|nc|ncat)\b[^\n]{0,120}(?:\.env\b|~/\.ssh|\bid_(?:rsa|ed25519)\b|~/\.aws)",
        ),
    ),
    (
        "switches a protection off",
        Sieve(
            r"--dangerously-\w|--yolo\b|\bnode_tls_reject_unauthorized\s*=\s*['\"]?0|\bsslverify\s*[= ]\s*false|\bgit_ssl_no_verify|\bstricthostkeychecking[= ]no\b|\bsetenforce\s+0|"
            r"\bufw\s+disable|\bset-mppreference\b|\bexecutionpolicy\s+(?:bypass|unrestricted)|\biptables\s+-f\b|\bchmod\s+-r\s+777\b|\bspctl\b[^\n]{0,20}disable|"
            r"\brm\s+-\w*[rf]\w*\s+(?:-\S+\s+)*(?:/|~|\$home)(?:\s|\*|`|$)|\bhistory\s+-c\b",
        ),
    ),
)


_LED = (
    f"{_BEGINS}(?:{pattern_of('order_when').pattern}[\\s,\uff0c\u3001]{{0,3}})?"
    f"(?:{pattern_of('order_leads').pattern}[\\s,:\uff0c\u3001\uff1a]{{0,3}}){{0,3}}"
)


class _Acts:
    """Orders of a kind: the verbs, and the beginning of a clause that orders it."""

    def __init__(self, kind: str) -> None:
        verbs = pattern_of(kind).pattern
        self.verbs, self._led = Sieve(verbs), re.compile(f"{_LED}(?:{verbs})")

    def lead(self, sentence: str) -> bool:
        """Tell whether one of the verbs begins a clause."""
        return self.verbs.may_match(sentence) and self._led.search(sentence) is not None

    def are_told(self, sentence: str) -> bool:
        """Tell whether the verbs are an order, or what someone must do."""
        return self.lead(sentence) or (_MODAL.matches(sentence) and self.verbs.matches(sentence))


_RUNS, _FETCHES, _SENDS = _Acts("order_runs"), _Acts("order_fetches"), _Acts("order_sends")
_TELLS, _DISABLES = _Acts("order_tells"), _Acts("order_disables")
#: "Must never" orders nothing.
_MODAL = Sieve(
    rf"{pattern_of('order_modals').pattern}(?!\W{{1,3}}(?:{pattern_of('forbids').pattern}|{pattern_of('nots').pattern}))"
)
_SECRET = Sieve(
    rf"{pattern_of('order_secrets').pattern}|(?<!\w)\.env\b|~/\.(?:ssh|aws)\b|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)\b"
)
#: Who never runs a check has disabled it.
_NEVER_RUN = Sieve(rf"{pattern_of('forbids').pattern}\W{{1,3}}(?:\w{{1,12}}\W)?{pattern_of('order_runs').pattern}")
_GUARD, _OVERRIDES = (Sieve(pattern_of(f"order_{kind}").pattern) for kind in ("guards", "overrides"))
#: Each order matches one of these, and most texts none.
_EVERY = Sieve(
    *(pattern for _, sieve in _COMMANDS for pattern in sieve.patterns),
    ORDER_TO_MODEL.pattern,
    *(pattern for sieve in (_OVERRIDES, _SECRET, _GUARD, _OUTSIDE, _RUNS.verbs) for pattern in sieve.patterns),
)


class Order(NamedTuple):
    """An order: what it does, as the end of "an agent said what …", and whether that is dangerous."""

    does: str
    is_dangerous: bool


def is_order(text: str) -> bool:
    """Tell whether a statement tells its reader to run, fetch, send, disclose or disable something."""
    return find_order(text) is not None


def find_danger(text: str) -> str | None:
    """Return what a dangerous order does, as the end of a sentence ("runs what it fetches"), or None for any other text."""
    order = find_order(text)
    return order.does if order is not None and order.is_dangerous else None


def find_order(text: str) -> Order | None:
    """Return the most dangerous order of a text, or None where it orders nothing."""
    found: Order | None = None
    for part in filter(_EVERY.may_match, _read_parts(text)):
        order = _find_in_part(part)
        if order is not None and order.is_dangerous:
            return order
        found = found or order
    return found


def without_orders(path: str, title: str, summary: str) -> tuple[str, str]:
    """Return the title and the summary of a memory without orders: the file's name is the title then, and the summary is empty."""
    return name_by_file(path, "") if is_line_order(title) else title, "" if is_line_order(summary) else summary


#: As `is_order`: an index asks for the same lines in each dream, and a search in each turn.
is_line_order = lru_cache(maxsize=32_768)(is_order)


def _read_parts(text: str) -> Iterator[str]:
    """Yield a text in parts, as it is seen; and once more where an invisible character may stand between words."""
    texts = dict.fromkeys(one.lower() for one in list_readings(text))
    for one in texts:
        yield from (one[start : start + _PART] for start in range(0, max(1, len(one) - _OVERLAP), _PART - _OVERLAP))


def _sentences(part: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(part):
        if end.start() > start:
            yield part[start : end.start()]
        start = end.end()
    yield part[start:]


def _find_in_part(part: str) -> Order | None:
    does = next((told for told, sieve in _COMMANDS if sieve.matches(part)), None)
    if does is None and (is_model_instruction(part) or _OVERRIDES.matches(part)):
        does = "tells a model whom to obey, or whom not to ask or tell"
    if does is not None:
        return Order(does, is_dangerous=True)
    found: Order | None = None
    for sentence in _sentences(part):
        order = _find_in_sentence(sentence)
        if order is not None and order.is_dangerous:
            return order
        found = found or order
    return found


def _find_in_sentence(sentence: str) -> Order | None:
    if _SECRET.matches(sentence) and (
        _TELLS.are_told(sentence) or (_OUTSIDE.matches(sentence) and _SENDS.are_told(sentence))
    ):
        return Order("discloses what is private", is_dangerous=True)
    if _GUARD.matches(sentence) and (_DISABLES.are_told(sentence) or _NEVER_RUN.matches(sentence)):
        return Order("switches a protection off", is_dangerous=True)
    is_outside = _OUTSIDE.matches(sentence)
    if is_outside and _RUNS.verbs.matches(sentence) and _FETCHES.are_told(sentence):
        return Order("runs what it fetches", is_dangerous=True)
    is_order = _RUNS.lead(sentence) or (is_outside and (_FETCHES.lead(sentence) or _SENDS.lead(sentence)))
    return Order("tells its reader what to run, fetch or send", is_dangerous=False) if is_order else None
