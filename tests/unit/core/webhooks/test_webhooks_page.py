"""docs/webhooks.md shows the numbers that hold and the events there are."""

import json
import re
from dataclasses import asdict

from shared.core.budgets.dollars import BudgetUse, DollarBudget, Period, Scope
from shared.core.dream.model import DreamState, ReviewState
from shared.core.evaluation.model import Evaluation, EvaluationOrder, EvaluationState
from shared.core.webhooks.endpoint import WebhookEvent
from shared.core.webhooks.evaluation_message import build_evaluation_message
from shared.core.webhooks.insight_message import build_weekly_message
from shared.core.webhooks.message import (
    build_budget_message,
    build_decided_message,
    build_end_messages,
    build_quarantine_message,
)
from shared.core.webhooks.retries import WebhookPolicy
from tests.architecture.sources import ROOT
from tests.unit.core.growth.of_insight import a_week
from tests.unit.core.webhooks.test_message import DREAM, NOW

BUDGET = DollarBudget(scope=Scope.TENANT, period=Period.DAY, limit_usd=2)
USE = BudgetUse(budget=BUDGET, spent_usd=1, reserved_usd=0, starts_at=NOW, ends_at=NOW)
EVALUATION = Evaluation(
    id="eval_1",
    store_id="sto_1",
    store="default",
    state=EvaluationState.DONE,
    order=EvaluationOrder(store="default", actor="a person"),
    created_at=NOW,
)
WEEK = a_week("")
PAGE = (ROOT / "docs" / "webhooks.md").read_text()


def test_the_page_shows_the_policy_as_it_is() -> None:
    blocks = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    policy = next(block for block in blocks if "sweep_seconds" in block)
    assert policy == json.loads(json.dumps(asdict(WebhookPolicy())))


def test_the_page_lists_every_event() -> None:
    events, _, _ = PAGE.partition("```json")
    assert re.findall(r"^\| `([a-z.]+)` \|", events, re.MULTILINE) == [str(event) for event in WebhookEvent]


def test_the_page_names_each_field_of_an_event_and_no_other() -> None:
    _, _, after = PAGE.partition("| event | data besides these |")
    table = after.partition("\n\n")[0]
    named = {row.split("`")[1]: set(re.findall(r"`([a-z_]+)`", row.split("|", 2)[2])) for row in table.splitlines()[2:]}
    ended = build_end_messages(DREAM, DreamState.ERROR, None, pending_reviews=1, now=NOW)
    decided = build_decided_message(DREAM, {ReviewState.APPROVED: 2}, NOW)
    evaluated = build_evaluation_message("acme", EVALUATION, NOW)
    told = [
        *ended[1:],
        build_weekly_message("acme", WEEK, NOW),
        build_quarantine_message(DREAM, 3, NOW),
        decided,
        build_budget_message("acme", USE, NOW),
        evaluated,
    ]
    assert {str(one.event) for one in told} == named.keys()
    for one in told:
        fields = json.loads(one.body)["data"].keys()
        assert {*fields} - {"tenant", "store", "store_id", "dream_id"} == named[one.event] - {
            "store",
            "store_id",
            "dream_id",
        }
