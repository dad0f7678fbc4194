"""What one check of an installation found, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How bad it is. A warning costs something under load or in a crash; a failure stops or endangers dreams."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of `slowwave doctor`. `advice` is empty when all is well."""

    check: str
    health: Health
    found: str
    advice: str = ""


def decide_health(check: str, found: str, *, ok: bool, advice: str, otherwise: Health = Health.FAIL) -> Finding:
    """Return a finding that is fine, or `otherwise` with the advice."""
    return Finding(check=check, health=Health.OK if ok else otherwise, found=found, advice="" if ok else advice)
