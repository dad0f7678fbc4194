"""After a dream, the agent's session can show one quiet line: over the API, over MCP, and in the webhook's text."""

from typing import Any

from mcp.client import Client
from mcp.shared.exceptions import MCPError

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.dreams.notice import get_notice
from shared.services.operations.undo import undo_dream
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import a_server, with_client
from tests.support.builders import a_store, get_store, run_dream, write

SAME = "# Backups\n\nBackups run every Tuesday at 02:00 and are kept for 30 days.\n"


def dream_over_duplicates(ports: Ports, tenant: str) -> str:
    """A dream that folds two memories of one text into one."""
    write(ports, tenant, {"ops/backups.md": SAME, "ops/backups-copy.md": SAME})
    return run_dream(ports, tenant, OfflineLlm()).id


def read_resource(ports: Ports, headers: dict[str, str], store: str) -> str:
    async def use(client: Client) -> str:
        try:
            read: Any = await client.read_resource(f"slowwave://stores/{store}/notice")
        except MCPError as error:
            return str(error)
        return str(read.contents[0].text)

    return with_client(a_server(ports), headers, use)


def test_the_session_hears_of_a_dream_once_over_the_api_and_again_after_the_next(ports: Ports, tenant: str) -> None:
    dream_id = dream_over_duplicates(ports, tenant)
    api, headers = a_client(an_app(ports)), bearer(a_token(ports, tenant, Role.AGENT))
    first = api.get("/api/stores/default/notice", headers=headers).json()
    assert (first["text"].startswith("Improved "), first["dreams"]) == (True, [dream_id])
    again = api.get("/api/stores/default/notice", headers=headers, params={"since": first["until"]}).json()
    assert (again["text"], again["dreams"], again["until"]) == ("", [], first["until"])


def test_an_undone_dream_has_improved_nothing(ports: Ports, tenant: str) -> None:
    dream_id = dream_over_duplicates(ports, tenant)
    undo_dream(ports.db, tenant, dream_id, actor="test")
    assert get_notice(ports.db, tenant, "default").text == ""


def test_the_agents_host_reads_the_line_as_a_resource_of_its_own_tenant_only(ports: Ports, tenant: str) -> None:
    dream_over_duplicates(ports, tenant)
    headers = bearer(a_token(ports, tenant, Role.AGENT))
    assert read_resource(ports, headers, "default") == get_notice(ports.db, tenant, "default").text != ""
    assert get_store(ports, tenant).last_dream_id
    assert read_resource(ports, headers, "elsewhere") == "Not found, or not visible to this key"


def test_a_store_that_has_not_dreamt_has_nothing_to_say(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    headers = bearer(a_token(ports, tenant, Role.AGENT))
    assert a_client(an_app(ports)).get("/api/stores/default/notice", headers=headers).json() == {
        "text": "", "improved": 0, "to_review": 0, "dreams": [], "until": None,
    }  # fmt: skip
