"""Memories that a rule of upkeep holds for, as the database found them."""

from dataclasses import dataclass

#: Changes in one operation of upkeep. Its rows are locked while it is applied, so the number is small.
CHANGES_AN_OPERATION = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A memory that a rule holds for, as it was when it was found."""

    id: str
    version: int
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """One of several exact duplicates. `may_promote`: it is of the working tier, and of no exempt category."""

    subject: Subject
    access_count: int
    reinforcement_count: int
    may_promote: bool
