"""The phase `find_skill_gaps`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "find_skill_gaps"
