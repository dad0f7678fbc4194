"""Patterns that choose what an import takes, as shells have them."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Patterns with `*`, `?` and `[…]`, regardless of case, which must match a whole name. Without any, everything is taken."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def excludes(self, names: Iterable[str]) -> bool:
        """Tell whether a pattern excludes something with these names."""
        return _match(self.exclude, names)

    def takes(self, names: Iterable[str]) -> bool:
        """Tell whether something with these names is taken: it is included, or nothing needs to be, and it is not excluded."""
        listed = tuple(names)
        return (not self.include or _match(self.include, listed)) and not self.excludes(listed)


def _match(patterns: tuple[str, ...], names: Iterable[str]) -> bool:
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for name in names if name for pattern in patterns)
