"""Directives: a tenant's own prompt replaces the built-in one of its phase, and nothing else."""

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.summary import prompts_of
from shared.core.errors import BadInputError, NotFoundError
from shared.core.questions.directives import MAX_CHARS
from shared.services.tenants.directives import set_directive
from tests.support.builders import LONG_AGO, run_dream, texts, write
from tests.support.session_builders import tell
from workers.ask.prompts import find_prompt_names, get_prompt
from workers.phases import CATALOG

NOTE = "# Cookies\n\nThe login page signs its cookies and sends them over secure connections only.\n"
OWN = "Merge what is the same, as our house rules say."


def dream(ports: Ports, tenant: str) -> tuple[ScriptedLlm, str]:
    """Dream over two twins; return the model's questions, and the log's note on the prompt."""
    write(ports, tenant, texts({"web/a.md": NOTE, "web/b.md": f"{NOTE}Said twice.\n"}, at=LONG_AGO))
    llm = ScriptedLlm()
    found = run_dream(ports, tenant, llm)
    with ports.db.transaction(tenant) as uow:
        (run,) = [run for run in uow.phases.find_all(found.id) if run.phase == "consolidate"]
    (named,) = prompts_of(run)
    return llm, named


def test_dream_md_replaces_the_prompt_entirely_but_neither_the_schema_nor_the_safety_rules(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({"x.md": "# X\n\nText.\n"}, at=LONG_AGO))
    set_directive(ports.db, tenant, "dream.md", OWN, phases=CATALOG, actor="a test")
    llm, named = dream(ports, tenant)
    request = next(one for one in llm.requests if one.question.phase == "consolidate")
    assert request.instructions == OWN
    assert request.prefix == get_prompt("rules")
    assert request.question.answer_type.__name__ == "ConsolidateAnswer"
    assert named.startswith("consolidate: dream.md, version 1 (sha256 ")


def test_a_reset_goes_back_to_the_built_in_prompt(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"x.md": "# X\n\nText.\n"}, at=LONG_AGO))
    set_directive(ports.db, tenant, "dream.md", OWN, phases=CATALOG, actor="a test")
    set_directive(ports.db, tenant, "dream.md", None, phases=CATALOG, actor="a test")
    llm, named = dream(ports, tenant)
    request = next(one for one in llm.requests if one.question.phase == "consolidate")
    assert request.instructions == get_prompt("consolidate")
    assert named.startswith("consolidate: built-in (sha256 ")


def test_every_change_is_a_version_of_its_own(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"x.md": "# X\n\nText.\n"}, at=LONG_AGO))
    for content in (OWN, OWN, "Another.", None):
        set_directive(ports.db, tenant, "dream.md", content, phases=CATALOG, actor="a test")
    with ports.db.transaction(tenant) as uow:
        versions = uow.directives.find_versions("dream.md")
    assert [one.content for one in versions] == [None, "Another.", OWN]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rules.md", OWN),
        ("../rules", OWN),
        ("dream.md", " \n"),
        ("dream.md", "x" * (MAX_CHARS + 1)),
        ("dream.md", "\x00"),
    ],
)
def test_a_directive_that_does_not_exist_or_cannot_be_a_prompt_is_refused(
    ports: Ports, tenant: str, name: str, content: str
) -> None:
    with pytest.raises(BadInputError):
        set_directive(ports.db, tenant, name, content, phases=CATALOG, actor="a test")


def test_a_tenant_that_does_not_exist_gets_no_directive(ports: Ports) -> None:
    with pytest.raises(NotFoundError):
        set_directive(ports.db, "not-here", "dream.md", OWN, phases=CATALOG, actor="a test")


def test_a_directive_belongs_to_its_tenant_alone(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"x.md": "# X\n\nText.\n"}, at=LONG_AGO))
    write(ports, f"{tenant}-b", texts({"x.md": "# X\n\nText.\n"}, at=LONG_AGO))
    set_directive(ports.db, tenant, "dream.md", OWN, phases=CATALOG, actor="a test")
    with ports.db.transaction(f"{tenant}-b") as uow:
        assert uow.directives.find_current() == {}


def test_every_task_of_a_model_but_the_second_question_has_a_directive() -> None:
    tasks = find_prompt_names() - {"rules", "wish", "confirm"}
    assert sorted(CATALOG.directives.values()) == sorted(tasks)


def test_gather_and_prune_are_asked_with_a_tenants_own_prompts(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "No, that's wrong: the rota changes on Mondays at 08:30 UTC.")
    write(ports, tenant, texts({"x/old.md": "# Old\n\nThe old rota.\n"}, at=LONG_AGO))
    for name in ("gather.md", "prune.md"):
        set_directive(ports.db, tenant, name, f"{OWN} {name}", phases=CATALOG, actor="a test")
    llm = ScriptedLlm()
    run_dream(ports, tenant, llm)
    asked = {one.question.phase: one.instructions for one in llm.requests}
    assert {name: asked[name] for name in ("gather", "prune")} == {n: f"{OWN} {n}.md" for n in ("gather", "prune")}
