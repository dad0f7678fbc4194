"""The consolidate rules, ready to be asked: three memories, and what a model may say about them."""

from typing import Any

from shared.core.dream.operations import Operation, Plan
from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from tests.unit.builders import NOW, group, memory
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.plan import ConsolidateView, plan_consolidation

AUTH = memory("api/auth.md", "Access tokens last 15 minutes and are signed with RS256.", version=4)
OAUTH = memory("api/oauth.md", "Refresh tokens last 30 days; the issuer is Keycloak 24.", version=2)
LIMITS = memory("api/limits.md", "Clients may send 600 requests per minute.")
TEXT = (
    "Access tokens last 15 minutes and are signed with RS256. Refresh tokens last 30 days; the issuer is Keycloak 24."
)
#: Two memories that say what AUTH says, and more: the rules see that a merge of them with it says something once.
TOKENS = memory("api/tokens.md", TEXT)
CLIENTS = memory("api/tokens-2.md", f"{TEXT} {LIMITS.content}")


def does(kind: str, *files: Memory | str, **more: Any) -> ConsolidateAction:
    paths = [one if isinstance(one, str) else one.path for one in files]
    return ConsolidateAction.model_validate({"type": kind, "files": paths, **more})


def merge(*files: Memory | str, into: str | None = None, text: str | None = TEXT, **more: Any) -> ConsolidateAction:
    return does("MERGE", *files, outputFile=into, mergedContent=text, **more)


def plan(
    *actions: ConsolidateAction,
    of: Group | None = None,
    live: tuple[str, ...] = (),
    allowed: int = 10,
) -> Plan:
    shown = of or group(AUTH, OAUTH, related=(LIMITS,))
    view = ConsolidateView(
        groups=(shown,),
        live_paths=frozenset({m.path for m in (*shown.changed, *shown.related)} | set(live)),
        policy=Policy(),
        now=NOW,
        loss=LossBudget(allowed=allowed),
    )
    return plan_consolidation(view, {shown.key: ConsolidateAnswer(actions=actions)})


def only(*actions: ConsolidateAction, of: Group | None = None, **more: Any) -> Operation:
    (operation,) = plan(*actions, of=of, **more).operations
    return operation
