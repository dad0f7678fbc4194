"""`slowwave memory dream|dream-trigger|dream-get`: SwarmClaw's commands. An agent is a store, and a cycle is a dream."""

import json
from typing import Annotated

import typer

from gateway.api.shapes.cycles import Cycle, cycles_of
from gateway.cli.console.options import AsJson, TenantOption, cli_actor
from gateway.cli.console.output import ago, print_json, print_list, say
from gateway.cli.console.session import open_session
from gateway.cli.dreams.dream import refuse_dream, run_dream
from gateway.phases import get_phases
from shared.core.dream.model import WHOLE_TRIGGERS, Trigger
from shared.core.errors import BadInputError
from shared.services.dreams.read import find_dreams, get_dream_progress
from shared.services.dreams.start import start_dream

_AGENT = "agentId"
_LISTED = 50


def list_cycles(
    tenant: TenantOption,
    query: Annotated[str | None, typer.Option(metavar="agentId=ID", help="Only cycles of this agent.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the last 50 dream cycles, newest first. `slowwave dreams list` finds older ones."""
    agent = None if query is None else _read_query(query)
    with open_session(tenant=tenant, store=agent) as session:
        db = session.ports.db
        found = find_dreams(db, tenant, store=agent, limit=_LISTED + 1, triggers=WHOLE_TRIGGERS)
        cycles = cycles_of(db, tenant, found[:_LISTED])
    if as_json:
        print_json([cycle.model_dump() for cycle in cycles])
    elif not cycles:
        say("No dream cycles yet.")
    else:
        rows = [(one.id, one.agentId, one.status, one.trigger, ago(one.startedAt), _told(one)) for one in cycles]
        print_list(
            f"Dream cycles of {tenant}",
            ("cycle", "agent", "status", "trigger", "started", "result"),
            rows,
            has_more=len(found) > _LISTED,
        )


def trigger_cycle(
    tenant: TenantOption,
    data: Annotated[str, typer.Option(metavar='{"agentId":"ID"}', help="The agent whose memory to dream over.")],
    as_json: AsJson = False,
) -> None:
    """Queue a dream cycle, also while the agent is active. Pauses, quiet hours, budgets and the cooldown hold."""
    agent = _read_data(data)
    with open_session(tenant=tenant, store=agent) as session:
        started = start_dream(
            session.ports.db,
            tenant,
            agent,
            trigger=Trigger.CLI,
            while_active=True,
            actor=cli_actor(),
            phases=get_phases,
        )
        if started.dream is None:
            refuse_dream(started.verdict, None, f"{tenant}/{agent}", as_json=as_json)
        else:
            run_dream(session, started.dream, detach=True, as_json=as_json)


def get_cycle(
    tenant: TenantOption,
    cycle_id: Annotated[str, typer.Argument(help="The cycle, which is a dream.")],
    as_json: AsJson = False,
) -> None:
    """Show one dream cycle. `slowwave dreams show` tells more."""
    with open_session(tenant=tenant) as session:
        dream, _ = get_dream_progress(session.ports.db, tenant, cycle_id)
        (cycle,) = cycles_of(session.ports.db, tenant, [dream])
    if as_json:
        print_json(cycle.model_dump())
        return
    say(f"{cycle.id} of {cycle.agentId}: {cycle.status}, {cycle.trigger}, started {ago(cycle.startedAt)}", "bold")
    say(f"  {_told(cycle)}")
    for title in cycle.result.reflections if cycle.result else ():
        say(f"  reflection: {title}")


def _told(cycle: Cycle) -> str:
    """Return the counts of a cycle that are not zero, or why it failed, in one line."""
    counts = (
        cycle.result.model_dump(include={"decayed", "pruned", "promoted", "deduped", "consolidated"})
        if cycle.result
        else {}
    )
    told = [f"{number} {name}" for name, number in counts.items() if number]
    return cycle.error or ", ".join(told) or ("no changes" if cycle.result else "")


def _read_query(query: str) -> str:
    name, _, agent = query.partition("=")
    if name != _AGENT or not agent:
        raise BadInputError(f"--query takes {_AGENT}=ID, not {query[:60]!r}")
    return agent


def _read_data(data: str) -> str:
    try:
        given = json.loads(data)
    except ValueError:
        given = None
    agent = given.get(_AGENT) if isinstance(given, dict) and len(given) == 1 else None
    if not isinstance(agent, str) or not agent:
        raise BadInputError(f"""--data takes {{"{_AGENT}":"ID"}}, not {data[:60]!r}""")
    return agent
