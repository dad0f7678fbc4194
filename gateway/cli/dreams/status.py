"""`slowwave status`: explain why stores have not dreamt, and when they will."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from gateway.cli.console.options import AsJson, Tenant
from gateway.cli.console.output import ago, print_json, safe, say
from gateway.cli.console.session import open_session
from gateway.phases import get_phases
from shared.core.budgets.dollars import BudgetUse
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.gates.gates import GateVerdict
from shared.core.gates.snooze import describe_wake
from shared.core.questions.prices import say_usd
from shared.core.tenants.store import Store
from shared.program import COMMAND
from shared.services.dreams.explain import StoreExplanation, UpkeepLine, explain_store

_GATES = (
    ("paused", "not paused, budget left"),
    ("quiet", "no quiet hours"),
    ("time", "time since the last dream"),
    ("throttle", "scan throttle"),
    ("activity", "activity"),
    ("idle", "agent idle, queue empty"),
    ("lock", "free slot, store not dreaming"),
)
_GATE_INDENT = " " * 4
_REASON_COLUMN = 38
_SAME_LINE = {
    "disabled": "paused", "budget": "paused", "quarantine": "paused", "defer": "paused", "queue": "idle", "unchanged": "activity",
}  # fmt: skip
#: What a write must bring, by the gate that waits for it.
_WAITS_FOR = {"activity": "more activity", "unchanged": "new input"}
_UPKEEP = {Trigger.DIGEST: "daily digest", Trigger.COMPACTION: "compaction"}


def status(
    tenant: Tenant,
    store: Annotated[str | None, typer.Option("--store", "-s", help="Only this store.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show why a tenant's stores have not dreamt, and when they will. Changes nothing."""
    with open_session(tenant=tenant, store=store) as session:
        db = session.ports.db
        with db.transaction(tenant) as uow:
            uow.stores.get_tenant()
            names = [store] if store else [found.name for found in uow.stores.find_all()]
        explained = [explain_store(db, tenant, name, get_phases) for name in names]
    if as_json:
        print_json([_as_json(explanation) for explanation in explained])
        return
    if not explained:
        say(f"{tenant} has no stores. Fill one: {COMMAND} import DIR --tenant {tenant}")
    for explanation in explained:
        print_status(explanation)


def print_status(explanation: StoreExplanation) -> None:
    """Print the status of a store."""
    for line in status_lines(explanation):
        say(line, hang=_REASON_COLUMN if line.plain.startswith(_GATE_INDENT) else None)


def when(explanation: StoreExplanation) -> str:
    """Return the answer to "when will it?" in one sentence."""
    verdict, store = explanation.verdict, explanation.store
    if explanation.active is not None:
        return _when_active(explanation.active, explanation.now)
    if verdict.is_open:
        if store.next_check_at is None:
            return f"It may dream now. The sweep checks it after its next write; to start now: {COMMAND} dream"
        return (
            f"It may dream now; the sweep checks it {ago(max(store.next_check_at, explanation.now), explanation.now)}"
        )
    if verdict.gate in _WAITS_FOR:
        return f"It is checked again after the next write, and dreams when there is {_WAITS_FOR[verdict.gate]}"
    if waits := _waits_for_a_person(explanation):
        return waits
    opens, look = verdict.retry_at, store.next_check_at
    if look is not None:
        return f"It is checked again {ago(max(look, opens or look, explanation.now), explanation.now)}"
    earliest = f", and may dream {ago(opens, explanation.now)} at the earliest" if opens else ""
    return f"It is checked again after the next write{earliest}"


def _when_active(dream: Dream, now: datetime) -> str:
    if dream.next_attempt_at is None:
        return f"To look at it: {COMMAND} dreams show {dream.tenant_id} {dream.id}"
    end = f"{COMMAND} dreams cancel {dream.tenant_id} {dream.id}"
    when = describe_wake(dream) if dream.next_attempt_at > now else None
    return f"It goes on {when or ago(max(dream.next_attempt_at, now), now)}; to end it: {end}"


def _headline(explanation: StoreExplanation) -> Text:
    """Return the store's state in a few words; while it has an active dream, its gates do not matter."""
    dream, verdict = explanation.active, explanation.verdict
    if dream is None:
        return (
            safe("All gates are open.", "green")
            if verdict.is_open
            else safe(f"Not dreaming: {verdict.in_words}", "yellow")
        )
    if dream.next_attempt_at is not None:
        return safe(f"Its dream sleeps ({dream.id})", "yellow")
    said = "Its dream waits for a worker" if dream.state is DreamState.QUEUED else "It dreams now"
    return safe(f"{said} ({dream.id})", "green")


def _waits_for_a_person(explanation: StoreExplanation) -> str:
    """Return what a person must do before the store dreams; empty if time is enough."""
    gate, store = explanation.verdict.gate, explanation.store
    name = f"{store.tenant_id}/{store.name}"
    if store.archived_at is not None:
        return "It was archived over the API, for good: it can be read, but never dreams again"
    if gate == "paused":
        command = "slowwave resume --all" if "operator" in explanation.verdict.reason else "slowwave resume"
        return f"It dreams again after `{command}`; --force does not skip a pause"
    if gate == "quarantine":
        return f"It dreams again after `slowwave resume {name}`; --force does not skip it"
    return f"It dreams after `slowwave stores set {name} --set gates.enabled=true`" if gate == "disabled" else ""


def status_lines(explanation: StoreExplanation) -> list[Text]:
    """Return the lines of a store's status."""
    store, now = explanation.store, explanation.now
    shut = {_SAME_LINE.get(gate.gate, gate.gate): gate for gate in reversed(explanation.gates)}
    dreamt = f"{ago(store.last_dream_at, now)} ({store.last_dream_id})" if store.last_dream_at else "never"
    counts = f"{explanation.live_memories} memories, {explanation.changed_memories} changed"
    lines = [
        safe(f"{store.tenant_id}/{store.name}", "bold").append(f"  profile {store.profile}, {store.autonomy}", "dim"),
        Text("  ").append_text(_headline(explanation)),
        safe(f"  {when(explanation)}"),
        *(_gate_line(label, shut.get(gate)) for gate, label in _GATES),
        safe(f"  last dream {dreamt}, {store.total_dreams} in all", "dim"),
        safe(f"  since then {store.curations} curations, {store.sessions} sessions", "dim"),
        safe(f"  {counts}, {explanation.pending_merges} pending merges, {explanation.pending_reviews} reviews", "dim"),
    ]
    lines += [*map(_budget_line, explanation.dollars), *_rest_lines(store), *_problem_lines(explanation)]
    lines += [_upkeep_line(line, now) for line in explanation.upkeep]
    if store.last_verdict is not None:
        said = "the gates were open" if store.last_verdict.is_open else store.last_verdict.reason
        lines.append(safe(f"  last check {ago(store.last_verdict.at, now)}: {said}", "dim"))
    return lines


def _budget_line(use: BudgetUse) -> Text:
    """Return how much of a budget in dollars is used."""
    spent, limit = say_usd(use.spent_usd), say_usd(use.budget.limit_usd)
    said = f"  {spent} of {limit} a {use.budget.period} spent ({use.share:.0%}), by {use.budget.setting}"
    return safe(said, "yellow" if use.is_alerting else "dim")


def _rest_lines(store: Store) -> list[Text]:
    """Return lines on the work that the last dream left for the next one."""
    left = (
        (store.waiting_sessions, "sessions of a backlog"),
        (store.waiting_changes, "changes over the loss cap, a budget or show.tokens"),
    )
    told = [f"{number:,} {what}" for number, what in left if number]
    return [safe(f"  left for the next dream: {', '.join(told)}", "dim")] if told else []


def _problem_lines(explanation: StoreExplanation) -> list[Text]:
    """Return how the newest dream failed or why it is snoozed, with the message of the model's server."""
    dream, now = explanation.problem, explanation.now
    if dream is None:
        return []
    is_over = dream.finished_at is not None
    wakes = describe_wake(dream) or ago(dream.next_attempt_at, now)
    how = f"ended {dream.state} {ago(dream.finished_at, now)}" if is_over else f"wakes {wakes}"
    return [safe(f"  the newest dream {how} ({dream.id}): {dream.reason}", "yellow")]


def _gate_line(label: str, shut: GateVerdict | None) -> Text:
    mark, style = ("✘", "red") if shut else ("✔", "green")
    line = safe(_GATE_INDENT).append(mark, style).append(f" {label:<{_REASON_COLUMN - len(_GATE_INDENT) - 2}}")
    return line.append_text(safe(shut.in_words, "yellow")) if shut else line


def _upkeep_line(line: UpkeepLine, now: datetime) -> Text:
    """Return when the next digest or compaction is due, or why not, and when the store is checked next."""
    at = line.next_check_at
    looks = "" if at is None else f"; next check {ago(at, now) if at > now else 'at the next sweep'}"
    if line.verdict.gate == "off":
        said = f"off (--set {line.trigger}.enabled=true)"
    elif line.verdict.is_open:
        said = f"due{looks or '; the sweep checks it after the next write'}"
    else:
        opens = f", may be due {ago(line.verdict.retry_at, now)}" if line.verdict.retry_at else ""
        said = f"not due: {line.verdict.in_words}{opens}{looks}"
    return safe(f"  {_UPKEEP[line.trigger]} {said}", "dim")


def _as_json(explanation: StoreExplanation) -> dict[str, Any]:
    store = explanation.store
    return {
        "tenant": store.tenant_id,
        "store": store.name,
        "eligible": explanation.verdict.is_open,
        "gate": explanation.verdict.gate,
        "reason": explanation.verdict.reason,
        "retry_at": explanation.verdict.retry_at,
        "when": when(explanation),
        "shut_gates": [{"gate": gate.gate, "reason": gate.reason} for gate in explanation.gates],
        "next_check_at": store.next_check_at,
        "last_dream_at": store.last_dream_at,
        "last_dream_id": store.last_dream_id,
        "total_dreams": store.total_dreams,
        "curations": store.curations,
        "sessions": store.sessions,
        "waiting_sessions": store.waiting_sessions,
        "waiting_changes": store.waiting_changes,
        "memories": explanation.live_memories,
        "changed_memories": explanation.changed_memories,
        "pending_merges": explanation.pending_merges,
        "pending_reviews": explanation.pending_reviews,
        "last_verdict": store.last_verdict,
        "active_dream": explanation.active.id if explanation.active is not None else None,
        "problem": _problem_json(explanation),
        "upkeep": [
            {
                "kind": line.trigger,
                "due": line.verdict.is_open,
                "gate": line.verdict.gate,
                "reason": line.verdict.reason,
                "retry_at": line.verdict.retry_at,
                "next_check_at": line.next_check_at,
            }
            for line in explanation.upkeep
        ],
    }


def _problem_json(explanation: StoreExplanation) -> dict[str, Any] | None:
    ended = explanation.problem
    if ended is None:
        return None
    return {"dream": ended.id, "state": ended.state, "finished_at": ended.finished_at, "reason": ended.reason}
