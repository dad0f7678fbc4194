"""Sweep for Message Batches: send the questions of sleeping dreams together, fetch results, and wake the dreams."""

from datetime import timedelta

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.services.batches.carry_out import carry_out
from shared.services.batches.find_work import BatchWork, find_work
from shared.settings import Settings


def every(settings: Settings) -> timedelta:
    """Return the interval."""
    return timedelta(seconds=settings.batch_seconds)


def find(ports: Ports) -> list[BatchWork]:
    """Return the steps to take now; none if no dream waits for a batch."""
    return find_work(ports)


def act(ports: Ports, work: BatchWork) -> bool:
    """Take one step."""
    return carry_out(ports, work)


SWEEP = Sweep(name="message_batches", every=every, find=find, act=act)
