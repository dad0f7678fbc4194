"""Patterns, as shells have them, that choose the sessions which an import or a store takes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from shared.core.policy.policy import SessionsPolicy


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


def choice_of(policy: SessionsPolicy) -> Choice:
    """Return the choice of a store, whose patterns are separated by commas."""
    return Choice(include=_split(policy.include), exclude=_split(policy.exclude))


def label_names(source: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield what a pattern may match of a session's labels, of which its source is one: "cron", and "kind=cron"."""
    for key, value in {"source": source, **labels}.items():
        yield from (value, f"{key}={value}")


def _split(patterns: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, patterns.split(","))))


def _match(patterns: tuple[str, ...], names: Iterable[str]) -> bool:
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for name in names if name for pattern in patterns)
