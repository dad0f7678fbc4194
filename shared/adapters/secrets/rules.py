"""The forms of keys and tokens: those of gitleaks (`rules.toml`), and a few that it knows only by a name near them.

To take over a newer version of gitleaks: `python -m deploy.secret_rules gitleaks.toml LICENSE > shared/adapters/secrets/rules.toml`.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from shared.core.tenants.api_keys import TOKEN_PREFIX


@dataclass(frozen=True)
class Rule:
    """A form of a secret. A text holds none without one of the keywords, which are in small letters.

    `entropy` is the least number of bits a sign that a secret of this form has: what has fewer is a placeholder.
    """

    name: str
    pattern: str
    keywords: Sequence[str]
    entropy: float = 0.0

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled when a text first has a keyword: all of them take a quarter of a second."""
        return re.compile(self.pattern, re.ASCII)


#: From their makers' documents. A form that gitleaks has too is wider here: notes hold keys of all ages.
_OWN = (
    Rule("slowwave key", rf"\b{TOKEN_PREFIX}[A-Za-z0-9]{{10,40}}_[A-Za-z0-9_-]{{20,100}}", (TOKEN_PREFIX,), 3.0),
    Rule("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}", ("sk-ant-",), 2.5),
    Rule("OpenAI key", r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}", ("sk-proj-", "sk-svcacct-", "sk-admin-"), 3.5),
    Rule("API key", r"\bsk-(?:[a-z0-9]{2,10}-){0,2}(?=[A-Za-z_]*[0-9])[A-Za-z0-9_]{20,}", ("sk-",), 3.5),
    Rule("JSON Web Token", r"\beyJ[A-Za-z0-9_-]{10,}\.(?:eyJ)?[A-Za-z0-9_-]{7,}\.?[A-Za-z0-9_-]*", ("eyj",)),
    Rule("Google token", r"\bya29\.[A-Za-z0-9_-]{30,}", ("ya29.",), 3.5),
    Rule("Google secret", r"\bGOCSPX-[A-Za-z0-9_-]{20,}", ("gocspx-",), 3.0),
    Rule("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}", ("hf_",), 3.0),
    Rule("Slack token", r"\bxox[a-z](?:\.xox[bp])?-[0-9A-Za-z-]{16,}", ("xox",), 2.5),
    Rule("Telegram token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}", (":aa",), 3.5),
    Rule("Discord token", r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}", (".",), 4.0),
    Rule("Discord webhook", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,25}/[A-Za-z0-9_-]{60,}", ("/api/webhooks/",)),
    Rule("Twilio key", r"\b(?:SK|AC)[0-9a-f]{32}\b", ("sk", "ac"), 3.0),
    Rule("Azure key", r"(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%]{40,}={0,2})", ("accountkey=", "accesskey=", "sig="), 3.5),
    Rule("Square secret", r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,60}", ("sq0",), 3.0),
    Rule("Sourcegraph token", r"\bsgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}\b", ("sgp_",), 3.0),
    Rule("Vault token", r"\bhvs\.[A-Za-z0-9_-]{24,120}", ("hvs.",), 3.5),
    Rule("Groq key", r"\bgsk_[A-Za-z0-9]{40,}", ("gsk_",), 3.5),
    Rule("xAI key", r"\bxai-[A-Za-z0-9]{60,}", ("xai-",), 3.5),
    Rule("GitHub token", r"\bgh[oprsu]_[A-Za-z0-9]{36,}", ("ghp_", "gho_", "ghr_", "ghs_", "ghu_"), 3.0),
    Rule("npm token", r"_authToken=([A-Za-z0-9_-]{20,})", ("_authtoken=",), 3.0),
)  # fmt: skip


@cache
def read_keywords() -> Sequence[tuple[str, Rule]]:
    """Return each keyword with its rule, our own first."""
    with Path(__file__).with_name("rules.toml").open("rb") as file:
        rules = (*_OWN, *(Rule(**one) for one in tomllib.load(file)["rules"]))
    return [(keyword, rule) for rule in rules for keyword in rule.keywords]
