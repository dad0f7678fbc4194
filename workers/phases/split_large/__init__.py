"""The phase `split_large`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "split_large"
