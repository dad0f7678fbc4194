"""docs/webhooks.md shows the numbers that hold and the events there are."""

import json
import re
from dataclasses import asdict

from shared.core.webhooks.endpoint import WebhookEvent
from shared.core.webhooks.retries import WebhookPolicy
from tests.architecture.sources import ROOT

PAGE = (ROOT / "docs" / "webhooks.md").read_text()


def test_the_page_shows_the_policy_as_it_is() -> None:
    blocks = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    policy = next(block for block in blocks if "sweep_seconds" in block)
    assert policy == json.loads(json.dumps(asdict(WebhookPolicy())))


def test_the_page_lists_every_event() -> None:
    assert re.findall(r"^\| `([a-z.]+)` \|", PAGE, re.MULTILINE) == [str(event) for event in WebhookEvent]
