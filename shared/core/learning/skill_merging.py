"""Decide which skills may become one, by the published rules of merging."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from shared.core.dream.operations import Skip
from shared.core.learning.skill_answers import SkillDraft
from shared.core.learning.skills import folder_of, namespace_of, skill_name_of
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.merging.same_subject import SubjectKind, SubjectVerdict, same_subject

#: A namespace in which each name is a distinct subject: `mcp/email` and `mcp/calendar` are never merged.
SINGLETON_NAMESPACES = frozenset({"mcp"})
GUIDE = "guide"
_FEWEST_SIBLINGS = 2


def find_clusters(names: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the prefixes that at least two skills share, with the names of these skills: `mcp` and all of `mcp/*`."""
    inside: dict[str, list[str]] = {}
    for name in sorted(names):
        if namespace_of(name):
            inside.setdefault(namespace_of(name), []).append(name)
    return tuple((prefix, tuple(found)) for prefix, found in inside.items() if len(found) >= _FEWEST_SIBLINGS)


def find_sources(skills: Mapping[str, Memory], one: SkillDraft) -> tuple[str, ...]:
    """Return the offered skills that a draft would merge, including the existing target."""
    named = [name for name in dict.fromkeys(one.source_names) if name in skills]
    is_more = any(name != one.name for name in named)
    return tuple(dict.fromkeys([one.name, *named] if is_more and one.name in skills else named))


def is_merge(skills: Mapping[str, Memory], one: SkillDraft) -> bool:
    """Tell whether a draft replaces several skills by one."""
    return any(name != one.name for name in find_sources(skills, one))


def decide_guide(name: str, clusters: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether a skill would be the parent guide of a prefix cluster, such as `mcp/guide` of `mcp/*`."""
    prefix, _, last = name.rpartition("/")
    siblings = [one for one in clusters.get(prefix, ()) if one != name]
    return last == GUIDE and len(siblings) >= _FEWEST_SIBLINGS


def reason_apart(names: Sequence[str]) -> str | None:
    """Return why skills of these names are never merged, or None: some namespaces have a distinct subject per name."""
    singletons = [name for name in names if name.partition("/")[0] in SINGLETON_NAMESPACES and "/" in name]
    lasts = {name.rpartition("/")[2] for name in names}
    if singletons and len(lasts) > 1:
        return f"{singletons[0]} stands for a thing of its own"
    return None


def same_skill_subject(left: str, left_text: str, right: str, right_text: str) -> SubjectVerdict:
    """Return whether two skills have the same subject, judged by the skills' names, not by the file name `SKILL.md`."""
    if body_of(left_text).split() == body_of(right_text).split():
        return SubjectVerdict(SubjectKind.UNKNOWN, f"{left} and {right} hold the same instructions under two names")
    return same_subject(f"{left}.md", left_text, f"{right}.md", right_text)


def decide_skills_unmergeable(sources: Sequence[Memory], target: str, files: Iterable[str]) -> Skip | None:
    """Return why these skills may not be merged into the skill `target`, whatever its text, or None.

    Args:
        sources: the skills that would be merged, including the target if it exists.
        target: the name of the skill that stays.
        files: the paths of all files in the folders of skills.
    """
    names = [skill_name_of(memory.path) for memory in sources]
    said = ", ".join(names)
    apart = reason_apart([*names, target])
    if apart is not None:
        return Skip(code="namespaced_singleton", detail=f"merge of {said} into {target}: {apart}")
    for left, right in combinations(sources, 2):
        subject = same_skill_subject(skill_name_of(left.path), left.content, skill_name_of(right.path), right.content)
        if subject.is_different:
            return Skip(code="different_subjects", detail=f"merge of {said}: {subject.reason}")
    for path in files:
        owner = next((name for name in names if name != target and path.startswith(folder_of(name))), None)
        if owner is not None and kind_of(path) is MemoryKind.SKILL_FILE:
            return Skip(
                code="has_files", detail=f"merge of {said}: {owner} has files that would be left behind ({path})"
            )
    return None
