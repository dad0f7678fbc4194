"""The product's worker, with one hook: before an operation is applied it sets a key in Redis and waits for another one.

`celery -A tests.e2e.workers.paused_app worker`. The key `paused:inside` is set once the phase is inside `apply`, between its fence
and its commit or between two commits; it goes on when `paused:go` exists.
"""

import time
from typing import Any

import redis

import workers.runner.apply
from shared.bootstrap import redis_url
from shared.settings import load_settings
from tests.e2e.gateway.model_support import GO, INSIDE
from workers.app import app

__all__ = ["app"]
_apply_chunk = workers.runner.apply._apply_chunk


def _apply_after_pause(*args: Any) -> None:
    signs = redis.Redis.from_url(redis_url(load_settings()))
    signs.set(INSIDE, 1)
    while not signs.exists(GO):
        time.sleep(0.02)
    _apply_chunk(*args)


vars(workers.runner.apply)["_apply_chunk"] = _apply_after_pause
