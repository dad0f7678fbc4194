"""The phase `prune`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "prune"
