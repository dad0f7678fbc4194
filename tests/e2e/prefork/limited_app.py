"""The product's worker with Celery's soft time limit at a few seconds, so that a test need not wait for 330 of them."""

from workers.app import app

__all__ = ["app"]
app.conf.task_soft_time_limit = 6
