"""Only relative markdown paths inside the store are accepted, and they are never changed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import UnsafePathError
from shared.core.memory.model import kind_of
from shared.core.memory.paths import (
    HOST_NAMES,
    MAX_PATH_BYTES,
    ascii_slug_of,
    check_memory_path,
    find_reserved,
    is_memory_id,
    slug_of,
    stem_of,
)


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "api/auth.md",
        "a b/c d.MD",
        "notes/README.Markdown",
        ".claude/memory/x.md",
        "_archived/a..b.md",
        "con/nul.md",
        "日本/メモ.md",
        "\u00e9.md",
        "..a/b.md",
        "x" * (MAX_PATH_BYTES - 3) + ".md",
    ],
)
def test_a_relative_markdown_path_is_accepted_as_it_is(path: str) -> None:
    assert check_memory_path(path) == path


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "does not end"),
        ("/etc/passwd.md", "absolute"),
        ("C:/x.md", "absolute"),
        ("c:x.md", "absolute"),
        ("a\\b.md", "backslash"),
        ("\\\\host\\x.md", "backslash"),
        ("../x.md", "`..`"),
        ("a/../b.md", "`..`"),
        ("a/./b.md", "`.`"),
        ("./b.md", "`.`"),
        ("a//b.md", "empty segment"),
        ("a/b.md/", "does not end"),
        ("a\x00.md", "control"),
        ("a\nb.md", "control"),
        (" a.md", "space"),
        ("a /b.md", "space"),
        ("a/ b.md", "space"),
        ("a/b.md ", "does not end"),
        ("a\u00a0/b.md", "space"),
        ("a/\u202egnp.md", "direction"),
        ("a/zero\u200bwidth.md", "invisible"),
        ("a/\ufeffx.md", "invisible"),
        ("half\ud800.md", "control"),
        ("cafe\u0301.md", "NFC"),
        ("a.txt", "does not end"),
        ("md", "does not end"),
        ("a/.md", "no name"),
        ("x" * (MAX_PATH_BYTES - 2) + ".md", "longer"),
        ("é" * 511 + ".md", "longer"),
        ("a/" * 256 + "b.md", "segments"),
    ],
)
def test_any_other_path_is_refused_with_its_reason(path: str, reason: str) -> None:
    with pytest.raises(UnsafePathError, match=re.escape(reason)):
        check_memory_path(path)


@pytest.mark.parametrize(
    "path", ["notes", "a/b", "prefs.txt", "data/config.json", ".env", "release 1.2", "x" * MAX_PATH_BYTES]
)
def test_a_path_of_anthropics_api_may_end_in_anything_and_every_other_rule_holds(path: str) -> None:
    assert check_memory_path(path, any_ending=True) == path
    for wrong in (f"/{path}", f"../{path}", f"{path}/", f"{path}\x00", f"a\\{path}", f"{path}x" * 2_000, ""):
        with pytest.raises(UnsafePathError):
            check_memory_path(wrong, any_ending=True)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("notes", "topic"),
        ("a.b/notes", "topic"),
        ("prefs.TXT", "topic"),
        ("a.markdown", "topic"),
        ("release 1.2 notes", "topic"),
        ("config.json", "file"),
        ("a/run.SH", "file"),
        (".env", "file"),
        ("logs/2026/03/2026-03-04.json", "file"),
        ("skills/mail/run.sh", "skill_file"),
    ],
)
def test_a_name_tells_a_text_for_people_from_a_file_that_dreams_leave_alone(path: str, kind: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    ("name", "is_id"), [("mem_01JD", True), ("notes", False), ("mem_a.md", False), ("mem_/x", False)]
)
def test_an_id_is_told_from_a_path_that_has_no_dot(name: str, is_id: bool) -> None:
    assert is_memory_id(name) is is_id


@given(st.text(st.sampled_from("./\\ :aé\u0301\u202e\x00\n"), max_size=12).map("{}.md".format))
def test_an_accepted_path_is_unchanged_and_stays_inside(path: str) -> None:
    try:
        accepted = check_memory_path(path)
    except UnsafePathError:
        return
    assert accepted == path
    assert all(part not in ("", ".", "..") for part in path.split("/"))


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Authentication Patterns Across Services", "authentication-patterns-across-services"),
        ("  C++ & Rust -- FFI!  ", "c-rust-ffi"),
        ("x" * 79 + " y", "x" * 79),
        ("../../etc/passwd", "etc-passwd"),
        ("Müllabfuhr & Straßenfest", "müllabfuhr-straßenfest"),
        ("端口是 8443\uff0c不是 8080", "端口是-8443-不是-8080"),
        ("データベースの移行", "データベースの移行"),
        ("메모 색인", "메모-색인"),
        ("Счета: третьего числа", "счета-третьего-числа"),
        ("الفواتير في الثالث", "الفواتير-في-الثالث"),
        ("बिल तीन तारीख को", "बिल-तीन-तारीख-को"),
        ("ใบแจ้งหนี้", "ใบแจ้งหนี้"),
        ("Τιμολόγια", "τιμολόγια"),
        ("Hóa đơn", "hóa-đơn"),
        ("We don't", "we-dont"),
        ("می\u200cخواهم", "میخواهم"),  # noqa: RUF001 - as Persian writes it
        ("I \u2764\ufe0f tabs", "i-tabs"),
    ],
)
def test_a_file_is_named_by_the_words_of_its_title_in_whatever_script(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_a_title_has_one_name_however_its_accents_are_encoded() -> None:
    assert slug_of("Caf\u00e9") == slug_of("Cafe\u0301") == "caf\u00e9"


def test_titles_without_letters_keep_apart() -> None:
    assert re.fullmatch(r"untitled-[0-9a-f]{8}", slug_of("!!!"))
    assert slug_of("!!!") != slug_of("???")


@given(st.text(st.characters()), st.integers(1, 100))
def test_a_slug_is_a_safe_name_that_every_file_system_can_hold(title: str, limit_chars: int) -> None:
    slug = slug_of(title, limit_chars)
    assert len(slug) <= limit_chars or slug.startswith("untitled-")
    assert len(f"{slug}-99.markdown".encode()) <= 255
    assert check_memory_path(f"{slug}.md")
    assert slug_of(slug, limit_chars) == slug or slug.startswith("untitled-")


@given(st.text(st.characters()), st.integers(1, 100))
def test_names_of_skills_and_stores_are_plain_ascii(title: str, limit_chars: int) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", ascii_slug_of(title, limit_chars))


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md", "claude.MD", "app/Agents.md", "AGENTS.md./x.md", "CLAUDE.md:x", "\uff23LAUDE.md", ".git/config", ".GIT/a.md",
        "git~1/config", "a/.Claude/rules/x.md", ".cursor/rules/a.mdc", ".github/copilot-instructions.md", ".\u017fsh/a.md",
    ],
)  # fmt: skip
def test_what_hosts_load_or_run_is_reserved_however_it_is_spelled(path: str) -> None:
    assert find_reserved(path, is_new=False)


def test_a_dot_file_of_any_name_is_reserved_only_while_there_is_none() -> None:
    for path in (".notes/a.md", "ops/.hidden.md", ".brv/context-tree/a.md"):
        assert find_reserved(path, is_new=True)
        assert find_reserved(path, is_new=False) is None


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "ops/_index.md",
        "skills/mail/SKILL.md",
        "agents/one.md",
        "claude/notes.md",
        "a.b/c.md",
        "my-claude.md",
    ],
)
def test_other_paths_are_an_agents_to_write(path: str) -> None:
    assert find_reserved(path, is_new=True) is None


def test_a_dream_names_no_file_as_hosts_name_theirs() -> None:
    assert [stem_of(title) for title in ("Claude", "AGENTS", "Agents of change")] == [
        "claude-notes",
        "agents-notes",
        "agents-of-change",
    ]
    assert not [name for name in HOST_NAMES if find_reserved(f"{stem_of(name.removesuffix('.md'))}.md", is_new=True)]
