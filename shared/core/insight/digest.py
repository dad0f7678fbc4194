"""Write a week as Markdown, to be read, mailed or posted as it is."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from shared.core.dream.operations import KINDS
from shared.core.dream.recall import ProbeKind, Recall, add_up, say_found
from shared.core.insight.model import MOST_NEW, Judged, NewMemories, Week
from shared.core.insight.sentences import say_deeds
from shared.core.questions.prices import say_cost


def render_week(week: Week, tenant_id: str) -> str:
    """Return the digest of a week; it ends with a line feed."""
    place = f"{tenant_id}/{week.store}" if week.store else tenant_id
    parts = (
        [f"# What {place} learned", "", f"{week.monday:%d %b} to {week.sunday:%d %b %Y} ({week.time_zone})"],
        list(_learned(week)),
        ["## How much of it was right", "", say_judged(week.judged)],
        ["## What it cost", "", say_spent(week)],
        ["## Does it help?", "", *(f"- {line}" for line in say_help(week))],
        ["## What waits for you", "", *(f"- {line}" for line in say_waiting(week))],
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def list_facts(week: Week, tenant_id: str) -> dict[str, object]:
    """Return a week in fields that JSON can hold: what the API answers and the weekly webhook tells."""
    return {
        "week": week.monday.isoformat(),
        "lessons": [
            {name: getattr(one, name) for name in ("text", "instead_of", "store", "path", "operation_id")}
            for one in week.lessons
        ],
        "memories_written": week.new.written,
        "memories_imported": week.new.imported,
        "judged": asdict(week.judged),
        "model_calls": week.spent.model_calls,
        "tokens": week.spent.tokens,
        "cost_usd": week.spent.cost_usd,
        "recall": {kind: _list_found(found) for kind in ProbeKind if (found := week.find_recall(kind))},
        "to_review": week.waiting,
        "markdown": render_week(week, tenant_id),
    }


def _list_found(recalls: Sequence[Recall]) -> dict[str, int]:
    found = add_up(recalls)
    return {"asked": found.asked, "before": found.before, "after": found.after, "lost": found.lost}


def _learned(week: Week) -> Iterator[str]:
    yield "## What it learned"
    yield ""
    for lesson in week.lessons:
        yield f"- {_plain(lesson.text)}" + (f" (before: {_plain(lesson.instead_of)})" if lesson.instead_of else "")
    if not week.lessons:
        yield "- Dreams brought no new statement."
    yield ""
    yield " ".join([f"{said}." for said in (*say_new(week.new), *(one.text for one in say_deeds(week.deeds)))])


def _plain(text: str) -> str:
    """Return a statement as one item of a list: what it says cannot begin a heading or a link of the digest."""
    return text.replace("\\", "\\\\").replace("<", "\\<").replace("[", "\\[")


def say_new(new: NewMemories) -> list[str]:
    """Return sentences, without a full stop, on how many memories are new."""
    told = ((new.written, "was written", "were written"), (new.imported, "was imported", "were imported"))
    return [f"{_many(number)} {one if number == 1 else several}" for number, one, several in told if number]


def _many(number: int) -> str:
    if number >= MOST_NEW:
        return f"At least {MOST_NEW:,} memories"
    return "One memory" if number == 1 else f"{number:,} memories"


def say_judged(judged: Judged) -> str:
    """Return the sentence on how much of what dreams changed was right, as far as a person has said."""
    if not judged.number:
        return "Dreams changed nothing that could be right or wrong."
    told = (
        (judged.approved, "approved"),
        (judged.rejected, "rejected"),
        (judged.taken_back, "taken back"),
        (judged.waiting, "waiting for a person"),
        (judged.unjudged, "in force, looked at by no person"),
    )
    changes = "1 change" if judged.number == 1 else f"{judged.number:,} changes"
    return f"{changes}: " + ", ".join(f"{number:,} {what}" for number, what in told if number) + "."


def say_spent(week: Week) -> str:
    """Return the sentence on what the model calls of a week cost."""
    spent = week.spent
    if not spent.model_calls:
        return "No model was asked."
    calls = "1 model call" if spent.model_calls == 1 else f"{spent.model_calls:,} model calls"
    return f"{say_cost(spent.cost_usd, spent.tokens)} for {calls} with {spent.tokens:,} tokens."


def say_help(week: Week) -> list[str]:
    """Return sentences on whether dreams help: the recall of the last ones, and the newest evaluation."""
    said = []
    for kind in ProbeKind:
        recalls = week.find_recall(kind)
        if recalls:
            found = add_up(recalls)
            dreams = "the last dream" if len(recalls) == 1 else f"the last {len(recalls)} dreams"
            than = "as before" if found.after == found.before else f"{found.before:,} before"
            said.append(f"{say_found(kind, found, 'found')} after {dreams}, {than}.")
    if not week.recall:
        said.append("No dream has measured yet what a search finds before and after it.")
    if week.evaluated is not None:
        said.append(f"{week.evaluated.sentence.rstrip('.')} ({week.evaluated.store}, evaluated on copies of it).")
    return said


def say_waiting(week: Week) -> list[str]:
    """Return sentences on what a person has to do."""
    said = [f"{number:,} to review: {KINDS[kind].label}." for kind, number in week.to_review.items()]
    said += [f"{name} dreams no more after errors; it is quarantined." for name in week.quarantined]
    return said or ["Nothing."]
