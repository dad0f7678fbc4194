"""The phase `merge_skills`."""

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "merge_skills"
