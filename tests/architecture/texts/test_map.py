"""ARCHITECTURE.md is the map: every path that it names exists, and it fits on two screens."""

import ast
import re

from tests.architecture.sources import ROOT, tracked

MAP = ROOT / "ARCHITECTURE.md"
#: A path is quoted and has a slash or an ending; `<name>` stands for any name.
_PATH = re.compile(r"`([\w.-]+(?:/[\w.<>-]+)+/?|[\w-]+\.(?:py|md|toml))`")
_LINK = re.compile(r"\]\(([^)#]+)\)")
_PAGE = re.compile(r"\b(?:docs|deploy/runbooks)/[\w/.-]+\.md")
#: The rows of the path of one dream, and the folders that it leads through.
_PATH_OF_A_DREAM = re.compile(r"## The path of one dream\n(.*?)\n## ", re.DOTALL)
_MOST_FILES = 40
_WALKED = ("dream", "runner", "ask", "phase", "phases/revise")
#: Frequent words by which the languages of a module are told apart.
_WORDS = {
    "German": {"nicht", "heute", "wird", "oder", "zwei", "nie", "anfang"},
    "French": {"aujourd", "hier", "deux", "sont", "jamais", "toujours", "après"},
    "Spanish": {"hoy", "según", "está", "pero", "dos", "nunca", "mediados"},
    "Italian": {"oggi", "sono", "ieri", "sempre", "altro", "mai", "inizio"},
    "Dutch": {"niet", "een", "het", "nooit", "altijd", "vandaag", "midden"},
    "Portuguese": {"não", "uma", "ontem", "você", "outro", "feira"},
}
_SEVERAL = 2
_FOLDERS = ("shared/", "gateway/", "scheduler/", "workers/", "deploy/", "docs/", "tests/", "benchmarks/")


def find_paths(text: str) -> set[str]:
    """The paths that a text names, without those that are given relative to another one."""
    quoted = {path for path in _PATH.findall(text) if path.startswith(_FOLDERS)}
    return quoted | set(_LINK.findall(text))


def find_missing(paths: set[str]) -> list[str]:
    """The paths that match no file or folder of the repository."""
    return sorted(path for path in paths if not any(ROOT.glob(re.sub(r"<\w+>", "*", path.rstrip("/")))))


def find_path_of_a_dream() -> list[str]:
    """The files that the path of one dream names, in its order."""
    section = _PATH_OF_A_DREAM.search(MAP.read_text(encoding="utf-8"))
    assert section is not None
    rows = "".join(line for line in section[1].splitlines() if line.startswith("|"))
    return [path for path in _PATH.findall(rows) if path.endswith(".py")]


def test_every_path_on_the_map_exists() -> None:
    paths = find_paths(MAP.read_text(encoding="utf-8"))
    assert len(paths) > 40
    assert find_missing(paths) == []


def test_every_page_that_a_program_or_a_setting_refers_to_exists() -> None:
    texts = (path for ending in (".py", ".toml", ".yaml", ".sql", ".html") for path in tracked(ending))
    own = (path for path in texts if path.relative_to(ROOT).parts[0] != "tests")
    cited = {page for path in own for page in _PAGE.findall(path.read_text(encoding="utf-8"))}
    assert len(cited) > 20
    assert find_missing(cited) == []


def test_the_map_fits_on_two_screens() -> None:
    assert MAP.read_text(encoding="utf-8").count("\n") <= 110


def test_the_path_of_one_dream_says_how_many_files_it_has_and_these_are_few() -> None:
    path = find_path_of_a_dream()
    assert len(path) == len(set(path)) <= _MOST_FILES
    assert f"in {len(path)} files" in MAP.read_text(encoding="utf-8")


def test_the_map_names_each_module_in_the_folders_that_a_dream_leads_through() -> None:
    files = (file for folder in _WALKED for file in (ROOT / "workers" / folder).glob("*.py") if file.stem != "__init__")
    assert {str(file.relative_to(ROOT)) for file in files} <= find_paths(MAP.read_text(encoding="utf-8"))


def test_a_path_that_does_not_exist_is_found() -> None:
    assert find_missing(
        find_paths("`workers/phases/<name>/` and `workers/dream/dawn.py` and [a page](docs/none.md)")
    ) == [
        "docs/none.md",
        "workers/dream/dawn.py",
    ]


def find_languages(source: str) -> set[str]:
    """The languages whose words a module's texts hold; of each, words that no other language has."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    )
    words = {word for text in texts for word in re.findall(r"[^\W\d_]+", text.lower())}
    return {language for language, own in _WORDS.items() if words & own}


def test_no_module_holds_words_of_several_languages_which_belong_into_the_files_of_these() -> None:
    assert [
        str(file.relative_to(ROOT))
        for folder in ("shared", "workers", "gateway")
        for file in (ROOT / folder).rglob("*.py")
        if len(find_languages(file.read_text(encoding="utf-8"))) >= _SEVERAL
    ] == []
