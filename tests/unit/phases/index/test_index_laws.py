"""The laws of the index: what stands by hand stays, the rest is within bounds, reachable and stable, and nothing dangles."""

import re
from urllib.parse import unquote

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Retire, Rewrite
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.index_text import by_hand, holds_content
from shared.core.memory.model import Memory, MemoryHead, MemoryKind, domain_of, kind_of
from shared.core.policy.policy import IndexPolicy
from tests.support.laws import examples
from tests.unit.builders import head_of, memory
from workers.phases.index.plan import plan_index
from workers.phases.index.root import IndexView

POLICY = IndexPolicy()
slow = examples(40, suppress=list(HealthCheck))

_FOLDERS = st.sampled_from(
    ["api", "ops", "日本語の長い名前", "x" * 120, ".claude", "a b", "Ünïcode", "(odd) [name]", ""]
)


class Store(dict[str, str]):
    """Paths and texts, shown short: Hypothesis prints what it falsified."""

    def __repr__(self) -> str:
        return f"<{len(self)} memories: {', '.join(list(self)[:4])}>"


class Hand(str):
    """A text by hand, shown short."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} characters: {self[:300]!r}>"


@st.composite
def stores(draw: st.DrawFn) -> Store:
    """Paths and texts: few or many folders, shallow or deep, long names."""
    count = draw(st.sampled_from([0, 1, 3, 60, 190, 400, 2_000]))
    folders = draw(st.lists(_FOLDERS, min_size=1, max_size=6, unique=True))
    own_folder, deep = draw(st.booleans()), draw(st.booleans())
    words = draw(st.sampled_from(["short", "größere Überschriften mit Umlauten " * 6, "字" * 90]))
    paths = []
    for number in range(count):
        folder = f"{folders[number % len(folders)]}{number if own_folder else ''}"
        inner = f"{folder}/part{number % 5}/{'deep/' * 8}" if deep else f"{folder}/"
        paths.append(f"{inner.lstrip('/')}{number}-{'n' * (number % 90)}.md")
    return Store({path: f"# {words} {number}\n\nSaid about {number}.\n" for number, path in enumerate(paths)})


_LINE = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
    st.sampled_from(
        ["", "", "# Notes", "## More `code`", "```", "---", "- [Auth](api/0-.md)", "- [Old](api/old.md): port 8443"]
    ),
    st.integers(1, 900).map(lambda n: f"- entry {n} " + f"word{n} " * (n // 3)),
)
HANDS = st.one_of(
    st.lists(_LINE, max_size=60).map("\n".join),
    st.tuples(st.lists(_LINE, min_size=1, max_size=12), st.integers(1, 90)).map(lambda t: "\n".join(t[0] * t[1])),
    st.integers(1, 4).map(lambda n: "x" * 10_000 * n),
    st.integers(150, 3_000).map(lambda n: "\n".join(f"## Heading {i}" for i in range(n))),
).map(Hand)


def apply(live: dict[str, str], moved: dict[str, str]) -> tuple[dict[str, str], bool]:
    """Plan once; return the store afterwards, and whether anything changed."""
    heads = tuple(_head(path, text) for path, text in sorted(live.items()))
    indexes = {p: memory(p, text) for p, text in live.items() if kind_of(p) is MemoryKind.INDEX}
    plan = plan_index(IndexView(heads=heads, indexes=indexes, moved=moved, policy=POLICY))
    after = dict(live)
    made = [operation for operation in plan.operations if not operation.propose_only]
    for operation in made:
        for change in operation.changes:
            if isinstance(change, Create):
                assert change.path not in live
            if isinstance(change, Create | Rewrite):
                after[change.path] = change.content
            elif isinstance(change, Retire):
                del after[change.path]
                moved[change.path] = ""
    return after, bool(made)


def _head(path: str, text: str) -> MemoryHead:
    head = head_of(_BLANK)
    values = {name: getattr(head, name) for name in head.__slots__}
    return MemoryHead(**values | {"path": path, "title": title_of(path, text), "summary": summary_of(text)})


_BLANK: Memory = memory("a.md")


def links(path: str, text: str) -> list[str]:
    folder = f"{path.rpartition('/')[0]}/" if "/" in path else ""
    return [folder + unquote(target) for target in re.findall(r"\]\(([^)\s]+\.md)\)", text)]


@slow
@given(stores(), st.one_of(st.none(), HANDS))
def test_the_index_keeps_every_promise_for_any_store_and_any_text_by_hand(
    store: dict[str, str], hand: str | None
) -> None:
    live = store | ({"MEMORY.md": hand} if hand is not None else {})
    moved = {"api/old.md": ""} if "api/old.md" not in live else {}
    after, _ = apply(live, moved)
    root = after["MEMORY.md"]
    kept = "# Memory\n\n" if hand is None else by_hand(hand)
    assert by_hand(root) in {kept, f"{kept}\n"}
    _check_bounds(root, kept)
    if not holds_content(hand or "") and root != kept:
        _check_reachable(after)
    _check_no_dangling(after, kept)
    again, changed = apply(after, moved)
    assert again == after
    assert not changed


def _check_bounds(text: str, kept: str) -> None:
    """A text is within its budget, or it is what stands there by hand and nothing more."""
    assert text == kept or text.count("\n") <= 200
    assert text == kept or len(text.encode()) <= 25_000


def _check_reachable(live: dict[str, str]) -> None:
    """Each memory has a pointer in the root, or its folder is named there or on the page that the root points to."""
    root = live["MEMORY.md"]
    direct = set(links("MEMORY.md", root))
    pages = root + (live["_index.md"] if "_index.md" in direct else "")
    for path in live:
        if kind_of(path) is not MemoryKind.TOPIC or path in direct:
            continue
        domain = domain_of(path)
        name = " ".join(domain.replace("[", "(").replace("]", ")").split())
        assert (f"{name}/" if domain else "(top level)") in pages or path in links("MEMORY.md", pages), path


def _check_no_dangling(after: dict[str, str], kept: str) -> None:
    for path, text in after.items():
        if kind_of(path) is MemoryKind.INDEX:
            assert set(links(path, text)) <= set(after) | set(links(path, kept))


@slow
@given(stores())
def test_an_index_of_an_emptied_folder_goes_and_nothing_points_to_it(store: dict[str, str]) -> None:
    moved: dict[str, str] = {}
    after, _ = apply(store, moved)
    gone = {path for path in store if domain_of(path) == "api"}
    left = {path: text for path, text in after.items() if path not in gone}
    emptied, _ = apply(left, moved | dict.fromkeys(gone, ""))
    assert "api/_index.md" not in emptied
    assert "api/_index.md" not in links("MEMORY.md", emptied["MEMORY.md"])
