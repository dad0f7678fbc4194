"""The phase `infer_preferences`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "infer_preferences"
