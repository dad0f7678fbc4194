"""The catalogue of the phases: switches, directives and labels follow from what each phase declares."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseCatalog, PhaseEntry
from shared.core.policy.policy import Autonomy, Policy
from shared.core.policy.profiles import get_policy

SURVEY = PhaseEntry(name="survey", label="survey", about="Counts.", may_emit=frozenset())
TIDY = PhaseEntry(
    name="tidy_up",
    label="tidy up",
    about="Tidies.",
    may_emit=frozenset({OperationKind.ARCHIVE}),
    directives={"tidy.md": "tidy_up", "second.md": "second"},
    is_optional=True,
    left_out_of=frozenset({"rockbot"}),
)
CATALOG = PhaseCatalog((SURVEY, TIDY))


def policy_of(profile: str, **switches: bool) -> Policy:
    overrides = {f"phases.{name}": value for name, value in switches.items()}
    return get_policy(profile, overrides, Autonomy.FLAG, CATALOG.switches)


def test_an_optional_phase_runs_unless_the_profile_leaves_it_out() -> None:
    assert TIDY.runs_by(policy_of("default"))
    assert not TIDY.runs_by(policy_of("rockbot"))


def test_a_store_may_switch_an_optional_phase_on_or_off_whatever_its_profile() -> None:
    assert TIDY.runs_by(policy_of("rockbot", tidy_up=True))
    assert not TIDY.runs_by(policy_of("default", tidy_up=False))


def test_a_phase_that_is_not_optional_always_runs_and_has_no_switch() -> None:
    assert SURVEY.runs_by(Policy(phases={"survey": False}))
    assert CATALOG.switches == ("tidy_up",)


def test_a_switch_reads_as_a_setting_like_any_other() -> None:
    policy = policy_of("rockbot")
    assert CATALOG.get_setting(policy, "phases.tidy_up") is False
    assert CATALOG.get_setting(policy, "gates.min_hours") == policy.gates.min_hours


def test_each_directive_names_the_prompt_that_it_replaces_and_where_that_stands() -> None:
    assert CATALOG.directives == {"tidy.md": "tidy_up", "second.md": "second"}
    assert CATALOG.find_prompt_file("tidy.md") == "workers/phases/tidy_up/prompt.md"
    assert CATALOG.find_prompt_file("second.md") == "workers/phases/tidy_up/second.md"


def test_a_phase_of_an_earlier_version_is_still_readable() -> None:
    assert CATALOG.label_of("tidy_up") == "tidy up"
    assert CATALOG.label_of("gone_since") == "gone since"
