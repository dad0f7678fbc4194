"""The phase `repair_skills`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "repair_skills"
