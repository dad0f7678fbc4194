"""Say where the lines of a merged text come from, and of each line of a source where its statements stand now, or that they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz import fuzz, process

from shared.core.checks.merges import SENTENCE_CHECKS
from shared.core.checks.updates import Cited, Outcome, Update, find_weightiest
from shared.core.memory.frontmatter import body_of
from shared.core.merging.statements import ALSO_TITLED
from shared.core.reading.placed import read_placed
from shared.core.sessions.statement_text import statements_of
from shared.core.sessions.statements.same_statement import key_of

#: Of a longer text, a person is not helped by a table of lines.
MAX_LINES = 200
_MAX_CHARS = 1_000
#: Each line takes some milliseconds, and is compared with the statements that are most like it.
_MOST_JUDGED, _MOST_CITED = 30, 20
#: From here on a line is the same one in other words.
_ALIKE = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """One line of a source. `number` is the line in the merged text, if it stands there."""

    text: str
    fate: Literal["kept", "reworded", "not kept"]
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedLine:
    """One line of a merged text as it would be read, and where it comes from.

    Attributes:
        fate: `kept` if each of its statements stands in a source, `reworded` if one says it in other words, `new` if none
            does, and empty for a heading, which states nothing.
        paths: the sources that say it.
        passed: the codes of the checks of a new sentence that it passes; none if it is kept, or could not be judged.
        doubt: the one that it does not pass, and why.
    """

    text: str
    fate: Literal["kept", "reworded", "new", ""]
    paths: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    doubt: str = ""


def find_origins(merged: str, sources: Mapping[str, str]) -> list[MergedLine]:
    """Return the lines of a merged text with their sources, by path; none if one of them is too long to compare.

    Of those that no source has word for word, the first ones also say what the checks of a new sentence find.
    """
    found = _trace_all(merged, {path: body_of(content) for path, content in sources.items()})
    cited = [Cited(path=path, placed=one) for path, content in sources.items() for one in read_placed(content)]
    # The host keeps the titles of the others in a line of its own words.
    new = [one for one in found if one.fate in {"reworded", "new"} and not one.text.startswith(ALSO_TITLED)]
    own = new[:_MOST_JUDGED] if cited else []
    return [_judge(line, cited) if line in own else line for line in found]


def _judge(line: MergedLine, cited: Sequence[Cited]) -> MergedLine:
    """Return a line with what the checks say, which need no more than the texts that the operation has recorded.

    Where a refusing check fails, the host knew more than is recorded, such as days: what it refuses is never proposed.
    """
    said = next((one.text for one in read_placed(line.text)), line.text)
    alike = process.extract(said, [one.text for one in cited], scorer=fuzz.ratio, limit=_MOST_CITED)
    old, *by = (cited[place] for _, _, place in alike)
    finding = find_weightiest(SENTENCE_CHECKS, Update(old=old, by=tuple(by), write=said))
    if finding is None:
        return replace(line, passed=tuple(one.code for one in SENTENCE_CHECKS))
    return line if finding.outcome is Outcome.REFUSE else replace(line, doubt=f"{finding.check.code}: {finding.why}")


def _trace_all(merged: str, sources: Mapping[str, str]) -> list[MergedLine]:
    wanted = [line.strip() for line in merged.splitlines() if line.strip()]
    lines = {path: [line.strip() for line in text.splitlines() if line.strip()] for path, text in sources.items()}
    longest = max([len(wanted), *map(len, lines.values())])
    if longest > MAX_LINES or any(len(line) > _MAX_CHARS for found in (wanted, *lines.values()) for line in found):
        return []
    keys = {path: {key_of(one) for one in statements_of(text)} for path, text in sources.items()}
    return [_trace(line, lines, keys) for line in wanted]


def _trace(line: str, lines: Mapping[str, list[str]], keys: Mapping[str, set[tuple[str, ...]]]) -> MergedLine:
    stated = [key_of(one) for one in statements_of(line)]
    if not stated:
        return MergedLine(text=line, fate="")
    holders = [[path for path, known in keys.items() if key in known] for key in stated]
    if all(holders):
        return MergedLine(text=line, fate="kept", paths=tuple(dict.fromkeys(path for one in holders for path in one)))
    alike = [
        path for path, there in lines.items() if process.extractOne(line, there, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    ]
    named = tuple(dict.fromkeys([*alike, *(path for one in holders for path in one)]))
    return MergedLine(text=line, fate="reworded" if named else "new", paths=named)


def find_survivors(source: str, merged: str) -> list[SourceLine]:
    """Return the lines of a source that say something, in their order; none if one of the texts is too long to compare."""
    wanted = [line.strip() for line in source.splitlines() if line.strip()]
    places = [(number, line.strip()) for number, line in enumerate(merged.splitlines(), 1) if line.strip()]
    if max(len(wanted), len(places)) > MAX_LINES or any(len(line) > _MAX_CHARS for line in wanted):
        return []
    known = {line: number for number, line in reversed(places)}
    near = [(number, line) for number, line in places if len(line) <= _MAX_CHARS]
    said = {key_of(one): number for number, line in reversed(near) for one in statements_of(line)}
    return [_follow(line, known, near, said) for line in wanted]


def _follow(
    line: str, known: dict[str, int], near: list[tuple[int, str]], said: dict[tuple[str, ...], int]
) -> SourceLine:
    if line in known:
        return SourceLine(text=line, fate="kept", number=known[line])
    whole = next((number for number, there in near if line in there), None)
    if whole is not None:
        return SourceLine(text=line, fate="kept", number=whole)
    texts = [there for _, there in near]
    told = [said.get(key_of(one)) for one in statements_of(line)]
    if told and None not in told:
        return SourceLine(text=line, fate="kept", number=told[0])
    best = process.extractOne(line, texts, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    if best is None:
        return SourceLine(text=line, fate="not kept")
    return SourceLine(text=line, fate="reworded", number=near[best[2]][0])
