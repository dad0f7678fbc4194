"""Episodes: what happened goes to RockBot's categories where the profile wants it; what a user asked for never does."""

import pytest

from shared.core.dream.operations import Create
from shared.core.memory.doc_type import category_of
from shared.core.policy.policy import GatherPolicy
from shared.core.policy.profiles import PROFILES
from tests.unit.phases.gather.test_plan_gather import RULE, excerpt, memory, plan, said, the_text
from workers.phases.gather.episodes import find_episode

CHOICE = "We decided to keep invoices in Postgres."
EPISODES = PROFILES["rockbot"].gather


def create(kind: str, words: str, policy: GatherPolicy = EPISODES, **fields: object) -> Create:
    where = excerpt(words)
    made = plan([said(where, words, words, kind=kind, title="Invoices", **fields)], where, policy=policy)
    (change,) = made.operations[0].changes
    assert isinstance(change, Create)
    return change


@pytest.mark.parametrize(
    ("kind", "statement", "category"),
    [
        ("decision", CHOICE, "decision"),
        ("theme", "Invoices are numbered per country.", "conversation"),
        ("fact", "The nightly export fails when a customer has no country.", "problem"),
        ("fact", "The build broke on the arm runner.", "problem"),
        ("fact", "The crash of the nightly export was fixed by closing the cursor.", "task"),
        ("fact", "Billing was moved to Postgres.", "task"),
        ("fact", "The staging cluster has three nodes.", "discovery"),
        ("fact", "The terrorist scene was cut from the film.", "discovery"),
    ],
)
def test_each_statement_of_what_happened_has_its_category(kind: str, statement: str, category: str) -> None:
    assert find_episode(kind, statement) == f"episodic/{category}"
    made = create(kind, statement)
    assert made.path == f"episodic/{category}/invoices.md"
    assert category_of(made.content) == f"episodic/{category}"


@pytest.mark.parametrize("kind", ["save", "correction", "preference"])
def test_a_users_request_to_remember_is_knowledge_and_no_episode(kind: str) -> None:
    made = create(kind, RULE)
    assert not made.path.startswith("episodic/")
    assert category_of(made.content) == ""


def test_no_other_profile_makes_episodes_of_what_happened() -> None:
    assert [name for name, policy in PROFILES.items() if policy.gather.episodes] == ["rockbot"]
    assert create("decision", CHOICE, GatherPolicy()).path == "decisions/invoices.md"


def test_a_model_that_names_another_folder_does_not_scatter_episodes() -> None:
    assert create("decision", CHOICE, placement="billing").path == "episodic/decision/invoices.md"


def test_a_statement_about_an_existing_memory_goes_there_and_makes_no_episode() -> None:
    known = memory("billing/invoices.md", "# Invoices\n\nInvoices are numbered per country.\n")
    where = excerpt(CHOICE)
    item = said(where, CHOICE, CHOICE, kind="decision", target=known.path)
    made = plan([item], where, existing=(known,), policy=EPISODES)
    assert made.operations[0].changes[0].path == known.path  # type: ignore[union-attr] # a rewrite, as the kind says
    assert category_of(the_text(made)) == ""
