"""Choose the domains that one dream looks at for insights: what changed, and of the rest what is nearest to that.

An insight that no earlier dream could have had rests on a domain that changed since.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from math import log

from shared.core.text.similarity import significant_words

#: More words than a digest has.
_WORDS = 300


def find_nearest(summaries: Mapping[str, str], changed: Collection[str], most_known: int) -> frozenset[str]:
    """Return the paths of the summaries to show: all that changed, and of the others those that share most words with these.

    Args:
        summaries: the text of each domain's summary by path.
        changed: the paths of those with a memory that changed.
        most_known: so many others at most; rare words count for more than common ones.
    """
    known = [path for path in summaries if path not in changed]
    if len(known) <= most_known:
        return frozenset(summaries)
    words = {path: frozenset(significant_words(text, _WORDS)) for path, text in summaries.items()}
    holding = Counter(word for one in words.values() for word in one)
    news = frozenset().union(*(words[path] for path in summaries if path in changed))

    def nearness(path: str) -> float:
        return sum(log(len(summaries) / holding[word]) for word in sorted(words[path] & news))

    nearest = sorted(known, key=nearness, reverse=True)[:most_known]
    return frozenset(summaries) - frozenset(known) | frozenset(nearest)
