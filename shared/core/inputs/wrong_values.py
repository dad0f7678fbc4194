"""The words of pydantic about a wrong value, for people."""

import re

_OWN = re.compile(r"(?:Value error|Assertion failed), ")


def say_wrong(message: str) -> str:
    """Return a message of pydantic without the name of the Python exception that carried it."""
    return _OWN.sub("", message)
