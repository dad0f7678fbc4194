"""Replace keys and tokens in a text by their kind, before the text is stored.

The patterns are detect-secrets' own. Its scanner takes a millisecond a line, so a text is searched for the few letters
that a key begins with, and the patterns are tried around those only. Guesses by entropy or by words such as `password`
are left out: in transcripts, they hit hashes, ids and examples far more often than secrets.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from itertools import groupby

#: (module of detect_secrets.plugins, class)
_PLUGINS = (
    ("aws", "AWSKeyDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("slack", "SlackDetector"),
    ("stripe", "StripeDetector"),
    ("openai", "OpenAIDetector"),
    ("jwt", "JwtTokenDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("npm", "NpmDetector"),
    ("sendgrid", "SendGridDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("basic_auth", "BasicAuthDetector"),
)
#: What the library does not know yet: its makers' documented prefixes.
_OWN = (
    ("Anthropic key", re.compile(r"sk-ant-[A-Za-z0-9_-]{20,}")),
    ("OpenAI project key", re.compile(r"sk-(?:proj|svcacct)-[A-Za-z0-9_-]{40,}")),
    ("GitHub token", re.compile(r"github_pat_[A-Za-z0-9_]{50,}")),
    ("Google API key", re.compile(r"AIza[A-Za-z0-9_-]{35}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{30,}")),
)
#: A text without any of these holds no key.
_NEEDLES = (
    "AKIA", "ASIA", "A3T", "ABIA", "ACCA", "aws", "AWS", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
    "gldt-", "glft-", "glsoat-", "glrt-", "glcbt-", "glimt-", "glptt-", "GR1348941", "xox", "hooks.slack.com", "k_live_",
    "eyJ", "sk-ant-", "sk-proj-", "sk-svcacct-", "T3BlbkFJ", "pypi-Ag", "_authToken", "SG.", "sq0csp-", "AccountKey=", "AIza", "hf_", "PRIVATE KEY",
)  # fmt: skip
_NEEDLE = re.compile("|".join(map(re.escape, _NEEDLES)))
_LOGIN = re.compile(r"://[^\s/@{}]{1,100}:[^\s/@{}]{1,200}@")
_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_MAX_BLOCK_CHARS = 20_000
#: Patterns are tried on windows of this shape around a needle, so that a hostile text costs no more than its length.
_BEFORE_CHARS, _STEP_CHARS, _AFTER_CHARS = 100, 600, 1_400
_TOKEN = re.compile(r"[\w\-.=+/]*", re.ASCII)


def _group(needles: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each first letter: `re` leaps from one to the next, which it cannot for a choice of letters.

    On transcripts a pattern takes as long as one fixed string does, and there are 15 instead of 40.
    """
    return tuple(
        re.compile(f"{first}(?:{'|'.join(re.escape(needle[1:]) for needle in group)})")
        for first, group in groupby(sorted(needles), key=lambda needle: needle[0])
    )


_NEEDLE_GROUPS = _group(_NEEDLES)


def _load() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = list(_OWN)
    for module, name in _PLUGINS:
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        found += [(plugin.secret_type, pattern) for pattern in plugin.denylist]
    return tuple(found)


class SecretMask:
    """Masks keys and tokens in a text: `[masked: AWS Access Key]`."""

    @cached_property
    def _patterns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return _load()  # only for a text that may hold a key: it takes a while

    def __call__(self, text: str) -> str:
        """Return the text with keys masked; the same object when there are none."""
        has_needle = any(group.search(text) for group in _NEEDLE_GROUPS)
        if not has_needle and ("://" not in text or "@" not in text):
            return text
        spans = sorted([*self._find_blocks(text), *self._find_keys(text)])
        if not spans:
            return text
        kept: list[str] = []
        end = 0
        for start, stop, what in spans:
            if stop <= end:
                continue
            kept += [text[end : max(start, end)], f"[masked: {what}]" if start >= end else ""]
            end = stop
        return "".join([*kept, text[end:]])

    def _find_keys(self, text: str) -> Iterator[tuple[int, int, str]]:
        place = 0
        while hit := _NEEDLE.search(text, place):
            begin, limit = max(0, hit.start() - _BEFORE_CHARS), min(len(text), hit.start() + _AFTER_CHARS)
            found = list(self._find_in_window(text, begin, limit))
            yield from found
            # What a key was followed to its end through is not searched again, however long the key is.
            followed = max((stop for _, stop, _ in found), default=0) - _BEFORE_CHARS
            place = max(hit.start() + _STEP_CHARS, followed)
        for login in _LOGIN.finditer(text) if "://" in text else ():
            yield login.start() + text[login.start() + 3 : login.end()].index(":") + 4, login.end() - 1, "password"

    def _find_in_window(self, text: str, begin: int, limit: int) -> Iterator[tuple[int, int, str]]:
        for what, pattern in self._patterns:
            for match in pattern.finditer(text, begin, limit):
                # A window may end within a key, and the library's pattern for web tokens before their signature.
                is_cut = match.end() == limit or match[0].startswith("eyJ")
                rest = _TOKEN.match(text, match.end()) if is_cut else None
                yield match.start(), rest.end() if rest else match.end(), what

    @staticmethod
    def _find_blocks(text: str) -> Iterator[tuple[int, int, str]]:
        place = 0
        while block := _BLOCK.search(text, place):
            limit = min(len(text), block.end() + _MAX_BLOCK_CHARS)
            closing = _BLOCK_END.search(text, block.end(), limit)
            place = closing.end() if closing else limit
            yield block.start(), place, "private key"
