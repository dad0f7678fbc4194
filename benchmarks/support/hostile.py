"""Send what a hostile tenant may send with an agent's key: each attack is one request, about the largest that is accepted."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any

import httpx2

#: Takes the name of a new thing, and sends one request.
Attack = Callable[[str], httpx2.Response]
_SEEDS = ("hf_", "~/", "<!-- ", "a-1-", "[](", "`", " \n", "a. A", "Is it? No. ", "- a\n", "#", "2026-01-01 ", "漢")
_MEMORY_CHARS = 90_000
_EVENT_CHARS = 60_000
_EVENTS = 20
_COMMON = "the a of to and in that it is on must not use hf a A Is it No 1 2026 01"


class Attacks:
    """The attacks of one connection, on some stores in turn.

    Args:
        client: the connection, with an agent's key.
        stores: the tenant's stores.
        limited: a further key, of one request a minute.
    """

    def __init__(self, client: httpx2.Client, stores: Sequence[str], limited: str) -> None:
        self._client, self._limited = client, limited
        self._seeds, self._stores = cycle(_SEEDS), cycle(stores)
        self._sessions: dict[str, str] = {}

    @property
    def all(self) -> Mapping[str, Attack]:
        """Return every attack by its name."""
        return {
            "memory with a long source": self.write_source,
            "memory": self.write,
            "session events": self.tell,
            "search": self.search,
            "search with sessions": self.search_all,
            "largest page": self.page,
            "dream": self.dream,
            **self.refused,
        }

    @property
    def refused(self) -> Mapping[str, Attack]:
        """Return by its name every attack that is refused whatever the tenant holds."""
        return {
            "refused: dream into a copy": self.copy,
            "refused: role": self.tenants,
            "refused: rate": self.limited,
            "refused: no key": self.keyless,
            "refused: no route": self.nowhere,
            "refused: too large": self.oversized,
        }

    def write_source(self, name: str) -> httpx2.Response:
        """Write a memory whose source is one long sign."""
        content = f'---\ngathered_from: ["{"#" * 60_000}"]\n---\n{self._text(20_000)}'
        return self._client.post(f"{self._base()}/memories", json={"path": f"{name}.md", "content": content})

    def write(self, name: str) -> httpx2.Response:
        """Write a large memory."""
        return self._write(name, {})

    def tell(self, name: str) -> httpx2.Response:
        """Add large events to a session, which a dream may gather from."""
        base = self._base()
        if base not in self._sessions:
            answer = self._client.post(f"{base}/sessions", json={"external_id": f"chat-{name}"})
            if answer.status_code != 201:
                return answer
            self._sessions[base] = answer.json()["id"]
        events: list[dict[str, Any]] = [
            {"event_id": f"{name}-{number}", "kind": "user", "text": self._text(_EVENT_CHARS)}
            for number in range(_EVENTS)
        ]
        body = {"events": events, "current": False}
        return self._client.post(f"{base}/sessions/{self._sessions[base]}/events", json=body)

    def search(self, _: str) -> httpx2.Response:
        """Search memories by a text that parsers choke on."""
        return self._client.get(f"{self._base()}/search", params={"q": self._text(900), "limit": 50})

    def search_all(self, _: str) -> httpx2.Response:
        """Search memories and sessions by words that most of them hold."""
        return self._client.get(f"{self._base()}/search/sessions", params={"q": _COMMON, "limit": 50})

    def page(self, _: str) -> httpx2.Response:
        """Read the largest page of memories."""
        return self._client.get(f"{self._base()}/memories", params={"limit": 200})

    def dream(self, _: str) -> httpx2.Response:
        """Order a dream."""
        return self._client.post("/api/dreams", json={"store": next(self._stores)})

    def copy(self, _: str) -> httpx2.Response:
        """Order a dream into a copy, which an agent's key may not."""
        inputs = [{"type": "memory_store", "memory_store_id": next(self._stores)}]
        return self._client.post("/v1/dreams", json={"inputs": inputs, "model": "any"})

    def tenants(self, _: str) -> httpx2.Response:
        """Make a tenant, which only an operator's key may."""
        return self._client.post("/api/tenants", json={"id": "mine"})

    def limited(self, name: str) -> httpx2.Response:
        """Write a large memory with a key that has reached its rate limit."""
        return self._write(name, {"Authorization": f"Bearer {self._limited}"})

    def keyless(self, name: str) -> httpx2.Response:
        """Write a large memory without a key."""
        return self._write(name, {"Authorization": ""})

    def nowhere(self, name: str) -> httpx2.Response:
        """Ask for what is at no address."""
        return self._client.get(f"/api/{name}")

    def oversized(self, _: str) -> httpx2.Response:
        """Order a dream with a body that is larger than any."""
        return self._client.post("/api/dreams", content=b" " * 100_000)

    def _write(self, name: str, headers: Mapping[str, str]) -> httpx2.Response:
        note = {"path": f"{name}.md", "content": self._text(_MEMORY_CHARS)}
        return self._client.post(f"{self._base()}/memories", json=note, headers=headers)

    def _base(self) -> str:
        return f"/api/stores/{next(self._stores)}"

    def _text(self, chars: int) -> str:
        seed = next(self._seeds)
        return (seed * (chars // len(seed) + 1))[:chars]
