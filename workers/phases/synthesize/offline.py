"""Synthesize without a model: two words that go together in the notes of several domains are a pattern worth a page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from shared.core.memory.model import domain_of
from shared.core.memory.paths import slug_of
from shared.core.questions.question import Question
from workers.offline.words import find_words, is_generic, join_words, spell_words, stem
from workers.phases.synthesize.answer import SynthesisDraft, SynthesizeAnswer

MAX_SYNTHESES = 3
MIN_DOMAINS = 2
MIN_LINES = 3
#: Two lines that share this part of the longer one's words are one sentence about two things; and the most lines compared.
_SAME_SENTENCE = 0.6
_MOST_COMPARED = 50
#: A word that more than this share of all lines hold is the store's own subject, not a pattern in it.
_COMMON_SHARE = 0.4
_FEW_LINES = 10
#: Two words with fewer words between them belong to one thing.
_CLOSE = 4
#: This many parts after a title are a list of headings, not a statement.
_FEWEST_LISTED = 2
_OPENING_WORDS = 2
_WORD = re.compile(r"[^\W_]+")
#: Two patterns that rest on the same lines to this share are one.
_SAME_LINES = 0.5
_MIN_WORD_CHARS = 3
_CHARS_A_LINE = 300
#: Words that recur are not yet something that is learned: on unseen stores some patterns said nothing.
_DOUBT = "without a model it is not known whether these notes belong together"
#: Every two words of a line are a pair: of a longer line, this many words count.
_MAX_LINE_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    source: str  # the path of the summary
    text: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """Words that occur together, and the lines in which they do."""

    words: tuple[str, ...]
    lines: tuple[_Line, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line.source for line in self.lines))

    @property
    def rank(self) -> tuple[int, int, tuple[str, ...]]:
        return (-len(self.sources), -len(self.lines), self.words)

    @property
    def confidence(self) -> float:
        """Two domains and three lines make 0.6, three and four 0.75; never certain."""
        return round(min(0.92, 0.25 + 0.1 * len(self.sources) + 0.05 * len(self.lines)), 2)


def decide_synthesis(question: Question) -> SynthesizeAnswer:
    """Return up to three patterns that span domains and that no existing synthesis covers; none is a good answer."""
    lines = _read_lines(question)
    known = [find_words(f"{d.path} {d.text}") for d in question.documents if d.role == "existing"]
    chosen: list[_Pattern] = []
    for pattern in _find_patterns(lines):
        is_known = any(set(pattern.words[:2]) <= words for words in known)
        if not is_known and not any(_is_same(pattern, other) for other in chosen):
            chosen.append(pattern)
    return SynthesizeAnswer(syntheses=tuple(_draft(pattern) for pattern in chosen[:MAX_SYNTHESES]))


def _read_lines(question: Question) -> list[_Line]:
    lines: dict[tuple[str, str], _Line] = {}
    for document in question.documents:
        if document.role != "summary":
            continue
        for raw in document.text.splitlines():
            text = " ".join(raw.strip().lstrip("-*+ ").split())
            words = find_words(_said_in(text))
            if raw.lstrip().startswith(("- ", "* ", "+ ")) and words:
                lines.setdefault((document.path, text), _Line(source=document.path, text=text, words=words))
    return list(lines.values())


def _said_in(line: str) -> str:
    """Return the text of a line after its title; nothing where that only lists the contents of the memory."""
    _, _, said = line.partition(": ")
    return "" if said.count("; ") >= _FEWEST_LISTED and not said.endswith((".", "!", "?", "…")) else said or line


def _find_patterns(lines: Sequence[_Line]) -> list[_Pattern]:
    """Return pairs of characteristic words that share enough lines, widened by what all those lines share, best first."""
    usable = _characteristic(lines)
    together: dict[tuple[str, str], list[_Line]] = defaultdict(list)
    for line in lines:
        for pair in combinations(sorted(line.words & usable)[:_MAX_LINE_WORDS], 2):
            together[pair].append(line)
    found: dict[frozenset[tuple[str, str]], _Pattern] = {}
    for pair, supporting in together.items():
        if len(supporting) >= MIN_LINES and len({domain_of(line.source) for line in supporting}) >= MIN_DOMAINS:
            if _is_template(supporting) or not _stand_close(pair, supporting):
                continue
            pattern = _Pattern(words=pair, lines=tuple(supporting))
            key = frozenset((line.source, line.text) for line in supporting)
            found.setdefault(key, pattern)
            if found[key].words != pair:
                words = dict.fromkeys((*found[key].words, *pair))
                found[key] = _Pattern(words=tuple(words), lines=tuple(supporting))
    return sorted(found.values(), key=lambda pattern: pattern.rank)


def _stand_close(pair: tuple[str, str], lines: Sequence[_Line]) -> bool:
    """Tell whether two words stand near each other in at least half of the lines: words that are far apart do not name one thing.

    The parts of one word with a hyphen are one word.
    """
    joined = [f"{first}-{second}" for first, second in (pair, pair[::-1])]
    compounds = sum(any(one in _stems_of(line) for one in joined) for line in lines)
    return 2 * sum(_is_close(pair, line) for line in lines) >= len(lines) and 2 * compounds < len(lines)


def _stems_of(line: _Line) -> str:
    """Return what a line says in stems, as `crash-free` and `release` are written."""
    return _WORD.sub(lambda found: stem(found[0]), _said_in(line.text).lower())


def _is_close(pair: tuple[str, str], line: _Line) -> bool:
    words = [stem(word) for word in _WORD.findall(_said_in(line.text).lower())]
    first, second = ([at for at, word in enumerate(words) if word == one] for one in pair)
    return any(abs(one - other) <= _CLOSE for one in first[:_MOST_COMPARED] for other in second[:_MOST_COMPARED])


def _is_template(lines: Sequence[_Line]) -> bool:
    """Tell whether most lines of a pattern are one sentence in which each domain says its own name: nothing recurs in them."""
    kept: list[_Line] = []
    for line in lines[:_MOST_COMPARED]:
        if not any(
            _opening_of(line) == _opening_of(one)
            or len(line.words & one.words) >= _SAME_SENTENCE * max(len(line.words), len(one.words))
            for one in kept
        ):
            kept.append(line)
    return len(kept) < MIN_LINES or len({domain_of(line.source) for line in kept}) < MIN_DOMAINS


def _opening_of(line: _Line) -> list[str]:
    """Return the words with which a statement begins: `You are …` and `Apply when …` are forms that many texts fill in."""
    return _WORD.findall(line.text.rpartition(": ")[2].lower())[:_OPENING_WORDS]  # a title may hold a colon, too


def _characteristic(lines: Sequence[_Line]) -> frozenset[str]:
    """Return the words that say something: in two domains at least, not generic, not what the whole store is about."""
    counts = Counter(word for line in lines for word in line.words)
    domains: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        for word in line.words:
            domains[word].add(line.source)
    names = frozenset(word for line in lines for word in find_words(domain_of(line.source)))
    limit = max(_COMMON_SHARE * len(lines), _FEW_LINES)
    return frozenset(
        word
        for word, count in counts.items()
        if MIN_LINES <= count <= limit
        and len(domains[word]) >= MIN_DOMAINS
        and len(word) >= _MIN_WORD_CHARS
        and word not in names
        and not is_generic(word)
    )


def _is_same(pattern: _Pattern, other: _Pattern) -> bool:
    mine, others = ({(line.source, line.text) for line in one.lines} for one in (pattern, other))
    return len(mine & others) >= _SAME_LINES * min(len(mine), len(others))


def _draft(pattern: _Pattern) -> SynthesisDraft:
    """Write a pattern down: what recurs, and the lines that show it, domain by domain."""
    words = _spell(pattern)
    topic = _as_topic(words, pattern.lines)
    domains = [domain_of(source) for source in pattern.sources]
    parts = [f"Notes from {join_words(domains)} speak of the same thing: {_lower_first(topic)}."]
    for source in pattern.sources:
        quoted = [f"- {_cut(line.text)}" for line in pattern.lines if line.source == source]
        parts.append("\n".join((f"## {domain_of(source)}", "", *quoted)))
    return SynthesisDraft(
        title=f"{topic} across {', '.join(domains)}",
        summary=f"Notes on {_lower_first(topic)} from {join_words(domains)} that belong together.",
        content="\n\n".join(parts),
        sources=pattern.sources,
        confidence=pattern.confidence,
        tags=tuple(dict.fromkeys(slug_of(word) for word in words)),
        keywords=tuple(words),
        doubt=_DOUBT,
    )


def _spell(pattern: _Pattern) -> list[str]:
    """Return up to three of a pattern's words as its lines write them most often."""
    spellings: dict[str, Counter[str]] = {word: Counter() for word in pattern.words}
    for line in pattern.lines:
        for stemmed, spelled in spell_words(line.text, frozenset(pattern.words)).items():
            spellings[stemmed][spelled if spelled.isupper() else spelled.lower()] += 1
    return [max(sorted(counts), key=counts.__getitem__) for counts in spellings.values() if counts][:3]


def _as_topic(words: Sequence[str], lines: Iterable[_Line]) -> str:
    """Return the words as one phrase when the lines write them side by side, else as a list."""
    texts = [line.text.lower() for line in lines]
    for first, second in ((words[0], words[1]), (words[1], words[0])):
        phrase = f"{first} {second}"
        if sum(phrase.lower() in text for text in texts) * 2 >= len(texts):
            return phrase[0].upper() + phrase[1:]
    listed = join_words(words)
    return listed[0].upper() + listed[1:]


def _lower_first(topic: str) -> str:
    return topic if topic[:2].isupper() else topic[0].lower() + topic[1:]


def _cut(text: str) -> str:
    if len(text) <= _CHARS_A_LINE:
        return text
    return f"{text[:_CHARS_A_LINE].rsplit(' ', 1)[0]}…"
