"""The phase `maintain`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "maintain"
