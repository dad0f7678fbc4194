"""Check of `slowwave doctor`: which of the models that dreams ask have passed their exam."""

import time

from gateway.phases import find_exam_standings
from shared.core.errors import BadInputError, NotFoundError
from shared.core.exam.model import ExamStanding
from shared.core.health import Finding, Health, decide_health
from shared.ports.database import Database
from shared.settings import Settings

_CHECK = "exams"
_SECONDS_TO_READ = 3.0
_NAMED = 3


def examine_exams(settings: Settings, db: Database) -> Finding:
    """Return one finding about all models that the tenants' dreams ask; many tenants are read as far as the time allows."""
    found: dict[str, ExamStanding] = {}
    end = time.monotonic() + _SECONDS_TO_READ
    for tenant_id in db.sweeps.find_tenants():
        if time.monotonic() > end:
            break
        try:
            standings = find_exam_standings(settings, db, tenant_id)
        except (BadInputError, NotFoundError):  # deleted meanwhile, or the check of model keys tells more of it
            continue
        found |= {f"{one.examined.model} ({one.examined.server})": one for one in standings}
    if not found:
        return decide_health(_CHECK, "no dream asks a model", ok=True, advice="")
    waiting = {name: one for name, one in found.items() if not one.has_passed}
    named = "; ".join(f"{name} {one.say()}" for name, one in list(waiting.items())[:_NAMED])
    more = f"; and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
    said = f"{len(found) - len(waiting)} of {len(found)} models passed{f': {named}{more}' if waiting else ''}"
    # A model that the next dream examines is no fault.
    is_fault = any(not one.is_on or one.holding is not None for one in waiting.values())
    advice = "What these models merge waits for a person: choose another model, or see docs/exam.md"
    return decide_health(_CHECK, said, ok=not is_fault, advice=advice, otherwise=Health.WARN)
