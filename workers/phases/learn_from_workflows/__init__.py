"""The phase `learn_from_workflows`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "learn_from_workflows"
