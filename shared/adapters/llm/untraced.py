"""Tell the model's SDK to add nothing to traces: a call already has a span, and the server needs no trace ids."""

from anthropic import OpenTelemetryOptions

UNTRACED: OpenTelemetryOptions = {"traces": {"enabled": False}, "propagation": False}
