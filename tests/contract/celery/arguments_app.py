"""The product's worker, its real tasks, with the work itself replaced by traces of what reached it."""

import json
from collections.abc import Sequence
from typing import Any

import redis

import scheduler.tasks
import workers.tasks
from shared.bootstrap import redis_url
from shared.ports.webhooks import ClaimedDelivery
from shared.settings import load_settings
from tests.contract.celery.facts_app import TRACE
from workers.app import app
from workers.phase.shape import Phase
from workers.phase.work import PhaseKey
from workers.runner.run import RunResult

__all__ = ["app"]
_TRACES = redis.Redis.from_url(redis_url(load_settings()))


def _leave(*trace: Any) -> bool:
    _TRACES.rpush(TRACE, json.dumps(trace))
    return True


def _begin(_ports: object, tenant_id: str, store: str, *, force: bool, dream_id: str | None) -> None:
    _leave("begin", tenant_id, store, force, dream_id)


def _deliver(_ports: object, claimed: ClaimedDelivery) -> None:
    _leave("deliver", claimed.tenant_id, claimed.delivery_id, claimed.claim)


def _run_phases(_ports: object, phases: Sequence[Phase], key: PhaseKey) -> RunResult:
    assert [phase.name for phase in phases] == [key.phase]
    return RunResult(ended=int(_leave("phase", key.phase, key.tenant_id, key.dream_id, key.epoch)))


_REPLACED = {
    workers.tasks: {
        "get_ports": object,
        "begin_dream": _begin,
        "run_phases": _run_phases,
        "finish_dream": lambda _, *rest: _leave("finish", *rest),
        "measure_searches": lambda *_: None,
        "advance_evaluation": lambda _, *rest: _leave("evaluate", *rest),
    },
    scheduler.tasks: {
        "get_ports": object,
        "check_eligibility": lambda _, *rest: _leave("check", *rest),
        "run_sweep": lambda _, sweep: _leave("sweep", sweep.name),
        "deliver_webhook": _deliver,
        "send_due_deliveries": lambda _: None,
    },
}
for _module, _names in _REPLACED.items():
    for _name, _stand_in in _names.items():
        assert hasattr(_module, _name), f"{_module.__name__}.{_name} is gone"
        setattr(_module, _name, _stand_in)
