"""Links in a memory's text to other memories: `[[notes]]`, `[notes](../api/notes.md#setup)`, `[notes](/api/notes.md)`."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

_ENDINGS = (".md", ".markdown")
_LEAVES_THE_STORE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_MAX_STEPS = 256


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, without the anchor of a heading. A wiki link may be a name alone, in any folder."""

    target: str
    is_wiki: bool = False

    @property
    def leaves_the_store(self) -> bool:
        """Tell whether it is an address of the web or of mail, and no memory."""
        return not self.is_wiki and _LEAVES_THE_STORE.match(self.target) is not None

    @property
    def name(self) -> str | None:
        """Return the file name that a wiki link without a folder may have in any folder."""
        return _with_ending(self.target.strip()) if self.is_wiki and self.target and "/" not in self.target else None


def find_paths(path: str, link: Link) -> tuple[str, ...]:
    """Return the paths that a link in the memory at `path` may lead to, the likeliest first."""
    if link.leaves_the_store:
        return ()
    named = link.target.strip() if link.is_wiki else unquote(link.target)
    if not named:
        return (path,)
    whole = _with_ending(named) if link.is_wiki else named
    found = [join_path(path, whole), whole.lstrip("/")]
    if not link.is_wiki and not named.lower().endswith(_ENDINGS):
        found += [join_path(path, f"{named}.md"), f"{named}.md".lstrip("/")]
    return tuple(dict.fromkeys(one for one in found if one and "\x00" not in one))


def join_path(path: str, target: str) -> str:
    """Return where a relative path leads to from the file at `path`; it never leaves the store."""
    steps = path.split("/")[:-1]
    for step in target.split("/", _MAX_STEPS):
        if step == "..":
            del steps[-1:]
        elif step != ".":
            steps.append(step)
    return "/".join(steps)


def _with_ending(name: str) -> str:
    return name if name.lower().endswith(_ENDINGS) else f"{name}.md"
