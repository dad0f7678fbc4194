"""A receiver that uses the Python client trusts what slowwave has sent just now, and nothing else."""

from typing import Any

import pytest

from shared.all_ports import Ports
from tests.integration.webhooks.webhook_support import TENANT, Receiver, a_message, an_endpoint, deliver_due
from tests.support.clients.package import find_example


def test_a_delivery_is_verified_and_a_forged_or_old_one_is_not(
    client_package: Any, hooked: Ports, receiver: Receiver
) -> None:
    secret = an_endpoint(hooked, TENANT, receiver.url).secret
    dream_id = a_message(hooked)
    deliver_due(hooked)
    (sent,) = receiver.received
    event = client_package.verify_webhook(secret, sent.headers, sent.body)
    assert (event["type"], event["data"]["dream_id"]) == ("dream.finished", dream_id)
    forged = [
        (sent.headers, sent.body + b" "),
        (sent.headers | {"webhook-timestamp": "1"}, sent.body),
        ({}, sent.body),
        (sent.headers | {"webhook-signature": "v1,nonsense"}, sent.body),
        (sent.headers | {"webhook-signature": "nonsense"}, sent.body),
        (sent.headers, b"\xff"),
    ]
    for headers, body in forged:
        with pytest.raises(client_package.WebhookError, match="not one that slowwave has sent just now"):
            client_package.verify_webhook(secret, headers, body)


def test_the_example_of_the_readme_receives_a_delivery(client_package: Any, hooked: Ports, receiver: Receiver) -> None:
    assert client_package
    secret = an_endpoint(hooked, TENANT, receiver.url).secret
    a_message(hooked)
    deliver_due(hooked)
    (sent,) = receiver.received
    example: dict[str, Any] = {}
    exec(find_example("webhook"), example)
    assert example["receive"](secret, sent.headers, sent.body) == "dream.finished"
    assert example["receive"]("whsec_b3RoZXI=", sent.headers, sent.body) is None
