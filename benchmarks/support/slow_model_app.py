"""A worker whose model is slow and answers nothing: `celery -A benchmarks.support.slow_model_app worker`.

A variable says how many seconds it takes, since the worker is a process of its own; one, where it is not set.
"""

import os

import shared.model_choice
from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.tenants.store import Tenant
from shared.ports.llm import Llm
from shared.settings import Settings
from workers.app import app

LATENCY_VARIABLE = "SLOW_MODEL_SECONDS"
_MODEL = ScriptedLlm(latency_seconds=float(os.environ.get(LATENCY_VARIABLE, "1")))


def _choose_slow_llm(settings: Settings, tenant: Tenant) -> Llm:  # noqa: ARG001 - the shape of what it stands in for
    return _MODEL


shared.model_choice.choose_llm = _choose_slow_llm

__all__ = ["app"]
