"""Calls: what a model sees whole, what it sees the beginning of, and which domains are asked about together."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.model import Memory
from shared.core.merging.calls import Group, Part, ToShow, lay_out
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.tenants.store import PendingMerge
from tests.support.laws import examples
from tests.unit.builders import by_path, memory, texts_of

LONG = "Parcels are scanned at the hub. " * 20
SHORT = "Parcels are scanned."


def texts(*paths: str, text: str = LONG) -> list[Memory]:
    return [memory(path, text) for path in paths]


def calls(
    *memories: Memory,
    asked: tuple[str, ...] | None = None,
    relatives: Mapping[str, tuple[str, ...]] | None = None,
    to_change: tuple[str, ...] = (),
    hints: tuple[PendingMerge, ...] = (),
    close: tuple[tuple[str, str], ...] = (),
    beside: Mapping[str, tuple[str, ...]] | None = None,
    **policy: int,
) -> tuple[Group, ...]:
    known = by_path(memories)
    chosen = tuple(known) if asked is None else asked
    found = ToShow(
        asked=chosen,
        relatives={path: (relatives or {}).get(path, ()) for path in chosen},
        beside=beside or {},
        to_change=to_change,
        hints=hints,
        close=frozenset(map(frozenset, close)),
    )
    return lay_out(found, texts_of(memories), lambda _: known, ConsolidatePolicy(**policy))


def test_small_domains_share_a_call_and_each_is_known_as_a_part_of_it() -> None:
    (call,) = calls(*texts("api/a.md", "ops/b.md", "web/c.md"), relatives={"ops/b.md": ("web/c.md",)})
    assert [one.path for one in call.changed] == ["api/a.md", "ops/b.md", "web/c.md"]
    assert call.related == ()
    assert call.parts == (
        Part(changed=("api/a.md",), related=()),
        Part(changed=("ops/b.md",), related=("web/c.md",)),
        Part(changed=("web/c.md",), related=()),
    )


def test_a_hint_of_a_domain_goes_into_the_shared_call() -> None:
    hint = PendingMerge(source_path="ops/b.md", target_path="api/a.md", reason="overlap", suggested_by="drm_0")
    (call,) = calls(*texts("api/a.md", "ops/b.md"), hints=(hint,))
    assert call.hints == (hint,)


def test_domains_that_are_too_large_together_are_asked_about_one_by_one() -> None:
    memories = texts("api/a.md", "ops/b.md", "web/c.md")
    found = calls(*memories, shared_call_chars=2 * len(LONG))
    assert [[one.path for one in call.changed] for call in found] == [["api/a.md", "ops/b.md"], ["web/c.md"]]
    assert len({call.key for call in found}) == 2
    assert [call.parts for call in calls(*memories, shared_call_chars=0)] == [(), (), ()]


def test_beyond_a_dreams_budget_memories_are_shown_in_part() -> None:
    (call,) = calls(*texts("api/a.md", "api/b.md", "api/c.md"), whole_chars=2 * len(LONG))
    assert call.in_part == ("api/c.md",)


def test_changed_memories_are_shown_whole_before_their_relatives() -> None:
    (call,) = calls(
        *texts("api/a.md", "api/b.md", "api/c.md"),
        asked=("api/a.md", "api/c.md"),
        relatives={"api/a.md": ("api/b.md",)},
        whole_chars=2 * len(LONG),
    )
    assert call.in_part == ("api/b.md",)


def test_a_relative_that_no_answer_may_rewrite_is_shown_in_part_however_much_room_there_is() -> None:
    found = texts("api/a.md", "api/b.md")
    (call,) = calls(*found, asked=("api/a.md",), relatives={"api/a.md": ("api/b.md",)})
    assert call.in_part == ("api/b.md",)
    (call,) = calls(*found, asked=("api/a.md",), relatives={"api/a.md": ("api/b.md",)}, to_change=("api/b.md",))
    assert call.in_part == ()


EACH_OTHERS = {"api/a.md": ("web/c.md",), "web/c.md": ("api/a.md",)}


def test_a_pair_of_changed_memories_is_shown_in_one_call_only() -> None:
    found = calls(*texts("api/a.md", "ops/b.md", "web/c.md"), relatives=EACH_OTHERS, shared_call_chars=0)
    assert [[one.path for one in (*call.changed, *call.related)] for call in found] == [
        ["api/a.md", "web/c.md"],
        ["web/c.md"],
        ["ops/b.md"],
    ]


def test_domains_with_relatives_share_a_call_before_others_do() -> None:
    found = calls(*texts("api/a.md", "ops/b.md", "web/c.md"), relatives=EACH_OTHERS, shared_call_chars=3 * len(LONG))
    assert [[one.path for one in call.changed] for call in found] == [["api/a.md", "web/c.md"], ["ops/b.md"]]
    assert found[0].related == ()


def test_relatives_worth_no_more_than_a_link_are_shown_in_other_calls_as_far_as_a_dreams_budget_goes() -> None:
    memories = texts("api/a.md", "ops/b.md", "web/c.md", "web/d.md")
    relatives = {"api/a.md": ("web/c.md",), "ops/b.md": ("web/d.md",)}
    asked = ("api/a.md", "ops/b.md")
    (call,) = calls(*memories, asked=asked, relatives=relatives, far_chars=200)
    assert [[one.path for one in some] for some in (call.changed, call.related)] == [["api/a.md"], ["web/c.md"]]
    (call,) = calls(*memories, asked=asked, relatives=relatives, far_chars=0, close=(("ops/b.md", "web/d.md"),))
    assert [[one.path for one in some] for some in (call.changed, call.related)] == [["ops/b.md"], ["web/d.md"]]
    (call,) = calls(*memories, asked=asked, relatives=relatives, far_chars=0, excerpt_chars=0)
    assert len(call.related) == 2, "a profile that shows all memories whole leaves none out"


def test_a_changed_memory_stays_without_its_relative_where_there_is_something_else_to_decide() -> None:
    memories = texts("api/a.md", "web/c.md")
    relatives = {"api/a.md": ("web/c.md",)}
    assert calls(*memories, asked=("api/a.md",), relatives=relatives, far_chars=0) == ()
    (dated,) = calls(*memories, asked=("api/a.md",), relatives=relatives, far_chars=0, to_change=("api/a.md",))
    assert ([one.path for one in dated.changed], dated.related) == (["api/a.md"], ())


def test_a_suggested_merge_keeps_its_target_beside_it() -> None:
    hint = PendingMerge(source_path="web/c.md", target_path="api/a.md", reason="overlap", suggested_by="drm_0")
    found = calls(*texts("api/a.md", "web/c.md"), relatives=EACH_OTHERS, hints=(hint,), shared_call_chars=0)
    assert [[one.path for one in call.related] for call in found] == [["web/c.md"], ["api/a.md"]]


def test_memories_that_an_answer_may_rewrite_are_shown_whole_outside_of_the_budget() -> None:
    (call,) = calls(*texts("api/a.md", "api/b.md"), to_change=("api/a.md",), whole_chars=len(LONG))
    assert call.in_part == ()
    (call,) = calls(*texts("api/a.md", "api/b.md"), to_change=("api/a.md",), whole_chars=0)
    assert call.in_part == ("api/b.md",)


def test_the_more_files_lie_beside_what_changed_the_less_is_shown_of_each_and_its_title_always() -> None:
    def shown_of(count: int) -> int:
        paths = ("api/changed.md", *(f"api/{number}.md" for number in range(count)))
        asked = {"asked": paths[:1], "beside": {"api": paths}}
        (call,) = calls(*texts(*paths), **asked, whole_chars=len(LONG), beside_chars=1_000)  # type: ignore[arg-type]
        assert call.in_part == paths[1:]
        return call.beside_chars

    assert shown_of(1) == ConsolidatePolicy().excerpt_chars
    assert shown_of(10) == 100
    assert shown_of(100) == 60


def test_a_short_text_is_never_cut_and_no_text_is_where_that_is_switched_off() -> None:
    (call,) = calls(*texts("api/a.md", text=SHORT), whole_chars=0)
    assert call.in_part == ()
    (call,) = calls(*texts("api/a.md"), whole_chars=0, excerpt_chars=0)
    assert call.in_part == ()


def test_three_memories_in_part_take_the_place_of_one_in_a_call() -> None:
    many = texts(*(f"api/{number}.md" for number in range(6)))
    assert [len(call.changed) for call in calls(*many, max_changed_per_call=2, whole_chars=0)] == [6]
    assert [len(call.changed) for call in calls(*many, max_changed_per_call=2)] == [2, 2, 2]


def test_a_memory_that_is_written_away_meanwhile_is_left_out_and_so_is_a_call_about_nothing_else() -> None:
    known = by_path(texts("api/a.md", "api/b.md"))
    found = ToShow(asked=tuple(known), relatives={"api/a.md": ("api/b.md",), "api/b.md": ()}, beside={}, to_change=())
    said = {path: one.content for path, one in known.items()}
    (call,) = lay_out(found, said, lambda _: {"api/a.md": known["api/a.md"]}, ConsolidatePolicy())
    assert [one.path for one in call.changed] == ["api/a.md"]
    assert lay_out(found, said, lambda _: {}, ConsolidatePolicy()) == ()


_PATHS = st.lists(
    st.tuples(st.sampled_from(["api", "ops", "web"]), st.integers(0, 9)).map(lambda at: f"{at[0]}/{at[1]}.md"),
    unique=True,
    max_size=12,
)


@given(_PATHS, _PATHS, st.sampled_from([0, 1_000, 100_000]), st.sampled_from([0, 700, 3_000]), st.integers(1, 4))
@examples(60)
def test_every_changed_memory_is_asked_about_once_with_its_relatives_and_nothing_is_cut_that_may_be_rewritten(
    asked: list[str], others: list[str], shared: int, whole: int, per_call: int
) -> None:
    pairs = dict(zip(asked, others, strict=False))
    found = calls(
        *texts(*dict.fromkeys([*asked, *others])),
        asked=tuple(asked),
        relatives={path: (other,) for path, other in pairs.items() if path != other},
        to_change=tuple(asked[::2]),
        shared_call_chars=shared,
        whole_chars=whole,
        max_changed_per_call=per_call,
    )
    changed = [one.path for call in found for one in call.changed]
    assert sorted(changed) == sorted(asked)
    together = [{one.path for one in (*call.changed, *call.related)} for call in found]
    assert all(any({path, other} <= shown for shown in together) for path, other in pairs.items())
    for call in found:
        shown = {one.path for one in (*call.changed, *call.related)}
        assert len(shown) == len(call.changed) + len(call.related)
        assert not set(call.in_part) & set(asked[::2])
        assert sum(1 if one.path in call.in_part else 3 for one in call.changed) <= 3 * per_call
