"""The result of one health check of an installation, and the advice for it."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """The severity. A warning costs something under load or in a crash; a failure stops or endangers dreams."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of `slowwave doctor`. `advice` is empty when the check passed."""

    check: str
    health: Health
    found: str
    advice: str = ""


def decide_health(check: str, found: str, *, ok: bool, advice: str, otherwise: Health = Health.FAIL) -> Finding:
    """Return a finding: OK, or `otherwise` with the advice."""
    return Finding(check=check, health=Health.OK if ok else otherwise, found=found, advice="" if ok else advice)
