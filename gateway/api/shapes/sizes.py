"""Measure the size of values in an answer."""

import json


def json_size(*values: object) -> int:
    """Return the size of texts or JSON values in an answer, in bytes: six for a control character, two for a line break."""
    return sum(len(json.dumps(value, ensure_ascii=False).encode(errors="replace")) for value in values)
