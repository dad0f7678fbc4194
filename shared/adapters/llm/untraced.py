"""Tell the model's SDK to add nothing to traces: a call has its span already, and the server needs no ids of ours."""

from anthropic import OpenTelemetryOptions

UNTRACED: OpenTelemetryOptions = {"traces": {"enabled": False}, "propagation": False}
