"""Memories that the database found to match an upkeep rule."""

from dataclasses import dataclass
from datetime import date

#: The most changes in one operation of upkeep; few, because its rows are locked while it is applied.
CHANGES_AN_OPERATION = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A memory that matches a rule, as it was found."""

    id: str
    version: int
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expired:
    """A memory whose last day is over."""

    subject: Subject
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """One of several exact duplicates. `may_promote`: it is a working memory of no exempt category."""

    subject: Subject
    access_count: int
    reinforcement_count: int
    may_promote: bool
