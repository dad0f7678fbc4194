"""A reviewer sees how sure a model was, on every page and in every list; rules that stand in for a model show no number."""

import json
import re
from collections.abc import Callable

import pytest
from click.testing import Result

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.ports.llm import Llm
from shared.services.operations.review import find_reviews
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.support.builders import run_dream, write
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

FACT = "Cookies of the shop are signed, live an hour, and are renewed by every request that has one."
TWINS = {"web/cookies.md": f"# Cookies\n\n{FACT}\n", "web/cookies-too.md": f"# Cookies, too\n\n{FACT}\n"}
MERGE = ConsolidateAction(
    type="MERGE",
    files=tuple(TWINS),
    output_file="web/cookies.md",
    merged_content=TWINS["web/cookies.md"],
    confidence=0.9,
)
MODEL = ScriptedLlm({"consolidate": ConsolidateAnswer(actions=(MERGE,))})


@pytest.mark.parametrize(("llm", "shown"), [(OfflineLlm(), None), (MODEL, 0.9)], ids=["rules", "model"])
def test_a_reviewer_is_told_how_sure_a_model_was_and_nothing_of_the_kind_where_none_ran(
    ports: Ports, tenant: str, command_line: Callable[..., Result], llm: Llm, shown: float | None
) -> None:
    write(ports, tenant, TWINS)
    dream = run_dream(ports, tenant, llm)
    [merge] = [one.id for one in find_reviews(ports.db, tenant, limit=10) if one.operation.kind == "MERGE"]
    visitor, base = a_visitor(ports, tenant), f"/console/t/{tenant}"
    seen = [
        re.findall(r"(\d+) % sure, ", visitor.get(f"{base}/reviews").text),
        re.findall(r"(\d+) % sure</span>", visitor.get(f"{base}/dreams/{dream.id}").text),
        re.findall(r"Confidence: (\d+) %", visitor.get(f"{base}/operations/{merge}").text),
        re.findall(r"\(confidence 0\.(\d+)\)", command_line("review", "pending", tenant).output),
    ]
    assert seen == [[] if shown is None else ["90"]] * len(seen)
    assert (merge in visitor.get(f"{base}/reviews?confidence=high").text) is (shown is not None)
    api = a_client(an_app(ports)).get("/api/reviews", headers=bearer(a_token(ports, tenant))).json()["data"]
    lists = [api, json.loads(command_line("review", "pending", tenant, "--json").output)]
    lists.append(json.loads(command_line("dreams", "show", tenant, dream.id, "--json").output)["operations"])
    assert [[one["confidence"] for one in found if one["id"] == merge] for found in lists] == [[shown]] * len(lists)
