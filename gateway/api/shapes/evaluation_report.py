"""Define the JSON shape of an evaluation's report: what `shared/core/evaluation/report.py` stores.

Pairs and threes are lists, since generators of clients make no types of tuples.
"""

from typing import Annotated

from pydantic import BaseModel, Field

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.readers import Reader
from shared.core.evaluation.verdict import Word

SENTENCE = "Dreaming makes no difference to this store: an agent that searches finds 131 of 150 answers, as before."
_TWO = Field(min_length=2, max_length=2)
_THREE = Field(min_length=3, max_length=3)
_Paths = Annotated[list[str], Field(examples=[["api/auth.md"]])]


class TermsOut(BaseModel):
    """The rules of a verdict, fixed before anything was measured."""

    kind: ProbeKind = Field(description="The kind of questions that decides; the others are shown beside it.")
    asks_superseded: bool = Field(
        True,
        description="Facts and searches count whose answer the dream superseded; it was so in earlier evaluations.",
    )
    fewest: int = Field(description="With fewer questions of that kind there is too little data.", examples=[100])
    margin: float = Field(description="The part of the questions that may be lost and still makes no difference.")
    saving: float = Field(description="Tokens for each answer that fall by this part help, if no more is lost.")
    burden: float = Field(description="Tokens for each answer that rise by this part harm, unless more is found.")
    draws: int = Field(description="Number of draws of the bootstrap.", examples=[4_000])
    hits: int = Field(description="The most hits that an agent reads that searches.", examples=[10])
    files: int = Field(description="The most files that an agent opens beside `MEMORY.md`.", examples=[3])
    chars: int = Field(description="The most characters that an agent reads that searches.", examples=[8_000])


class VerdictOut(BaseModel):
    """The effect of dreaming, over both readers and for each."""

    word: Word = Field(description="It harms if it harms either reader, or if a statement is gone.")
    by_reader: list[Annotated[list[Reader | Word], _TWO]] = Field(
        description="Each reader with its verdict.",
        examples=[[["search", "no difference"], ["files", "no difference"]]],
    )
    terms: TermsOut = Field(description="What decided.")


class SideOut(BaseModel):
    """The figures of one reader and one kind of questions, before or after."""

    n: int = Field(description="Number of questions.", examples=[150])
    at: dict[str, float] = Field(
        description="The part of the answers, 0 to 1, found among the first 1, 5 and 10 texts; of files, the index and three files.",
        examples=[{"1": 0.61, "5": 0.82, "10": 0.87}],
    )
    tokens: float = Field(description="Tokens that are read for each answer that is found.", examples=[640.5])
    bytes: float = Field(0.0, description="Bytes that are read for each answer that is found.", examples=[2562.0])
    stale: int = Field(description="Number of questions for which something outdated was read first.", examples=[2])
    twice: int = Field(description="Number of further texts that say the same.", examples=[4])


class IntervalOut(BaseModel):
    """The difference that the dream made to the part of answers found, -1 to 1, with its 95 % interval."""

    n: int = Field(description="Number of questions.", examples=[150])
    mean: float = Field(description="The part after less the part before.")
    low: float = Field(description="The lower end of the interval.", examples=[-0.013])
    high: float = Field(description="The upper end.", examples=[0.013])
    gained: int = Field(description="Number of answers that were found only after.", examples=[2])
    lost: int = Field(description="Number of answers that were found only before.", examples=[2])
    p: float = Field(
        description="The probability of so uneven a split if dreaming made no difference (exact, McNemar).",
        examples=[1.0],
    )


class ComparisonOut(BaseModel):
    """One reader and one kind of questions, before and after."""

    reader: Reader = Field(description="An agent that searches, or one that opens files.")
    kind: ProbeKind = Field(description="The origin of the questions.")
    before: SideOut = Field(description="The figures before the dream.")
    after: SideOut = Field(description="The figures after it.")
    interval: IntervalOut = Field(description="The difference.")


class TouchOut(BaseModel):
    """An operation of the dream over the copy."""

    operation_id: str = Field(description="Its id; the copy is deleted, so it cannot be read.")
    kind: str = Field(description="The kind of operation.", examples=["MERGE"])
    phase: str = Field(description="The phase that proposed it.")
    paths: _Paths = Field(description="The paths before and after it.")


class ChangedProbeOut(BaseModel):
    """A question whose answer one reader found only before, or only after."""

    key: str = Field(description="Names the question in `ranks`, and in later evaluations.", examples=["5f1d6b0c"])
    kind: ProbeKind | None = Field(None, description="The origin of the question.", examples=["own"])
    reader: Reader = Field(description="The reader.")
    query: str = Field(description="The question.", examples=["How long is a refund possible?"])
    answer: str = Field(description="The statement that was looked for.", examples=["Refunds within 30 days."])
    is_found: bool = Field(description="Whether it is found after the dream.")
    before: _Paths = Field(description="The paths that were read before the dream.")
    after: _Paths = Field(description="The paths that were read after it.")
    operations: list[TouchOut] = Field(description="Operations on the memory that it was drawn from or found in.")


class PhaseEffectOut(BaseModel):
    """The effect of one phase on one reader: the dream with it, less the dream without it."""

    phase: str = Field(description="The phase.")
    reader: Reader = Field(description="The reader.")
    mean: float = Field(description="The difference that it makes to the part of answers found, -1 to 1.")
    low: float = Field(description="The lower end of its 95 % interval.")
    high: float = Field(description="The upper end.")
    p: float = Field(
        description="The probability of such a difference by chance, adjusted for the number of phases (Holm)."
    )
    word: Word = Field(description="The effect in a word.")
    setting: str = Field(description="Turns the phase off.", examples=["phases.PHASE=false"])


class EvaluationReportOut(BaseModel):
    """Everything that an evaluation found: docs/evaluate.md."""

    sentence: str = Field(description="The verdict as a sentence.", examples=[SENTENCE])
    verdict: VerdictOut = Field(description="The effect of dreaming.")
    comparisons: list[ComparisonOut] = Field(description="Each reader and kind of questions.")
    visible: float = Field(description="The smallest difference that so many questions show.", examples=[0.03])
    tokens_at_start: Annotated[list[float], _TWO] = Field(
        description="Tokens that a coding agent loads before the first question: before and after.",
        examples=[[412.0, 420.5]],
    )
    bytes_at_start: Annotated[list[int], _TWO] = Field(
        [0, 0], description="The same in bytes.", examples=[[1_648, 1_682]]
    )
    orphans: Annotated[list[int], _TWO] = Field(
        description="Number of memories that no index names: before and after.", examples=[[0, 0]]
    )
    copied: Annotated[list[int], _TWO] = Field(
        [0, 0], description="Number of lines that stand in more than one memory: before and after.", examples=[[3, 3]]
    )
    gone: list[Annotated[list[str], _TWO]] = Field(
        description="The path and text of statements that no memory says any more.", examples=[[]]
    )
    gone_count: int = Field(description="Number of those, with those that are not listed.", examples=[0])
    reworded: list[Annotated[list[str], _THREE]] = Field(
        [],
        description="The path and text of statements that a rewrite left out since another says the same, and what is said now.",
        examples=[[]],
    )
    reworded_count: int = Field(0, description="Number of those, with those that are not listed.", examples=[0])
    superseded: list[Annotated[list[str], _THREE]] = Field(
        [],
        description="The path and text of statements that memories list as superseded since, and what is said now. They are asked for no more.",
        examples=[[]],
    )
    superseded_count: int = Field(0, description="Number of those, with those that are not listed.", examples=[0])
    worst: list[ChangedProbeOut] = Field(description="Answers that were lost, at most ten.")
    best: list[ChangedProbeOut] = Field(description="Answers that were gained, at most ten.")
    ranks: dict[str, dict[Reader, Annotated[list[int | None], _TWO]]] = Field(
        {},
        description="Of your own questions and of those above, by key and reader: the place of the answer before and after; null: not found.",
    )
    phases: list[PhaseEffectOut] = Field(description="The effect of each phase that a copy went without.")
    drift: list[float] = Field(
        description="The part of answers found after each of several dreams in a row.", examples=[[]]
    )
    notes: list[str] = Field([], description="What a reader has to know.", examples=[[]])
    probes: int = Field(0, description="Number of questions of all kinds.", examples=[150])
