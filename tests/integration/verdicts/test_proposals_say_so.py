"""Proposals do not read as done, wherever their reasons stand."""

from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import get_operations


def test_the_reason_of_a_proposal_says_what_it_would_do_and_not_that_it_was_done(
    ports: Ports, proposed: Dreamt
) -> None:
    operations = get_operations(ports, proposed.tenant, proposed.dream.id)
    waiting = [one.operation for one in operations if one.state is OperationState.PROPOSED]
    assert waiting
    done = [one.reason for one in waiting if one.reason.lower().startswith((f"{KINDS[one.kind].label} ", "generated "))]
    assert done == []
