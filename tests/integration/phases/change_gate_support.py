"""Dreams that a sweep has started, in stores whose days pass at once."""

from dataclasses import dataclass

import psycopg

from shared.all_ports import Ports
from shared.core.dream.model import Dream, PhaseRun, Trigger
from shared.ports.llm import Llm
from tests.support.builders import run_dream
from tests.support.model.over import OVER, archive
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer

STALE = {"web/a.md": f"# Cookies\n\nThe login page signs its cookies. {OVER}\n"}
TWINS = {
    "web/a.md": "# Cookies\n\nThe login page signs its cookies and sends them over secure connections only.\n",
    "web/b.md": "# Cookies\n\nThe login page signs its cookies and sends them over secure connections only. Old ones are deleted at midnight.\n",
}
ROSES = {
    "garden/c.md": "# Roses\n\nThe gardener waters the roses behind the greenhouse every Tuesday morning.\n",
    "garden/d.md": "# Greenhouse\n\nThe gardener waters the roses behind the greenhouse every Tuesday at dawn.\n",
}
ARCHIVES = PruneAnswer(decisions=(archive("web/a.md", reason="old", confidence=0.9),))
MERGES = ConsolidateAnswer(
    actions=(
        ConsolidateAction(
            type="MERGE", files=tuple(TWINS), output_file="web/a.md", merged_content=TWINS["web/b.md"], confidence=0.9
        ),
    )
)


@dataclass(frozen=True, kw_only=True)
class Days:
    """Lets days pass between two dreams of a tenant, as far as the change gate can tell."""

    owner: psycopg.Connection
    tenant: str

    def go_by(self, days: float) -> None:
        self.owner.execute(
            "UPDATE asked_questions SET asked_at = asked_at - make_interval(secs => %s),"
            " reopens_at = reopens_at - make_interval(secs => %s) WHERE tenant_id = %s",
            [days * 86_400, days * 86_400, self.tenant],
        )


def sweep_dream(ports: Ports, tenant: str, llm: Llm, *, dry_run: bool = False, force: bool = False) -> Dream:
    """Run the dream that a sweep would have started; `force`: the one that a person has forced."""
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        dream = uow.dreams.add(store.id, trigger=Trigger.SWEEP, force=force, dry_run=dry_run)
    return run_dream(ports, tenant, llm, dream_id=dream.id)


def phase_of(ports: Ports, tenant: str, dream: Dream, phase: str) -> PhaseRun:
    with ports.db.transaction(tenant) as uow:
        return next(run for run in uow.phases.find_all(dream.id) if run.phase == phase)
