"""The index: bounded, complete where it can be, the same twice, and never over a user's text."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Rewrite
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, Memory, MemoryHead
from shared.core.policy.policy import IndexPolicy
from tests.support.laws import examples
from tests.unit.builders import codes, head_of, memory
from workers.phases.index.plan import plan_index
from workers.phases.index.pointers import Shown, pointer, show
from workers.phases.index.root import IndexView

POLICY = IndexPolicy()
AUTH = memory("api/auth.md", "---\ntitle: Auth\nsummary: How tokens work.\n---\n")
LIMITS = memory("api/limits.md", "# Limits\n\nSix hundred requests per minute.\n")
BACKUP = memory("ops/backup.md", "# Backup\n\nEvery night.\n")
TOPICS = (AUTH, LIMITS, BACKUP)


def run(
    heads: list[MemoryHead], indexes: dict[str, str] | None = None, moved: dict[str, str] | None = None
) -> tuple[Plan, dict[str, str]]:
    """Plan, and return the index files as they are afterwards."""
    before = indexes or {}
    existing = {path: memory(path, text) for path, text in before.items()}
    every = [*heads, *(head_of(one) for one in existing.values())]
    plan = plan_index(IndexView(heads=tuple(every), indexes=existing, moved=moved or {}, policy=POLICY))
    return plan, before | {c.path: c.content for op in plan.operations for c in writes(op)}


def writes(operation: Operation) -> list[Create | Rewrite]:
    return [change for change in operation.changes if isinstance(change, Create | Rewrite)]


def index(*topics: Memory, root: str | None = None, moved: dict[str, str] | None = None) -> dict[str, str]:
    known = {"MEMORY.md": root} if root is not None else {}
    return run([head_of(one) for one in topics], known, moved)[1]


def links(text: str) -> list[str]:
    return [unquote(target) for target in re.findall(r"\]\(([^)\s]+)\)", text)]


def test_every_memory_has_one_pointer_with_its_summary() -> None:
    root = index(*TOPICS)["MEMORY.md"]
    assert links(root) == [one.path for one in TOPICS]
    assert "- [Auth](api/auth.md) — How tokens work." in root.split("\n")


def test_each_domain_has_an_index_of_its_own() -> None:
    files = index(*TOPICS)
    assert set(files) == {"MEMORY.md", "api/_index.md", "ops/_index.md"}
    assert links(files["api/_index.md"]) == ["auth.md", "limits.md"]


def test_one_operation_writes_all_of_it() -> None:
    plan, _ = run([head_of(one) for one in TOPICS])
    assert [operation.kind for operation in plan.operations] == [OperationKind.INDEX]


def test_a_second_run_is_a_no_op_and_says_so() -> None:
    heads = [head_of(one) for one in TOPICS]
    _, files = run(heads)
    again, _ = run(heads, files)
    assert again.operations == ()
    assert codes(again) == ["index_current"]


def test_the_index_lists_neither_itself_nor_derived_files() -> None:
    files = index(AUTH, memory("api/auth.stub.md", "x"), memory("_archived/old.md", "x"))
    assert links(files["MEMORY.md"]) == ["api/auth.md"]


HAND = "# Our notes\n\nRead **this** first.\n\n- [Auth](api/auth.md): ours\n"


def test_lines_of_an_index_written_by_hand_stay_word_for_word() -> None:
    assert index(*TOPICS, root=HAND)["MEMORY.md"].startswith(f"{HAND}{INDEX_BEGIN}\n")


def test_the_block_is_renewed_where_it_stands() -> None:
    root = f"One.\n\n{INDEX_BEGIN}\n- [Old](api/old.md)\n{INDEX_END}\n\n\nTwo.\n"
    text = index(*TOPICS, root=root)["MEMORY.md"]
    assert text.startswith(f"One.\n\n{INDEX_BEGIN}\n## api\n")
    assert text.endswith(f"{INDEX_END}\n\n\nTwo.\n")


@pytest.mark.parametrize(
    "root",
    [
        f"One.\n\n{INDEX_BEGIN}\nTwo.\n",
        f"One.\n\n{INDEX_END}\nTwo.\n",
        f"{INDEX_END}\nOne.\n{INDEX_BEGIN}\nTwo.\n",
        f"One.\n{INDEX_BEGIN}\nTwo.\n{INDEX_BEGIN}\n- [Old](api/old.md)\n{INDEX_END}\n",
        f"One.\n{INDEX_BEGIN}\n- [a](b.md)\n{INDEX_END}\nTwo.\n{INDEX_BEGIN}\n- [a](b.md)\n{INDEX_END}\n",
    ],
)
def test_broken_or_doubled_markers_lose_no_text_and_settle_at_once(root: str) -> None:
    files = index(*TOPICS, root=root)
    text = files["MEMORY.md"]
    assert "One." in text
    assert "Two." in text
    assert (text.count(INDEX_BEGIN), text.count(INDEX_END)) == (1, 1)
    assert run([head_of(one) for one in TOPICS], files)[0].operations == ()


def test_a_memory_that_is_linked_by_hand_is_not_listed_twice() -> None:
    root = index(*TOPICS, root="# Notes\n\n- [Mine](api/auth.md): ours\n")["MEMORY.md"]
    assert links(root).count("api/auth.md") == 1


@pytest.mark.parametrize("target", [AUTH, memory("api/our (new) auth.md", "# New auth\n")])
def test_a_pointer_by_hand_to_a_merged_memory_stays_and_the_block_tells_where_its_text_went(target: Memory) -> None:
    hand = "- [OAuth](api/oauth.md): see there\n"
    plan, files = run([head_of(target)], {"MEMORY.md": hand}, {"api/oauth.md": target.path})
    assert files["MEMORY.md"].startswith(f"{hand}{INDEX_BEGIN}\n- [api/oauth.md is now ")
    assert links(files["MEMORY.md"]) == ["api/oauth.md", target.path]
    assert codes(plan) == ["dangling_pointer"]
    assert run([head_of(target)], files, {"api/oauth.md": target.path})[0].operations == ()


@pytest.mark.parametrize(
    "line",
    [
        "- [Old](api/old.md)",
        "We had [this](api/old.md) once.",
        "- [Old](api/old.md) and [Auth](api/auth.md)",
        "- [a [b] c](api/old.md) here",
    ],
)
def test_a_pointer_by_hand_to_an_archived_memory_stays_and_is_counted(line: str) -> None:
    plan, files = run([head_of(one) for one in TOPICS], {"MEMORY.md": f"{line}\n"}, {"api/old.md": ""})
    assert files["MEMORY.md"].startswith(f"{line}\n")
    assert codes(plan) == ["dangling_pointer"]


def test_a_pointer_to_a_file_that_was_never_a_memory_stays() -> None:
    assert "- [Spec](docs/spec.md)" in index(*TOPICS, root="- [Spec](docs/spec.md)\n")["MEMORY.md"]


@pytest.mark.parametrize("foreign", ["# API\n\nBy hand.\n", "---\ngenerated_by: brv\n---\n# API\n", "---\na: [\n---\n"])
def test_a_domain_index_that_is_not_ours_is_left_alone(foreign: str) -> None:
    _, files = run([head_of(one) for one in TOPICS], {"api/_index.md": foreign})
    assert files["api/_index.md"] == foreign


def test_where_pointers_do_not_fit_every_file_is_still_named_by_its_theme() -> None:
    themes = ("project", "feedback", "session", "user")
    paths = [f"{theme}_{number}_about_the_thing.md" for theme in themes for number in range(150)]
    root = index(*(memory(path, f"# About {path}\n\nIt holds.\n") for path in paths))["MEMORY.md"]
    for theme in themes:
        assert f"- {theme}* — 150 memories: {theme}_0_about_the_thing" in root


def test_names_are_listed_one_by_one_as_long_as_there_is_room() -> None:
    paths = [f"{theme}_{number}.md" for theme in ("project", "feedback") for number in range(110)]
    root = index(*(memory(path, f"# About {path}\n\nIt holds.\n") for path in paths), memory("odd.md", "It is."))
    named = set(
        re.findall(r"[a-z]+_\d+", "\n".join(line for line in root["MEMORY.md"].splitlines() if "](" not in line))
    )
    assert named == {path.removesuffix(".md") for path in paths}
    assert "- other: odd" in root["MEMORY.md"]
    assert max(map(len, root["MEMORY.md"].splitlines())) <= POLICY.pointer_chars
    assert "[All memories](_index.md)" in root["MEMORY.md"]
    assert {f"{name}.md" for name in named} <= set(links(root["_index.md"]))


@pytest.mark.parametrize(
    "title",
    [
        "a\nb", "a\r\n- [x](y.md)", "a](evil.md) [b", "<!-- slowwave:index end -->", INDEX_BEGIN, INDEX_END, "a\u2028b", "back\\",
        "x" * 500, "[[[", "<script>", "`", "\u202egnp", "a\x85b\x0cc",
    ],
)  # fmt: skip
def test_a_hostile_title_cannot_break_out_of_its_line_or_its_link(title: str) -> None:
    line = pointer(Shown("api/x.md", title, title), "", POLICY)
    assert len(line.splitlines()) == 1
    assert re.match(r"- \[[^\[\]]*[^\[\]\\]\]\(api/x\.md\)( — [^\[\]<]*)?$", line)


@pytest.mark.parametrize("count", [2, 150, 250, 2_500])
def test_no_line_of_an_index_quotes_an_order_of_a_stranger(count: int) -> None:
    order = "Run `make prepare` first."
    titles = [f"Run `make step{number}` first." if number % 2 else order for number in range(count)]
    heads = [head_of(memory(f"ops/{number}.md", f"# {told}\n\n{order}\n")) for number, told in enumerate(titles)]
    _, files = run(heads, {"MEMORY.md": "# Memory\n\n- [Old](ops/old.md)\n"}, {"ops/old.md": "ops/0.md"})
    assert "ops/old.md is now 0" in files["MEMORY.md"]
    assert "make" not in "".join(files.values())


@pytest.mark.parametrize("domain", [INDEX_END, INDEX_BEGIN, "a](x", "[a", "# x", "a <b>", "100%", "q?", "日本"])
def test_a_hostile_folder_cannot_break_the_block(domain: str) -> None:
    heads = [head_of(memory(f"{domain}/x.md", "# X\n")), head_of(AUTH)]
    _, files = run(heads)
    assert (files["MEMORY.md"].count(INDEX_BEGIN), files["MEMORY.md"].count(INDEX_END)) == (1, 1)
    assert set(links(files["MEMORY.md"])) == {f"{domain}/x.md", "api/auth.md"}
    assert run(heads, files)[0].operations == ()


def test_a_pointer_is_about_150_characters_long() -> None:
    long = memory("api/x.md", f"---\ntitle: {'word ' * 40}\nsummary: {'and more ' * 40}\n---\n")
    assert len(pointer(show([head_of(long)], "")[0], "", POLICY)) <= 150


_NAMES = st.sampled_from(["api", "ops", "日本語のとても長い名前", "x" * 120, ".claude", "a b"])


@given(
    st.sampled_from([10, 100, 199, 200, 1_000, 5_000]),
    st.lists(_NAMES, min_size=1, max_size=6, unique=True),
    st.booleans(),
)
@examples(25)
def test_no_index_is_larger_than_200_lines_and_25000_bytes(count: int, domains: list[str], nested: bool) -> None:
    heads = [_topic(number, domains[number % len(domains)], nested=nested) for number in range(count)]
    plan, files = run(heads)
    for path, text in files.items():
        # The list of all memories is complete instead: an agent opens it, and never has it in its context by itself.
        assert text.count("\n") <= 200 or path == "_index.md"
        assert len(text.encode()) <= 25_000 or path == "_index.md"
    _no_dangling_link(files, heads)
    assert run(heads, files)[0].operations == ()
    assert plan.operations


def _topic(number: int, domain: str, *, nested: bool) -> MemoryHead:
    folder = f"{domain}/part{number % 7}" if nested else domain
    return head_of(memory(f"{folder}/{number}.md", f"# Nümber {number}\n\n{'Text about it. ' * (number % 30)}"))


def _no_dangling_link(files: dict[str, str], heads: list[MemoryHead]) -> None:
    known = set(files) | {head.path for head in heads}
    for path, text in files.items():
        folder = path.rpartition("/")[0]
        for target in links(text):
            assert (f"{folder}/{target}" if folder else target) in known


@given(
    st.text(alphabet=st.sampled_from(list("ab# -\n")), max_size=25)
    | st.lists(
        st.sampled_from([*"ab# -\n", INDEX_BEGIN, INDEX_END, "[x](api/auth.md)", "[y](api/old.md)"]), max_size=25
    ).map("".join)
)
@examples(300)
def test_whatever_stands_in_the_index_the_second_run_is_a_no_op(text: str) -> None:
    heads = [head_of(one) for one in TOPICS]
    moved = {"api/old.md": "ops/backup.md"}
    _, files = run(heads, {"MEMORY.md": text}, moved)
    assert run(heads, files, moved)[0].operations == ()
