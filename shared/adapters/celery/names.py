"""Names of tasks and queues, by which processes send tasks without importing each other."""

DREAM = "dream"
FINISH = "dream.finish"
CHECK = "dream.check_eligibility"
SWEEP = "slowwave.sweep"
DELIVER = "webhook.deliver"
EVALUATE = "evaluate"

#: Phases wait for a model; control tasks must never queue behind them.
PHASE_QUEUE = "dream.phase"
CONTROL_QUEUE = "dream.control"


def phase_task(phase: str) -> str:
    """Return the task name of a phase, as Flower shows it."""
    return f"dream.{phase}"
