"""Candidates: who meets whom before a model is asked."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.model import Memory
from shared.core.merging.candidates import Candidates, find_candidates
from shared.core.policy.policy import Autonomy, ConsolidatePolicy
from shared.core.policy.profiles import get_policy
from shared.core.tenants.store import PendingMerge
from tests.support.laws import examples
from tests.unit.builders import by_path, memory, texts_of

RETRY = (
    "Carrier calls are retried three times with exponential backoff, starting at two seconds. "
    "After the third failure the parcel goes to the manual queue and the support team is paged."
)
RETRY_AGAIN = (
    "After the third failure the parcel goes to the manual queue and the support team is paged. "
    "Carrier calls are retried three times with an exponential backoff, starting at two seconds."
)
BOOKS = "Harbor Books sends its invoices on paper and wants every label printed in landscape format."
TAX = "Tax is rounded per line in Sweden, but per invoice in Germany, which the ledger handles itself."
LABELS = "Labels for pallets are printed on thermal paper of ten by fifteen centimetres in Malmo only."


def find(
    *memories: Memory,
    changed: tuple[str, ...] | None = None,
    hints: tuple[PendingMerge, ...] = (),
    policy: ConsolidatePolicy | None = None,
) -> Candidates:
    known = by_path(memories)
    asked = list(known) if changed is None else changed
    return find_candidates(texts_of(memories), asked, hints, policy or ConsolidatePolicy(), lambda _: known)


def shown(found: Candidates) -> list[tuple[str, list[str], list[str]]]:
    return [(g.domain, [m.path for m in g.changed], [m.path for m in g.related]) for g in found.groups]


def hint(source: str, target: str) -> PendingMerge:
    return PendingMerge(source_path=source, target_path=target, reason="overlap", suggested_by="drm_0")


def test_changed_memories_are_grouped_by_domain() -> None:
    found = find(
        memory("api/retry.md", RETRY), memory("api/retries.md", RETRY_AGAIN),
        memory("ops/retry.md", RETRY), memory("ops/retries.md", RETRY_AGAIN),
        policy=ConsolidatePolicy(shared_call_chars=0),
    )  # fmt: skip
    assert [(group.domain, len(group.changed)) for group in found.groups] == [("api", 2), ("ops", 2)]


def test_each_group_has_a_key_of_its_own_that_does_not_change() -> None:
    memories = (memory("api/a.md", RETRY), memory("ops/b.md", RETRY_AGAIN), memory("top.md", RETRY))
    apart = ConsolidatePolicy(shared_call_chars=0)
    keys = [group.key for group in find(*memories, policy=apart).groups]
    assert len(keys) == len(set(keys)) == 3
    assert keys == [group.key for group in find(*memories, policy=apart).groups]


def test_near_duplicates_in_other_folders_meet() -> None:
    found = find(
        memory("api/retry.md", RETRY), memory("billing/charges.md", RETRY_AGAIN), memory("ops/books.md", BOOKS),
        changed=("api/retry.md",),
    )  # fmt: skip
    assert shown(found) == [("api", ["api/retry.md"], ["billing/charges.md"])]


def test_a_changed_memory_that_resembles_nothing_is_settled_and_not_shown() -> None:
    found = find(memory("api/retry.md", RETRY), memory("ops/books.md", BOOKS), memory("billing/tax.md", TAX))
    assert found == Candidates(groups=(), settled=3)


def test_a_memory_that_did_not_change_is_shown_only_as_a_relative() -> None:
    found = find(
        memory("api/retry.md", RETRY), memory("api/retries.md", RETRY_AGAIN), memory("api/tax.md", TAX),
        changed=("api/retries.md",),
    )  # fmt: skip
    assert shown(found) == [("api", ["api/retries.md"], ["api/retry.md"])]


def test_a_relative_date_is_worth_asking_about_even_without_relatives() -> None:
    found = find(memory("ops/outage.md", "Malmo lost power yesterday, and the printers were down until noon."))
    assert shown(found) == [("ops", ["ops/outage.md"], [])]
    assert found.settled == 0


def test_the_source_of_a_hint_is_shown_with_its_target() -> None:
    found = find(
        memory("api/labels.md", LABELS), memory("billing/tax.md", TAX), memory("ops/books.md", BOOKS),
        changed=("api/labels.md",), hints=(hint("api/labels.md", "billing/tax.md"),),
    )  # fmt: skip
    assert shown(found) == [("api", ["api/labels.md"], ["billing/tax.md"])]
    assert found.groups[0].hints == (hint("api/labels.md", "billing/tax.md"),)


def test_a_hint_is_given_only_where_its_source_is_shown() -> None:
    found = find(
        memory("api/labels.md", LABELS), memory("billing/tax.md", TAX),
        hints=(hint("api/labels.md", "billing/tax.md"),),
    )  # fmt: skip
    assert [(group.domain, len(group.hints)) for group in found.groups] == [("api", 1)]


def test_changed_memories_are_kept_whatever_the_payload_cap_and_relatives_only_while_they_fit() -> None:
    memories = (memory("api/retry.md", RETRY), memory("api/retries.md", RETRY_AGAIN))
    tight = find(*memories, changed=("api/retry.md",), policy=ConsolidatePolicy(payload_cap_chars=len(RETRY) + 10))
    assert shown(tight) == [("api", ["api/retry.md"], [])]
    wide = ConsolidatePolicy(payload_cap_chars=len(RETRY) + len(RETRY_AGAIN))
    assert shown(find(*memories, changed=("api/retry.md",), policy=wide)) == [
        ("api", ["api/retry.md"], ["api/retries.md"])
    ]


def test_a_large_domain_is_asked_about_in_several_calls_and_a_pair_stays_together() -> None:
    pairs = [
        memory(f"api/{n}-{side}.md", f"{topic} {topic}") for n, topic in enumerate([RETRY, BOOKS, TAX]) for side in "ab"
    ]
    found = find(*pairs, policy=ConsolidatePolicy(max_changed_per_call=2))
    assert [[m.path for m in group.changed] for group in found.groups] == [
        [f"api/{n}-a.md", f"api/{n}-b.md"] for n in range(3)
    ]
    assert len({group.key for group in found.groups}) == 3


def test_at_most_five_relatives_are_shown_beside_near_duplicates() -> None:
    cousins = [memory(f"api/{n}.md", f"{RETRY} {word * 3}") for n, word in enumerate(["alpha ", "beta ", "gamma "] * 3)]
    found = find(memory("api/x.md", RETRY), *cousins, changed=("api/x.md",), policy=ConsolidatePolicy(related_limit=2))
    assert len(found.groups) == 1
    assert len(found.groups[0].related) <= 2 * 3  # the search is three times as wide as the limit


_WORDS = st.lists(st.sampled_from([*RETRY.split(), *BOOKS.split(), "yesterday"]), max_size=25).map(" ".join)
_STORES = st.dictionaries(
    st.sampled_from([f"{domain}/{number}.md" for domain in ("api", "ops") for number in range(4)] + ["top.md"]), _WORDS
)


@given(_STORES, st.integers(1, 3), st.integers(10, 400))
@examples(40)
def test_every_changed_memory_is_either_shown_once_as_changed_or_counted_as_settled(
    texts: dict[str, str], per_call: int, cap: int
) -> None:
    policy = ConsolidatePolicy(max_changed_per_call=per_call, payload_cap_chars=cap)
    found = find(*(memory(path, text) for path, text in texts.items()), policy=policy)
    changed = [m.path for group in found.groups for m in group.changed]
    assert len(changed) == len(set(changed))
    assert len(changed) + found.settled == len(texts)
    for group in found.groups:
        assert len(group.changed) <= per_call
        assert not {m.path for m in group.changed} & {m.path for m in group.related}


CARRIER = "Parcels of Nordpost are scanned at the hub in Malmo at six, sorted by hand and leave at nine by van."
CARRIER_TOO = "Parcels of Baltico are scanned at the hub in Riga at six, weighed by robots and leave at ten by train."


def test_siblings_in_a_folder_of_few_files_meet_when_strangers_as_unlike_would_not() -> None:
    siblings = find(memory("ops/hubs/nordpost.md", CARRIER), memory("ops/hubs/baltico.md", CARRIER_TOO))
    assert [len(group.changed) for group in siblings.groups] == [2]
    strangers = find(memory("ops/nordpost/hub.md", CARRIER), memory("api/baltico/hub.md", CARRIER_TOO))
    assert strangers.groups == ()


def beside(found: Candidates) -> list[list[str]]:
    return [[memory.path for memory in group.beside] for group in found.groups]


def test_the_rest_of_a_small_folder_is_shown_where_the_same_is_said_in_quite_other_words() -> None:
    said = memory("rules/push.md", "Never push straight to main; open a pull request first.")
    other = memory("rules/review.md", "All changes go through review, direct commits on the trunk are forbidden.")
    far = memory("billing/tax.md", TAX)
    found = find(said, other, far, changed=("rules/push.md",))
    assert shown(found) == [("rules", ["rules/push.md"], [])]
    assert beside(found) == [["rules/review.md"]]


def test_a_folder_of_many_files_or_of_long_ones_is_not_shown_whole() -> None:
    many = [memory(f"rules/{number}.md", f"{TAX} {number}" if number else BOOKS) for number in range(9)]
    assert beside(find(*many, changed=("rules/0.md",))) == []
    few = [memory("rules/a.md", BOOKS), memory("rules/b.md", f"{TAX} " * 300)]
    assert beside(find(*few, changed=("rules/a.md",))) == []


def test_a_profile_may_leave_small_folders_out() -> None:
    pair = memory("rules/a.md", BOOKS), memory("rules/b.md", TAX)
    assert find(*pair, policy=ConsolidatePolicy(small_folder_files=0)).groups == ()


def test_byterovers_profile_shows_the_siblings_of_a_changed_file() -> None:
    said = memory("release/when.md", "A new version goes out on the last working day of every fortnight.")
    other = memory("release/rhythm.md", "We ship each second Friday.")
    policy = get_policy("byterover", {}, Autonomy.FLAG).consolidate
    assert beside(find(said, other, changed=(said.path,), policy=policy)) == [[other.path]]
