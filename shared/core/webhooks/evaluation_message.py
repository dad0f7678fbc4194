"""The webhook message of an evaluation that has ended; a module of its own, since few programs know of evaluations."""

from datetime import datetime

from shared.core.evaluation.model import Evaluation
from shared.core.webhooks.endpoint import MESSAGE_PREFIX, Message, WebhookEvent
from shared.core.webhooks.message import render_body


def build_evaluation_message(tenant_id: str, evaluation: Evaluation, now: datetime) -> Message:
    """Return the message that an evaluation has ended; its report is fetched by its id."""
    verdict = (evaluation.report or {}).get("verdict", {}).get("word")
    about = {
        "tenant": tenant_id,
        "store": evaluation.store,
        "store_id": evaluation.store_id,
        "evaluation_id": evaluation.id,
        "state": str(evaluation.state),
        "verdict": verdict,
        "cost_usd": round(evaluation.cost_usd, 6),
    }
    message_id = f"{MESSAGE_PREFIX}_{evaluation.id.rpartition('_')[2]}_evaluation"
    event = WebhookEvent.EVALUATION_FINISHED
    return Message(id=message_id, event=event, body=render_body(event, about, now))
