"""Find many phrases in one text at once, in one pass over its words: Aho and Corasick's automaton."""

from collections import deque
from collections.abc import Iterable, Sequence


class _Node:
    """A prefix of phrases. `fallback` is its longest suffix that is also a prefix."""

    __slots__ = ("fallback", "following", "phrase")

    def __init__(self) -> None:
        self.following: dict[str, _Node] = {}
        self.fallback: _Node | None = None
        self.phrase = ""


def find_phrases(words: Sequence[str], phrases: Iterable[str]) -> set[str]:
    """Return the phrases that occur in the words, each written with single spaces, in linear time."""
    root, at_end = _Node(), list[_Node]()
    for phrase in phrases:
        node = root
        for word in phrase.split(" "):
            node = node.following.setdefault(word, _Node())
        node.phrase = phrase
        at_end.append(node)
    if not at_end:
        return set()
    order = _link(root)
    reached, node = set[_Node](), root
    for word in words:
        node = _step(node, word, root)
        reached.add(node)
    # A prefix that was reached includes its suffixes; the longest come first.
    for node in reversed(order):
        if node in reached and node.fallback is not None:
            reached.add(node.fallback)
    return {node.phrase for node in at_end if node in reached}


def _link(root: _Node) -> list[_Node]:
    """Set every fallback, and return the nodes from the shortest prefix to the longest."""
    order, waiting = list[_Node](), deque([root])
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for word, following in node.following.items():
            following.fallback = root if node is root else _step(node.fallback or root, word, root)
            waiting.append(following)
    return order


def _step(node: _Node, word: str, root: _Node) -> _Node:
    while word not in node.following:
        if node.fallback is None:
            return root
        node = node.fallback
    return node.following[word]
