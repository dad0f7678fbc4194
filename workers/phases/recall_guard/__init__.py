"""The phase `recall_guard`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "recall_guard"
