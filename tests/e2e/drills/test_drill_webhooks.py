"""A drill: no webhook gets out, until the setting is put right and the endpoint enabled again."""

import json
from pathlib import Path

import pytest

from shared.settings import Settings
from tests.e2e.drills.drill import a_drill
from tests.integration.webhooks.webhook_support import a_receiver

#: One drill is quick (test_drill_dreams.py); tests/architecture checks every page.
pytestmark = pytest.mark.thorough

DRILLED = ("webhooks-not-delivered",)
#: The network of the receivers was forgotten; one attempt is enough here to give an endpoint up.
_WRONG = {"attempts": 1, "allow_http": True}
_RIGHT = _WRONG | {"allow_networks": ["127.0.0.0/8", "::1/128"]}


def test_webhooks_go_out_again_and_take_along_what_waited(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    variables = {"SLOWWAVE_WEBHOOKS": json.dumps(_WRONG)}
    with a_receiver() as receiver, a_drill(fresh_settings, tmp_path, "slowwave-worker", variables=variables) as drill:
        assert drill.run(f"slowwave tenants create {tenant}")[0] == 0
        url = f"http://localhost:{receiver.port}/hooks"
        code, said = drill.run(f"slowwave webhooks create {tenant} {url} --json 2>/dev/null")
        assert code == 0, said
        endpoint = json.loads(said)["id"]
        assert drill.run(f"slowwave webhooks test {tenant} {endpoint}")[0] == 1
        assert "not resolve to a public address" in drill.run(f"slowwave webhooks list {tenant}")[1]
        drill.environment["SLOWWAVE_WEBHOOKS"] = json.dumps(_RIGHT)
        drill.follow("webhooks-not-delivered", TENANT=tenant, ENDPOINT=endpoint)
        assert receiver.received[-1].json["type"] == "webhook.test"
