"""Settled clusters: a dream leaves them alone, and a later one shows them again."""

from datetime import UTC, datetime

from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.merging.candidates import find_candidates
from shared.core.merging.settled_clusters import REOPENED, Cluster, find_settled, reopen
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.questions.change_gate import Asked
from shared.core.questions.fingerprint import cluster_fingerprint
from tests.unit.builders import by_path, memory, texts_of

NOW = datetime(2026, 3, 4, tzinfo=UTC)
A = memory("web/a.md", "# Cookies\n\nThe login page signs its cookies and sends them over secure connections.\n")
B = memory("web/b.md", "# Login\n\nThe login page signs its cookies and sends them over secure connections, too.\n")
C = memory("web/c.md", "# Roses\n\nThe gardener waters the roses behind the greenhouse on Tuesdays.\n")
GROUP = Group(key="web#1", domain="web", changed=(A, C), related=(B,), links=(("web/a.md", ("web/b.md",)),))


def due(cluster: Cluster) -> Asked:
    return Asked(
        phase="consolidate",
        fingerprint=cluster.fingerprint,
        dream_id="drm_1",
        asked_at=NOW,
        times_settled=1,
        reopens_at=NOW,
        members=cluster.members,
    )


def by_id(*memories: Memory) -> dict[str, Memory]:
    return {one.id: one for one in memories}


def test_a_group_says_which_changed_memory_has_which_relatives() -> None:
    (group,) = find_candidates(
        texts_of([A, B, C]), [A.path], (), ConsolidatePolicy(), lambda _: by_path([A, B, C])
    ).groups
    assert group.links == ((A.path, (B.path,)),)


def test_a_changed_memory_and_its_relatives_are_a_cluster_and_a_memory_alone_is_none() -> None:
    (found,) = find_settled([GROUP], ())
    assert found.members == (A.id, B.id)


def test_a_cluster_of_which_a_memory_was_changed_is_not_settled() -> None:
    assert find_settled([GROUP], {B.id}) == ()


def test_twins_that_name_each_other_are_one_cluster() -> None:
    links = (("web/a.md", ("web/b.md",)), ("web/b.md", ("web/a.md",)))
    both = Group(key="web#1", domain="web", changed=(A, B), related=(), links=links)
    assert len(find_settled([both], ())) == 1


def test_a_cluster_that_is_left_alone_again_keeps_its_fingerprint() -> None:
    first = find_settled([GROUP], ())
    again = reopen([due(one) for one in first], by_id(A, B, C), (), limit=10)
    assert again.group is not None
    assert again.group.key == REOPENED
    assert find_settled([again.group], ()) == first


def test_clusters_that_overlap_are_each_settled_again() -> None:
    """Else the smaller one would be due in every dream."""
    pair = find_settled([GROUP], ())
    three = find_settled(
        [Group(key="x#1", domain="x", changed=(A,), related=(B, C), links=((A.path, (B.path, C.path)),))], ()
    )
    again = reopen([due(one) for one in (*three, *pair)], by_id(A, B, C), (), limit=10)
    assert again.group is not None
    assert set(find_settled([again.group], ())) == {*pair, *three}


def test_a_cluster_within_another_is_not_named_beside_it() -> None:
    wide = ((A.path, (B.path, C.path)), (B.path, (A.path,)))
    (found,) = find_settled([Group(key="x#1", domain="x", changed=(A, B), related=(C,), links=wide)], ())
    assert found.members == (A.id, B.id, C.id)


def test_of_a_cluster_only_what_was_shown_counts() -> None:
    """A relative that did not fit into the call was not looked at."""
    cut = ((A.path, (B.path, "web/left-out.md")), ("web/not-shown.md", (A.path, B.path)), (C.path, ("web/gone.md",)))
    (found,) = find_settled([Group(key="x#1", domain="x", changed=(A, C), related=(B,), links=cut)], ())
    assert found.members == (A.id, B.id)


def test_a_second_look_is_a_call_of_moderate_size() -> None:
    large = [memory(f"web/{name}.md", f"# {name}\n\n{name * 15_000}\n") for name in "pqrs"]
    clusters = [
        Cluster(fingerprint=cluster_fingerprint(pair), members=tuple(one.id for one in pair))
        for pair in (large[:2], large[2:])
    ]
    again = reopen([due(one) for one in clusters], by_id(*large), (), limit=10)
    assert again.group is not None
    assert [one.path for one in again.group.changed] == ["web/p.md"]
    assert again.obsolete == (), "the other one waits for the next dream"


def test_a_cluster_that_is_larger_than_a_call_is_shown_alone() -> None:
    """Else it would wait for ever."""
    huge = [memory(f"web/{name}.md", name * 50_000) for name in "pq"]
    cluster = Cluster(fingerprint=cluster_fingerprint(huge), members=tuple(one.id for one in huge))
    again = reopen([due(cluster)], by_id(*huge), (), limit=10)
    assert again.group is not None


def test_a_cluster_that_reads_differently_or_has_lost_a_memory_is_obsolete() -> None:
    (found,) = find_settled([GROUP], ())
    edited = memory(B.path, f"{B.content}For 30 days.\n")
    for live in (by_id(A, C), by_id(A, edited, C)):
        again = reopen([due(found)], live, (), limit=10)
        assert (again.group, again.obsolete) == (None, (found.fingerprint,))


def test_a_cluster_that_this_dream_looks_at_in_any_case_waits() -> None:
    (found,) = find_settled([GROUP], ())
    again = reopen([due(found)], by_id(A, B, C), {B.id}, limit=10)
    assert (again.group, again.obsolete) == (None, ())


def test_the_cluster_that_waited_longest_is_shown_first() -> None:
    (one,) = find_settled([GROUP], ())
    (other,) = find_settled(
        [Group(key="x#1", domain="x", changed=(C,), related=(B,), links=((C.path, (B.path,)),))], ()
    )
    again = reopen([due(other), due(one)], by_id(A, B, C), (), limit=1)
    assert again.group is not None
    assert [memory.path for memory in again.group.changed] == [C.path]
