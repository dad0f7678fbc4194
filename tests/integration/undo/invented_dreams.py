"""Stores, edits and model answers made up from a few numbers, for the laws of undo."""

from datetime import UTC, date, datetime, timedelta
from random import Random

from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.core.learning.skill_answers import SkillDraft
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Signals
from shared.core.questions.question import Document, Question
from shared.services.memories.write import NewText
from tests.support.model.over import OVER
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.contradictions import Contradiction
from workers.phases.find_skill_gaps.answer import SkillGapAnswer
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.merge_skills.answer import MergedSkill, MergeSkillsAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.repair_skills.answer import RepairedSkill, RepairSkillsAnswer, SkillEdit
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer, SynthesisDraft, SynthesizeAnswer

DOMAINS = {
    "web": "The pages of the shop load their fonts from the shared content network of the company.",
    "api": "The gateway checks the signature of every request before it reaches the billing service.",
    "old": "The green chairs of the meeting room were bought from a cinema that closed its doors.",
}
ENDINGS = (
    "No complaint came in so far.",
    "The designers asked for it.",
    "It was decided in the weekly meeting.",
    "Yesterday a colleague looked into it.",
)
PATHS = tuple(f"{domain}/{name}.md" for domain in DOMAINS for name in ("one", "two", "three"))
LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
#: What every invented store holds besides: skills that overlap, have a prefix or say next to nothing.
SKILLS = {
    "skills/mail/SKILL.md": "---\nname: mail\n---\n\nSort the mail of the shop by sender and answer the oldest first.\n",
    "skills/inbox/SKILL.md": "Sort the mail of the shop by sender and answer the oldest first.\n",
    "skills/mcp/one/SKILL.md": "Call the first server.\n",
    "skills/mcp/two/SKILL.md": "Call the second server.\n",
}
#: What every invented store holds besides: two statements that contradict each other, the wrong one first.
OUTDATED = {"web/rota-old.md": "The rota changes on Fridays.", "web/rota.md": "The rota changes on Mondays."}
#: What every invented store holds besides: two notes on one subject that say all but the same, and one that is corrected.
TWINS = {
    "web/search.md": "# Search\n\nNew articles come first.\n\nA server in Graz builds the index at night.\n",
    "web/search-notes.md": "# Search\n\nNew articles come first.\n\nMost customers type a single word.\n",
}
KITCHEN = {"old/kitchen.md": "# Kitchen\n\nThe kitchen is cleaned on Fridays.\n"}
#: What the sessions hold. What the last two say names one memory, so that it may be filed with it.
SAID = (
    "Summarize the open tickets of the shop.",
    "Summarize the tickets of the gateway.",
    "Remember that the fonts of the shop come from the shared content network.",
    "No, the chairs of the meeting room are blue, actually.",
    "Remember that the search of the shop knows no plurals.",
    "No, the kitchen is cleaned on Tuesdays, actually.",
)
#: By a word of a statement, the memory that it names.
NAMED = {"search": "web/search.md", "kitchen": "old/kitchen.md"}
KINDS = ("MERGE", "CROSS_REFERENCE", "TEMPORAL_UPDATE", "SKIP")


def invent_text(path: str, ending: int) -> str:
    """A text that resembles the others of its domain."""
    domain = path.partition("/")[0]
    sentence = DOMAINS.get(domain, "An index that was rewritten by hand.")
    # Each is a text of its own: exact duplicates would be folded before a model is asked.
    return f"# About {domain}\n\n{sentence} {ENDINGS[ending]} Kept in {path.rpartition('/')[2]}.\n"


def invent_store(chosen: dict[str, tuple[int, bool]]) -> list[NewText]:
    """Texts by path, each with its ending and whether it faded long ago."""
    recent = datetime.now(UTC) - timedelta(days=1)
    skills = [
        NewText(path=path, content=text, created_at=LONG_AGO, written_at=LONG_AGO) for path, text in SKILLS.items()
    ]
    outdated = [
        NewText(path=path, content=f"# Rota\n\n{said}\n", created_at=at, written_at=at)
        for (path, said), at in zip(OUTDATED.items(), (recent - timedelta(days=9), recent), strict=True)
    ]
    beside = [  # older than what the sessions say, so that it may be corrected
        NewText(path=path, content=text, created_at=LONG_AGO, written_at=LONG_AGO)
        for path, text in (TWINS | KITCHEN).items()
    ]
    return (
        skills
        + outdated
        + beside
        + [
            NewText(
                path=path,
                content=invent_text(path, ending) + (f"\n{OVER}\n" if is_stale else ""),
                signals=Signals(importance=10 if is_stale else 50),
                created_at=LONG_AGO if is_stale else recent,
                written_at=LONG_AGO if is_stale else recent,
            )
            for path, (ending, is_stale) in chosen.items()
        ]
    )


def invent_llm(seed: int) -> ScriptedLlm:
    """A model whose answer to a question depends on the question and the seed only."""
    return ScriptedLlm(lambda question: _answer(question, Random(f"{seed}/{question.phase}/{question.key}")))


def _answer(question: Question, chance: Random) -> BaseModel | None:
    if question.phase == "consolidate":
        return ConsolidateAnswer(
            actions=tuple(_actions(list(question.documents), chance)),
            contradictions=tuple(_contradictions(list(question.documents), chance)),
        )
    if question.phase == "gather":
        return GatherAnswer(memories=tuple(_gathered(list(question.documents), chance)))
    paths = [document.path for document in question.documents]
    if question.phase == "prune":
        candidates = [d.path for d in question.documents if d.role == "candidate"]
        decisions = (_decide(path, paths, chance) for path in candidates if chance.random() < 0.8)
        return PruneAnswer(decisions=tuple(decisions))
    if question.answer_type is ReflectAnswer:
        return ReflectAnswer(flags=tuple(FlaggedMemory(file=path) for path in paths if chance.random() < 0.3))
    if question.phase == "synthesize" and chance.random() < 0.7:
        draft = SynthesisDraft(title="What they share", content="All are shared.", sources=tuple(paths))
        return SynthesizeAnswer(syntheses=(draft,))
    return _better_skills(question, chance) if question.phase.endswith(("_skills", "_skill_gaps")) else None


def _better_skills(question: Question, chance: Random) -> BaseModel | None:
    """Twins become one, a prefix gets its guide, some refer to others, and what says little says a little more."""
    shown = {document.path: body_of(document.text).strip() for document in question.documents}
    if question.phase == "find_skill_gaps":
        sessions = tuple(document.path for document in question.documents if document.role == "session")
        found = SkillDraft(
            name="summarize-tickets", summary="Summarize", content="1. Read them.\n2. Sum them up.", sessions=sessions
        )
        return SkillGapAnswer(to_save=(found,) if chance.random() < 0.7 else ())
    if question.phase == "repair_skills":
        more = (SkillEdit(write="Look twice."),)
        better = [
            RepairedSkill(name=name, edits=more)
            if chance.random() < 0.5
            else RepairedSkill(name=name, content=f"{text}\n\nLook twice.")
            for name, text in shown.items()
        ]
        return RepairSkillsAnswer(to_save=tuple(draft for draft in better if chance.random() < 0.8))
    drafts: list[MergedSkill] = []
    if {"mail", "inbox"} <= shown.keys() and chance.random() < 0.7:
        name = chance.choice(["mail", "inbox", "post"])
        content, edits = chance.choice([(shown["mail"], None), ("", ())])
        drafts.append(MergedSkill(name=name, content=content, edits=edits, source_names=("mail", "inbox")))
    if chance.random() < 0.7:
        drafts.append(MergedSkill(name="mcp/guide", summary="Which server", content="The first or the second."))
    drafts.append(MergedSkill(name="mcp/one", see_also=("mcp/two", "mcp/guide", "mail")))
    return MergeSkillsAnswer(to_save=tuple(drafts))


def _gathered(documents: list[Document], chance: Random) -> list[GatheredMemory]:
    """Each session's words as a statement: alone, in a memory that is there, or in the place of what stands there."""
    known = [document for document in documents if document.role == "existing"]
    found = []
    for piece in (document for document in documents if document.role == "session"):
        quote = piece.text.partition(": ")[2].strip()
        named = [one for one in known if any(word in quote and path == one.path for word, path in NAMED.items())]
        target = chance.choice([None, *known] if not named or chance.random() < 0.2 else named)
        words = body_of(target.text).strip().splitlines()[-1] if target and chance.random() < 0.8 else None
        found.append(
            GatheredMemory(
                kind="save",
                window=piece.path,
                quote=quote,
                statement=quote,
                target=target.path if target else None,
                replaces=words,
            )
        )
    return found


def _actions(documents: list[Document], chance: Random) -> list[ConsolidateAction]:
    chance.shuffle(documents)
    actions = []
    twins = [document for document in documents if document.path in TWINS]
    if len(twins) == len(TWINS) and chance.random() < 0.9:
        documents = [document for document in documents if document not in twins]
        actions.append(_action(twins, "MERGE", chance))
    said_at = next((document for document in documents if "Yesterday" in document.text), None)
    if said_at is not None and chance.random() < 0.5:
        documents = [document for document in documents if document is not said_at]
        actions.append(_action([said_at], "TEMPORAL_UPDATE", chance))
    while documents:
        taken = [documents.pop() for _ in range(min(len(documents), chance.randint(1, 3)))]
        actions.append(_action(taken, "TEMPORAL_UPDATE" if len(taken) == 1 else chance.choice(KINDS), chance))
    return actions


def _contradictions(documents: list[Document], chance: Random) -> list[Contradiction]:
    if chance.random() < 0.3:
        return []
    winner, loser = (chance.choice(documents).path for _ in range(2))
    found = [Contradiction(winner=winner, loser=loser, reason="invented")]
    if OUTDATED.keys() <= {document.path for document in documents}:
        outdated, path = OUTDATED
        found.append(Contradiction(winner=path, loser=outdated, reason="moved"))
    return found


def _action(taken: list[Document], kind: str, chance: Random) -> ConsolidateAction:
    bodies = [body_of(document.text).strip() for document in taken]
    united = "\n\n".join(dict.fromkeys(bodies)) + "\n"
    folder = taken[0].path.partition("/")[0]
    targets = [taken[0].path, taken[-1].path, f"{folder}/all.md"]
    return ConsolidateAction.model_validate(
        {
            "type": kind,
            "files": [document.path for document in taken],
            "outputFile": chance.choice(targets),
            "mergedContent": united,
            "updatedContent": _dated(taken[0], chance),
        },
    )


def _dated(document: Document, chance: Random) -> str:
    """A text with the date that its relative phrase means, or now and then with a claim that only a person may accept."""
    if "Yesterday" not in document.text or not document.at or chance.random() < 0.2:
        return f"{document.text.rstrip()} A colleague looked again.\n"
    day = date.fromisoformat(document.at[:10]) - timedelta(days=1)
    return document.text.replace("Yesterday", f"Yesterday ({day})")


def _decide(path: str, paths: list[str], chance: Random) -> PruneDecision:
    decision = chance.choice(("ARCHIVE", "ARCHIVE", "KEEP", "MERGE_INTO"))
    said = {"file": path, "decision": decision, "mergeTarget": chance.choice(paths), "ground": "over", "quote": OVER}
    return PruneDecision.model_validate(said)
