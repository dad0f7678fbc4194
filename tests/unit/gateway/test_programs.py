"""The programs that `slowwave up`, the image and the units start."""

from gateway import programs


def test_a_worker_sends_events_only_while_flower_looks() -> None:
    """Each is a message of its own; Flower turns them on itself, and `-E` would leave them on for ever."""
    assert not {"-E", "--task-events", "--events"} & set(programs.worker(16).command)
