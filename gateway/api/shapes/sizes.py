"""Measure the size of values in an answer."""

import json


def json_size(*values: object) -> int:
    """Return the bytes that texts or JSON values take in an answer: six for a control character, two for a line break."""
    return sum(len(json.dumps(value, ensure_ascii=False).encode(errors="replace")) for value in values)
