"""A worker whose model takes one second and answers nothing: `celery -A benchmarks.support.slow_model_app worker`."""

import shared.model_choice
from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.tenants.store import Tenant
from shared.ports.llm import Llm
from shared.settings import Settings
from workers.app import app

LATENCY_SECONDS = 1.0
_MODEL = ScriptedLlm(latency_seconds=LATENCY_SECONDS)


def _choose_slow_llm(settings: Settings, tenant: Tenant) -> Llm:  # noqa: ARG001 - the shape of what it stands in for
    return _MODEL


shared.model_choice.choose_llm = _choose_slow_llm

__all__ = ["app"]
