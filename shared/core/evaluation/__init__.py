"""Measuring whether dreaming helps: probes of what a store knows, readers that look for it, and the verdict on two measurements."""
