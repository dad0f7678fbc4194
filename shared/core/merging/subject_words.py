"""Read what a memory is about from its title, its name and its path, and the words that tell it.

A word counts by its stem, so that `caching` and `cached` are one word; numbers and names count as they are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from shared.core.memory.headline import title_of
from shared.core.memory.paths import original_of
from shared.core.memory.yaml_read import split_frontmatter
from shared.core.text.duplicates import is_same_text
from shared.core.text.wording import stem_of
from shared.languages.function_words import STOP_WORDS_ANYWHERE
from shared.languages.language_file import every_word

#: Names that a file has for its purpose; what it is about stands in its folder.
_GENERIC_STEMS_TEXT = "claude agents readme skill index _index memory notes note overview context summary guide"
GENERIC_STEMS = frozenset(_GENERIC_STEMS_TEXT.split())
#: Files that are only counted have these names: `note-12`, `mem_0031`.
_COUNTED_TEXT = "mem fact obs observation entry item file doc document record id untitled new page text"
_COUNTED_STEMS = GENERIC_STEMS.union(_COUNTED_TEXT.split())
#: What tells the edition of a text in its title or its file's name, and not what it is about.
_EDITION = re.compile(
    r"(?<![^\W_])(?:v|ver|version|versión|versão|fassung|entwurf|draft|edition)[. _-]?\d+(?:\.\d+)*(?![^\W_])"
    r"|[(,;]? ?\b(?:updated|revised|aktualisiert|überarbeitet|mise? à jour|actualizado|atualizado)\b[^)]{0,40}\)?$",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PIECE = re.compile(r"[^\W\d_]+|\d+")
_HEADING = re.compile(r"^# +\S.*\n?", re.MULTILINE)
#: A file name that calls itself a second one of another file.
_COPY = re.compile(r"(?:[-_. ](?:old|copy|backup|bak|tmp|temp|draft|new|final|v?\d{1,2})|[-_ ]?\(\d{1,2}\))$")
_VERSION = re.compile(r"(?<=[^\W_])[-_. ]v\d+$")
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"[-_. ](?:19|20)\d\d$")
_NUMBERED = re.compile(r"\d$")
_NAME_PIECE = re.compile(r"[^\W_]+[+#]*")
_NAME_DAY = re.compile(r"\d{4}-?\d\d-?\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A memory as the rules of subjects read it; the words are stems."""

    path: str
    title: str  # empty when the text has none
    title_words: tuple[str, ...]
    body: str  # without frontmatter and without its title
    body_words: frozenset[str]
    path_words: frozenset[str]  # of the whole path

    @property
    def words(self) -> frozenset[str]:
        """Return every word of the memory, wherever it stands."""
        return self.body_words | self.path_words | frozenset(self.title_words)

    @property
    def stem(self) -> str:
        """Return the file's name without its ending."""
        return PurePosixPath(self.path).stem.lower()

    @property
    def folder(self) -> str:
        """Return the folder that the file lies in."""
        return self.path.rpartition("/")[0]


@lru_cache(maxsize=64)
def read_subject(path: str, text: str) -> Subject:
    """Return what a memory is about, as far as its words say it."""
    title = title_of("", text)
    title = "" if title == "untitled" or GENERIC_STEMS.issuperset(title.lower().removesuffix(".md").split()) else title
    body = split_frontmatter(text).body
    found = _HEADING.search(body)
    if found is not None and not body[: found.start()].strip():
        body = body[found.end() :]
    return Subject(
        path=path,
        title=title,
        title_words=list_stems(without_edition(title)),
        body=body,
        body_words=frozenset(list_stems(body)),
        path_words=frozenset(list_stems(path.removesuffix(".md"))),
    )


def are_sorts_of_text(stems: Iterable[str]) -> bool:
    """Tell whether all of these words say only what sort of text a title announces: `VLAN plan` and `Overview of VLANs` are about VLANs."""
    return _sorts().issuperset(stems)


@cache
def _sorts() -> frozenset[str]:
    return frozenset(map(stem_of, every_word("sorts")))


def without_edition(name: str) -> str:
    """Return a title or a file's name without its edition: `Rehab plan v2`, `Mooring (updated March 2026)`; not one that is all of it."""
    left = _EDITION.sub(" ", name)
    return left if _PIECE.search(left) else name


def list_stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words that say something, in order."""
    found = (piece.lower() for piece in _PIECE.findall(_CAMEL.sub(" ", text)))
    return tuple(stem_of(word) for word in found if word not in STOP_WORDS_ANYWHERE)


def spell(subject: Subject, stems: Iterable[str]) -> str:
    """Return the words of a title or a path that have these stems, at most four, as they are written."""
    wanted = set(stems)
    pieces = _PIECE.findall(_CAMEL.sub(" ", f"{subject.title} {subject.path.removesuffix('.md')}"))
    found = {stem: piece for piece in reversed(pieces) if (stem := stem_of(piece.lower())) in wanted}
    return " ".join(found[stem] for stem in list(found)[::-1][:4])


def own_path_words(mine: Subject, other: Subject) -> frozenset[str]:
    """Return the words by which a path names its subject: of the file, or of the folder where the file's name is generic."""
    if _are_copies(mine.stem, other.stem) and mine.folder == other.folder:
        return frozenset()
    named_by_folder = mine.stem == other.stem or mine.stem in GENERIC_STEMS
    return frozenset(list_stems(mine.folder if named_by_folder else PurePosixPath(mine.path).stem))


def are_editions(left: Subject, right: Subject) -> bool:
    """Tell whether one file is called an edition of the other: `loans` and `loans-new`, `build` and `build-2025`."""
    if left.folder != right.folder or left.stem == right.stem:
        return False
    first, second = (_YEAR.sub("", one.stem) for one in (left, right))
    is_one_without_year = first == left.stem or second == right.stem
    return is_one_without_year and _are_copies(first, second)


def are_filed_apart(left: str, right: str) -> bool:
    """Tell whether two files have neither a folder nor a name in common, as pages of one template have; numbers do not count."""
    first, second = (PurePosixPath(_DIGITS.sub("", path)) for path in (left, right))
    return bool(left and right) and first.parent != second.parent and first.stem.lower() != second.stem.lower()


def are_named_in_turn(left: str, right: str) -> bool:
    """Tell whether two files of one folder have names that differ in numbers or letters only: `room-1` and `room-2`, `a` and `c`."""
    return _list_shared_pieces(PurePosixPath(left), PurePosixPath(right)) is not None


def are_of_a_series(left: str, right: str) -> bool:
    """Tell whether the files are named in turn after what the series is of: `room-1`, `2024-01`; not `a`, `2`, `note-1`."""
    shared = _list_shared_pieces(PurePosixPath(left), PurePosixPath(right)) or []
    return bool(shared) and not _COUNTED_STEMS.issuperset(shared)


def _list_shared_pieces(left: PurePosixPath, right: PurePosixPath) -> list[str] | None:
    """Return the pieces that the names of two files share, in order; None if they differ in more than numbers or letters, or in folder."""
    first, second = (_PIECE.findall(without_edition(one.stem.lower())) for one in (left, right))
    pairs = list(zip(first, second, strict=False))
    differing = [word for pair in pairs if pair[0] != pair[1] for word in pair]
    if left.parent != right.parent or len(first) != len(second) or not differing:
        return None
    is_counted = all(word.isdigit() or len(word) == 1 for word in differing)
    return [one for one, other in pairs if one == other] if is_counted else None


def are_versions(left: str, right: str) -> bool:
    """Tell whether two files are called versions of one text: `rota-v1` and `rota-v2`."""
    first, second = (_VERSION.sub("", path.removesuffix(".md")) for path in (left, right))
    return left != right and first == second


def _are_copies(one: str, other: str) -> bool:
    """Tell `router` and `router-2` from `db-01` and `db-02`."""
    if _NUMBERED.search(one) and _NUMBERED.search(other):
        return False
    return _COPY.sub("", one) == _COPY.sub("", other)


class NamedApart(NamedTuple):
    """The reason why two memories may be about two things; `is_certain`: they say the same under names of one pattern."""

    reason: str
    is_certain: bool


def find_named_apart(left: Subject, right: Subject) -> NamedApart | None:
    """Return what tells two memories apart in their titles or their paths, or None where both are called the same."""
    titles = _words_of_name(_telling(left.title)), _words_of_name(_telling(right.title))
    own = titles[0] - titles[1], titles[1] - titles[0]
    is_equal = is_same_text(left.body, right.body)
    if all(own) and not are_sorts_of_text(map(stem_of, own[0] | own[1])):
        return NamedApart(
            f"their titles are {left.title[:80]} and {right.title[:80]}", is_equal and bool(titles[0] & titles[1])
        )
    are_copies = original_of(left.path) == right.path or original_of(right.path) == left.path
    if not (left.path and right.path) or are_copies:
        return None
    if left.folder != right.folder:
        told = f"they stand in two folders: {left.folder or 'the top'} and {right.folder or 'the top'}"
        return NamedApart(told, is_equal and _are_of_one_sort(left.path, right.path))
    told = f"their files are called {left.stem[:80]} and {right.stem[:80]}"
    names = _words_of_name(left.stem), _words_of_name(right.stem)
    own = names[0] - names[1], names[1] - names[0]
    if names[0] == names[1] and not re.search(r"\d", left.stem):
        return None
    if is_equal:
        return NamedApart(told, are_of_a_series(left.path, right.path) or bool(all(own) and names[0] & names[1]))
    is_turn = are_of_a_series(left.path, right.path) or bool(
        _NAME_DAY.search(left.stem) and _NAME_DAY.search(right.stem)
    )
    return NamedApart(told, is_certain=False) if is_turn or _say_nothing_of(own, left, right) else None


def _words_of_name(name: str) -> frozenset[str]:
    """Return every word of a name as it is: short ones name languages, and Jon is not Jones."""
    return frozenset(_NAME_PIECE.findall(name.lower()))


def _telling(title: str) -> str:
    """Return a title without small words; in capitals they are names: `DE`, `IT`."""
    words = (word for word in title.split() if word.isupper() or word.lower() not in STOP_WORDS_ANYWHERE)
    return " ".join(words)


def _are_of_one_sort(left: str, right: str) -> bool:
    """Tell whether two paths differ in one folder below a common one: `plants/fern/watering`, `plants/palm/watering`."""
    ours, theirs = PurePosixPath(left).parts, PurePosixPath(right).parts
    differing = [at for at, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other]
    return len(ours) == len(theirs) and len(differing) == 1 and differing[0] > 0


def _say_nothing_of(own: tuple[frozenset[str], frozenset[str]], left: Subject, right: Subject) -> bool:
    """Tell whether each file is named by words that the other memory says nowhere; numbers and letters only count files."""
    texts = _words_of_name(f"{right.title} {right.body}"), _words_of_name(f"{left.title} {left.body}")
    return all(
        any(word.isalpha() and len(word) > 1 for word in names - text) for names, text in zip(own, texts, strict=True)
    )
