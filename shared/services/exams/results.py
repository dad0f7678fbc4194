"""List the exams of models, and set a result by hand."""

from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.exam.grading import Grade
from shared.core.exam.model import ExaminedModel, ExamResult
from shared.ports.database import Database

_MAX_REASON = 500


def find_exams(db: Database, tenant_id: str) -> list[ExamResult]:
    """Return the exams at the endpoints that a tenant uses, newest first, at most 200. Raises NotFoundError."""
    with db.transaction(tenant_id, read_only=True) as uow:
        uow.stores.get_tenant()
        return uow.exams.find_all()


def set_exam(
    ports: Ports, tenant_id: str, examined: ExaminedModel, *, passed: bool, why: str, actor: str
) -> ExamResult:
    """Set whether a model has passed, for all prompts and without an end; return the result.

    Raises:
        BadInputError: the reason is empty or too long.
    """
    if not why.strip() or len(why) > _MAX_REASON:
        raise BadInputError(f"Say why, in at most {_MAX_REASON} characters: it is shown with the result")
    with ports.db.transaction(tenant_id) as uow:
        result = ExamResult(
            id=ports.ids.new("exm"),
            examined=examined,
            fingerprint="",
            passed=passed,
            reason=why.strip(),
            grade=Grade(),
            taken_at=uow.now(),
            expires_at=None,
            set_by=actor,
        )
        uow.exams.add(result)
        uow.record_audit(actor, "models.set", model=examined.model, passed=passed)
    return result
