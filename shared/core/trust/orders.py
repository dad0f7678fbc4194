"""Find orders: statements that tell an agent to run, fetch, send, disclose or disable something.

An order is read as a person sees it, in every known language (`order_*` in `shared/languages`). A dangerous one runs what it
fetches, sends out or discloses secrets, disables what protects, or tells a model whom to obey.
"""

import re
from collections.abc import Iterator

from shared.core.sessions.cues import is_model_instruction
from shared.core.text.look_alikes import as_seen
from shared.languages.language_file import pattern_of

#: Longer statements are read in parts that overlap by what an order may take.
_PART, _OVERLAP = 4_000, 600
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"'\u201d)*_]|$)|[\u3002\uff01\uff1f\n]")
#: Where a clause begins, behind marks and in front of what leads into an order.
_BEGINS = r"(?:^|[,;:(\[\u2013\u2014-]\s{1,3}|[\u2026\u3001\uff0c\uff1a\uff1b\u300c]|\s[\u2192>]\s)[\s\W]{0,8}(?:\d{1,3}[.)]\s)?"
#: An address outside, not one of the machine itself.
_OUTSIDE = re.compile(
    r"(?:https?|ftp|wss?|s3|gs)://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))[^\s`'\"]{3,200}|\bwww\.\w|[\w.+-]{1,64}@[\w-]{1,64}\.\w{2,}|\bwebhooks?\b"
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:com|net|org|io|dev|ru|cn|xyz|top|sh|co|info|biz|site|example|test)\b",
    re.IGNORECASE,
)
_FETCHED = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|fetch|aria2c|https?://)"
_SHELL = r"(?:sudo\s+(?:-\w+\s+)*)?(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi|c|tc|a)?sh\b|(?:sudo\s+)?(?:python|perl|ruby|node|php|deno|bun|pwsh|powershell|osascript)[\d.]*\b|iex\b|source\b|xargs\b"
#: Commands that no one needs to hear of from a stranger: they run what they fetch, send files or keys out, or switch checks off.
_COMMANDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "runs what it fetches",
        re.compile(
            rf"\b{_FETCHED}\b[^\n]{{0,400}}\|\s*(?:{_SHELL})|\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+)?<\(|\bsource\s+<\(|(?:^|\s)\.\s+<\("
            rf"|\b(?:eval|exec|iex|invoke-expression|(?:ba|z|da)?sh\s+-\w*c|(?:python|node|perl|ruby)[\d.]*\s+-[ce])\b[^\n]{{0,80}}\b{_FETCHED}"
            r"|\b(?:pip[\d.]*|uv pip|pipx|uvx|npm|npx|pnpm|yarn|gem|cargo|go)\s+(?:install|add|i|run|dlx|exec|get)?\s*(?:-\S+\s+)*(?:git\+)?(?:https?|git|ssh)://"
            rf"|\b(?:curl|wget)\b[^\n]{{0,300}}(?:-o|-O|>)[^\n]{{0,200}}(?:&&|;|\bthen\b|\band\b)[^\n]{{0,60}}(?:chmod\s+\+?\w*x|{_SHELL}|\./)"
            r"|\bbase64\s+(?:-d|-D|--decode)\b[^\n]{0,80}\|\s*(?:\w*sh|python\d?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "sends files or keys out",
        re.compile(
            r"\b(?:curl|wget|http|xh)\b[^\n]{0,300}(?:\s(?:-d|--data(?:-\w+)?|-F|--form|-T|--upload-file|--post-file|--post-data)[ =]?[^\n]{0,80}(?:@|\$\(|`\w|\$\{?\w*(?:KEY|TOKEN|SECRET|PASS)))"
            r"|\b(?:env|printenv|set|cat|tar|base64|history|git diff|git log)\b[^\n|]{0,120}\|[^\n]{0,120}\b(?:curl|wget|nc|ncat|netcat|telnet|ssh|mail|sendmail)\b"
            r"|(?:\.env\b|~/\.ssh|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)|~/\.aws|\.netrc\b|\.kube/config)[^\n]{0,200}(?:https?://|@[\w-]+\.|\bnc\b|\bscp\b)"
            r"|\b(?:scp|rsync|nc|ncat)\b[^\n]{0,120}(?:\.env\b|~/\.ssh|\bid_(?:rsa|ed25519)\b|~/\.aws)",
            re.IGNORECASE,
        ),
    ),
    (
        "switches a protection off",
        re.compile(
            r"--dangerously-\w|--yolo\b|\bNODE_TLS_REJECT_UNAUTHORIZED\s*=\s*['\"]?0|\bsslVerify\s*[= ]\s*false|\bGIT_SSL_NO_VERIFY|\bStrictHostKeyChecking[= ]no\b|\bsetenforce\s+0|"
            r"\bufw\s+disable|\bSet-MpPreference\b|\bExecutionPolicy\s+(?:Bypass|Unrestricted)|\biptables\s+-F\b|\bchmod\s+-R\s+777\b|\bspctl\b[^\n]{0,20}disable|"
            r"\brm\s+-\w*[rf]\w*\s+(?:-\S+\s+)*(?:/|~|\$HOME)(?:\s|\*|`|$)|\bhistory\s+-c\b",
            re.IGNORECASE,
        ),
    ),
)


def _acting(kind: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return how a clause begins that orders something of a kind, and the words alone."""
    led = (
        f"{_BEGINS}(?:{pattern_of('order_when').pattern}[\\s,\uff0c\u3001]{{0,3}})?"
        f"(?:{pattern_of('order_leads').pattern}[\\s,:\uff0c\u3001\uff1a]{{0,3}}){{0,3}}{pattern_of(kind).pattern}"
    )
    return re.compile(led, re.IGNORECASE), pattern_of(kind)


_RUNS, _FETCHES, _SENDS = _acting("order_runs"), _acting("order_fetches"), _acting("order_sends")
_TELLS, _DISABLES = _acting("order_tells"), _acting("order_disables")
#: "Must never" orders nothing.
_MODAL = re.compile(
    rf"{pattern_of('order_modals').pattern}(?!\W{{1,3}}(?:{pattern_of('forbids').pattern}|{pattern_of('nots').pattern}))",
    re.IGNORECASE,
)
_SECRET = re.compile(
    rf"{pattern_of('order_secrets').pattern}|(?<!\w)\.env\b|~/\.(?:ssh|aws)\b|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)\b",
    re.IGNORECASE,
)
_GUARD = pattern_of("order_guards")
_OVERRIDES = pattern_of("order_overrides")


def is_order(text: str) -> bool:
    """Tell whether a statement tells its reader to run, fetch, send, disclose or disable something."""
    return any(_is_danger(one) is not None or _is_act(one) for one in _read_parts(text))


def find_danger(text: str) -> str | None:
    """Return what a dangerous order does, as the end of a sentence ("it runs what it fetches"), or None for any other text."""
    return next((found for one in _read_parts(text) if (found := _is_danger(one))), None)


def _read_parts(text: str) -> Iterator[str]:
    """Yield a text in parts, as it is seen; and once more where an invisible character may stand between words."""
    seen = as_seen(text)
    texts = [seen] if text.isascii() else list(dict.fromkeys((seen, as_seen(text, instead=" "))))
    for one in texts:
        yield from (one[start : start + _PART] for start in range(0, max(1, len(one) - _OVERLAP), _PART - _OVERLAP))


def _sentences(part: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(part):
        if end.start() > start:
            yield part[start : end.start()]
        start = end.end()
    yield part[start:]


def _is_act(part: str) -> bool:
    return any(
        _RUNS[0].search(one) is not None
        or (_FETCHES[0].search(one) is not None and _OUTSIDE.search(one) is not None)
        or (_SENDS[0].search(one) is not None and _OUTSIDE.search(one) is not None)
        for one in _sentences(part)
    )


def _is_danger(part: str) -> str | None:
    if (found := next((told for told, pattern in _COMMANDS if pattern.search(part)), None)) is not None:
        return found
    if is_model_instruction(part) or _OVERRIDES.search(part):
        return "tells a model whom to obey, or whom not to ask or tell"
    return next((found for one in _sentences(part) if (found := _find_harm(one))), None)


def _find_harm(sentence: str) -> str | None:
    """Return what an order in words does to secrets and protections, or None."""
    is_obliged = _MODAL.search(sentence) is not None

    def does(kind: tuple[re.Pattern[str], re.Pattern[str]]) -> bool:
        return kind[0].search(sentence) is not None or (is_obliged and kind[1].search(sentence) is not None)

    if _SECRET.search(sentence) and (does(_TELLS) or (_OUTSIDE.search(sentence) and does(_SENDS))):
        return "discloses what is private"
    if _GUARD.search(sentence) and does(_DISABLES):
        return "switches a protection off"
    if _OUTSIDE.search(sentence) and _RUNS[1].search(sentence) and does(_FETCHES):
        return "runs what it fetches"
    return None
