"""Build a text from a model's edits. Text without an edit stays as written, and the model need not return whole texts.

For a merge the host joins the sources, keeping each statement's wording and identical statements once. An edit names a
statement to leave out because another one says the same, or words and their replacement. An edit is refused, and its statement
stays, if it matches no place or several, or does not pass the checks of what is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from shared.core.checks.merges import LEFT_OUT_CHECKS, Claim
from shared.core.checks.updates import Cited, Outcome, Update, find_weightiest
from shared.core.memory.frontmatter import body_of
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid
from shared.core.questions.answer import Answer
from shared.core.reading.placed import ITEM_MARK, Form, Placed, read_placed
from shared.core.sessions.statement_text import Place, close_gap, find_place, supersede_statement
from shared.core.text.clip import clip
from shared.core.text.markdown import opens_with_pointer
from shared.core.text.wording import wording_of
from workers.offline.join_texts import merge_bodies
from workers.phase.merged_text import Edited

#: The most edits of one text in an answer; further ones are refused.
MAX_EDITS = 100
_MAX_WORDS_CHARS = 600
_NO_FIELDS = "---\n---\n"


class TextEdit(Answer):
    """`words` of a text, and their replacement or the statement that makes them redundant."""

    words: str = ""
    keep: str = ""  # the first words of the statement that stays and says what the one with `words` says
    write: str = ""  # what stands in place of `words`
    until: str = ""  # the day on which what `words` says ended: they are kept among what is superseded


@dataclass(slots=True)
class _Drops:
    """The statements to leave out, and those that must stay for them, by their numbers."""

    gone: dict[int, tuple[Placed, Placed]] = field(default_factory=dict)
    needed: set[int] = field(default_factory=set)


def join_by_edits(keeper: str, others: Sequence[str], edits: Sequence[TextEdit]) -> Edited:
    """Join several texts into one body that contains all their statements except those that the edits leave out.

    Args:
        keeper: the text whose order and frontmatter the joined one has.
        others: the texts to join into it.
        edits: the model's edits; without any, only identical statements are joined.
    """
    written = _replace_words(merge_bodies(keeper, others), [one for one in edits[:MAX_EDITS] if not one.keep])
    placed = read_placed(f"{_NO_FIELDS}{written.body}")
    drops, refused = _Drops(), list(written.refused)
    for edit in edits[:MAX_EDITS]:
        reason = _drop(drops, placed, edit.words, edit.keep) if edit.keep else None
        refused += [reason] if reason else []
    refused += _beyond(edits)
    body = written.body
    for going, _ in sorted(drops.gone.values(), key=lambda pair: -pair[0].start):
        body = close_gap(body[: going.start] + body[going.end :], going.start)
    claims = tuple(Claim(dropped=going.text, kept=staying.text) for going, staying in drops.gone.values())
    if not _is_all_claimed(written.body, body, [keeper, *others], claims):
        alone = [f"{_quote(claim.dropped)} stays: without it the rest would read otherwise" for claim in claims]
        return Edited(body=written.body, refused=(*refused, *alone))
    return Edited(body=body, claims=claims, refused=tuple(refused))


def _is_all_claimed(before: str, after: str, sources: Sequence[str], claims: Sequence[Claim]) -> bool:
    """Tell whether the removals lose only claimed statements, or statements that a claimed one begins with.

    For example, an unclosed fence may swallow everything below it once the line above is removed.
    """
    if not claims:
        return True
    unsaid = {(one.under, one.wording) for one in find_unsaid(before, sources)}
    lost = [one.text for one in find_unsaid(after, sources) if (one.under, one.wording) not in unsaid]
    dropped = [_one_line(claim.dropped) for claim in claims]
    return all(any(_one_line(ITEM_MARK.sub("", text, count=1)) in each for each in dropped) for text in lost)


def edit_body(content: str, edits: Sequence[TextEdit]) -> Edited:
    """Return the body of one memory with words replaced; the same body when every edit was refused."""
    done = _replace_words(body_of(content), [one for one in edits[:MAX_EDITS] if not one.keep])
    alone = [f"{_quote(one.words)} stays: only a merge leaves out a statement" for one in edits[:MAX_EDITS] if one.keep]
    return replace(done, refused=(*done.refused, *alone, *_beyond(edits)))


def _replace_words(body: str, edits: Sequence[TextEdit]) -> Edited:
    """Return a body with `words` replaced by `write`, and superseded text moved to the end."""
    refused: list[str] = []
    for edit in edits:
        place, written, until = find_place(body, edit.words), edit.write, _one_line(edit.until)
        reason = _why_kept(place, written, until, edit.words)
        if reason or place is None:
            refused.append(f"{_quote(edit.words)} stays: {reason}")
        elif until:
            body = supersede_statement(body, place, written, f"until {until}")
            body = body if written.strip() else close_gap(body, place.start)
        else:
            body = body[: place.start] + written.strip() + body[place.end :]
    return Edited(body=body, refused=tuple(refused))


def _why_kept(place: Place | None, written: str, until: str, words: str) -> str:
    if place is None:
        return "its words do not stand there exactly once, outside of code and of what is superseded"
    if until:
        return ""
    if not written.strip():
        return "nothing would take its place"
    lost = find_missing_specifics(written, [words])
    return f"it would lose {', '.join(lost[:3])}" if lost else ""


def _drop(drops: _Drops, placed: Sequence[Placed], words: str, keep: str) -> str | None:
    """Note that a statement is left out in favour of another one; return why it must stay, or None."""
    going, staying = _find(placed, words), _find(placed, keep)
    if isinstance(going, str) or isinstance(staying, str):
        return f"{_quote(words)} stays: {going if isinstance(going, str) else staying}"
    if going is staying or going.number in drops.gone:
        return None  # joining has said it once already, or it has gone
    reason = _why_it_stays(drops, going, staying, placed[going.number : going.number + 1])
    if reason:
        return f"{_quote(going.text)} stays: {reason}"
    drops.gone[going.number] = going, staying
    drops.needed.add(staying.number)
    return None


def _why_it_stays(drops: _Drops, going: Placed, staying: Placed, following: Sequence[Placed]) -> str | None:
    if staying.number in drops.gone:
        return f"{_quote(staying.text)}, which would say it, was left out, too"
    if going.number in drops.needed:
        return "it says what another statement was left out for"
    if any(one.under == going.under and opens_with_pointer(_as_written(one)) for one in following):
        return "the next statement points back to it"
    repeat = Update(old=Cited(path="", placed=going), by=(Cited(path="", placed=staying),), is_repeat=True)
    found = find_weightiest(LEFT_OUT_CHECKS, repeat)
    # Whether other words say the same is for who judges the merge as a whole.
    is_stayed = found is not None and (found.outcome is Outcome.REFUSE or found.check.code == "other_polarity")
    return found.why if found is not None and is_stayed else None


def _as_written(one: Placed) -> str:
    return f"- {one.text}" if one.form is Form.ITEM else one.text


def _find(placed: Sequence[Placed], words: str) -> Placed | str:
    """Return the one statement that begins with some words, or why there is none."""
    wanted = wording_of(words[:_MAX_WORDS_CHARS].strip().removesuffix("...").rstrip("…").strip())
    if not wanted:
        return "the edit names no words"
    found = [one for one in placed if wording_of(one.text).startswith(wanted)]
    exact = [one for one in found if wording_of(one.text) == wanted]
    if len(exact) == 1 or len(found) == 1:
        return exact[0] if exact else found[0]
    return f"{'several statements begin' if found else 'no statement begins'} with {_quote(words)}"


def _beyond(edits: Sequence[TextEdit]) -> Iterator[str]:
    if len(edits) > MAX_EDITS:
        yield f"{len(edits) - MAX_EDITS} more edits were not looked at"


def _quote(text: str) -> str:
    return f'"{clip(_one_line(text[:_MAX_WORDS_CHARS]))}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())
