"""The synthesis rules, ready to be asked: three summaries, and what a model may make of them."""

from typing import Any

from shared.core.dream.operations import Operation, Plan
from shared.core.memory.frontmatter import read_fields
from shared.core.policy.policy import SynthesizePolicy
from tests.unit.builders import NOW, created
from workers.phases.synthesize.answer import SynthesisDraft
from workers.phases.synthesize.plan import SynthesizeView, plan_synthesis

API, OPS, SECURITY = "api/_index.md", "ops/_index.md", "security/_index.md"
SUMMARIES = {
    API: "- Retry policy: calls are retried three times with backoff\n- Tokens: rotated by the platform team",
    OPS: "- Queue: jobs are retried three times with backoff",
    SECURITY: "- Keys: rotated every quarter",
}
TITLE = "Retries with backoff everywhere"
CONTENT = "Every outgoing call and every job is retried three times with backoff, then handed to a person."


def draft(**fields: Any) -> SynthesisDraft:
    given_fields = {"title": TITLE, "content": CONTENT, "sources": [API, OPS], "confidence": 0.85} | fields
    return SynthesisDraft.model_validate(given_fields)


def plan(
    *drafts: SynthesisDraft,
    existing: tuple[tuple[str, str], ...] = (),
    live: tuple[str, ...] = (),
    policy: SynthesizePolicy | None = None,
) -> Plan:
    view = SynthesizeView(
        summaries=SUMMARIES,
        existing=existing,
        live_paths=frozenset({*SUMMARIES, *live}),
        policy=policy or SynthesizePolicy(),
        now=NOW,
    )
    return plan_synthesis(view, drafts)


def only(**fields: Any) -> Operation:
    (operation,) = plan(draft(**fields)).operations
    return operation


def fields_of(operation: Operation) -> dict[str, Any]:
    return dict(read_fields(created(operation).content))
