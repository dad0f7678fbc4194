"""Choose the operations of one verdict: by their ids, or with --all those that wait and match filters."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from gateway.cli.console.output import err, safe, say
from gateway.cli.dreams.dream_id import find_dream_id
from shared.all_ports import Ports
from shared.core.dream.operation_filter import ConfidenceBand, OperationFilter, PendingOperation
from shared.core.dream.operations import OperationKind
from shared.core.errors import BadInputError, ConflictError, NotFoundError
from shared.ports.dreams import RecordedOperation
from shared.program import COMMAND
from shared.services.operations.review import list_reviews

_SEARCHED = 1_000
MaybeTenant = Annotated[str | None, typer.Argument(envvar="SLOWWAVE_TENANT", help="The tenant.", metavar="TENANT")]
TenantFilter = Annotated[str | None, typer.Option("--tenant", "-t", help="The tenant, in place of TENANT.")]
OfStore = Annotated[str | None, typer.Option("--store", "-s", help="Only this store.")]
OfKind = Annotated[
    OperationKind | None,
    typer.Option("--kind", case_sensitive=False, metavar="KIND", help="Only this kind, such as merge or archive."),
]
OfDream = Annotated[str | None, typer.Option("--dream", help="Only this dream: its id or its beginning.")]
OfPhase = Annotated[str | None, typer.Option("--phase", help="Only this phase.")]
OfConfidence = Annotated[
    ConfidenceBand | None,
    typer.Option("--confidence", help="Only this class: below 0.6, below 0.8, from 0.8 on, or none given."),
]
Mine = Annotated[bool, typer.Option("--mine", help="Only what is assigned to you, the account that runs this.")]
Everything = Annotated[bool, typer.Option("--all", help="All that wait, or those that match the filters.")]
Yes = Annotated[bool, typer.Option("--yes", help="With --all: do not ask.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The filters of what waits for a review; one that is None filters nothing."""

    store: str | None = None
    dream: str | None = None
    only: OperationFilter

    @classmethod
    def of(
        cls,
        store: str | None,
        kind: OperationKind | None,
        dream: str | None,
        phase: str | None,
        confidence: ConfidenceBand | None,
        assigned_to: str | None = None,
    ) -> "Filters":
        """Return the filters that options give."""
        only = OperationFilter(kind=kind, phase=phase, confidence=confidence, assigned_to=assigned_to)
        return cls(store=store, dream=dream, only=only)

    @property
    def is_empty(self) -> bool:
        """Tell whether everything matches."""
        return self == Filters(only=OperationFilter())

    def find_dream(self, ports: Ports, tenant: str) -> str | None:
        """Return the whole id of the dream, if there is a filter for one. Raises NotFoundError."""
        return None if self.dream is None else find_dream_id(ports, tenant, self.dream)


def tenant_of(argument: str | None, option: str | None) -> str:
    """Return the tenant, which is an argument or an option. Raises BadParameter."""
    if argument is not None and option is not None and argument != option:
        raise typer.BadParameter(
            f"Name one tenant: {argument} (TENANT or SLOWWAVE_TENANT) or {option}", param_hint="--tenant"
        )
    if argument is None and option is None:
        raise typer.BadParameter("Name the tenant: TENANT, --tenant or SLOWWAVE_TENANT", param_hint="TENANT")
    return argument or option or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The operations of one verdict: those that are named, or with `everything` those that match."""

    named: Sequence[str]
    everything: bool
    filters: Filters
    yes: bool

    def check(self) -> None:
        """Raise BadInputError unless it says which operations are meant, in one way."""
        if self.everything and self.named:
            raise BadInputError("Give the ids of operations or --all, not both")
        if not self.everything and not self.named:
            raise BadInputError("Give the ids of operations, or --all for those that wait")
        if not self.everything and (self.yes or not self.filters.is_empty):
            raise BadInputError("--yes and the filters choose among all that wait: use them with --all")

    def find(self, ports: Ports, tenant: str, verb: str) -> tuple[list[str], dict[str, ConflictError | NotFoundError]]:
        """Return the ids of the chosen operations, asked about if they are all; and why others were not found, by name."""
        if self.everything:
            dream_id = self.filters.find_dream(ports, tenant)
            wanted = self.filters
            found = list_reviews(ports.db, tenant, limit=None, store=wanted.store, dream_id=dream_id, only=wanted.only)
            _ask(verb, found, yes=self.yes)
            return [one.id for one in found], {}
        ids: list[str] = []
        unknown: dict[str, ConflictError | NotFoundError] = {}
        for name in self.named:
            try:
                ids.append(find_operation(ports, tenant, name).id)
            except (ConflictError, NotFoundError) as error:
                unknown[name] = error
        return ids, unknown


def find_operation(ports: Ports, tenant: str, wanted: str) -> RecordedOperation:
    """Return the operation with an id, or the waiting one whose id begins or ends so. Raises NotFoundError, ConflictError."""
    with ports.db.transaction(tenant) as uow:
        try:
            return uow.operations.get(wanted)
        except NotFoundError:
            waiting = uow.operations.find_pending(limit=_SEARCHED)
    matches = [recorded for recorded in waiting if recorded.id.startswith(wanted) or recorded.id.endswith(wanted)]
    if len(matches) > 1:
        msg = f"{wanted} matches {len(matches)} operations; give more characters of the id"
        raise ConflictError(msg)
    if not matches:
        msg = f"Tenant {tenant!r} has no operation {wanted!r} that waits for a review; `{COMMAND} review pending {tenant}` lists those that do"
        raise NotFoundError(msg)
    return matches[0]


def count_kinds(found: Sequence[PendingOperation]) -> str:
    """Return how many operations there are, and of which kinds."""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in Counter(one.kind for one in found).most_common())
    return f"{len(found):,} operation{'' if len(found) == 1 else 's'}: {kinds}"


def _ask(verb: str, found: Sequence[PendingOperation], *, yes: bool) -> None:
    """Show what would be decided and ask, unless `yes` or there is nothing. Raises BadInputError without a terminal."""
    if yes or not found:
        return
    for one in found:
        say(safe(one.id, "cyan").append_text(safe(f"  {one.kind} · {one.store} · {one.state}  {one.reason}")), to=err)
    say(f"This would {verb} {count_kinds(found)}", "bold", to=err)
    if not sys.stdin.isatty():
        raise BadInputError(f"Nothing was decided: confirm with --yes to {verb} them")
    if not typer.confirm(f"{verb.capitalize()} them?", err=True):
        raise BadInputError("Nothing was decided")
