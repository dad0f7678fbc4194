"""Tasks for Inspect: an agent answers from what a search of a slowwave store finds. SLOWWAVE_URL and SLOWWAVE_KEY name the server and a key."""

import json
import os
from pathlib import Path

import httpx
from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, includes, scorer, stderr
from inspect_ai.solver import Generate, TaskState, generate, solver

PROMPT = "Answer from these memories, as briefly as you can.\n\n{read}\n\nQuestion: {question}"


@task(name="slowwave/store")
def store_task(samples: str = "samples.json", store: str = "default") -> Task:
    """Ask a store what `slowwave evaluate --format inspect` printed."""
    return Task(dataset=json_dataset(samples), solver=[recall(store), generate()], scorer=[evidence(), includes()])


@task(name="slowwave/locomo")
def locomo(data: str = "locomo10.json", conversations: int = 10) -> Task:
    """Ask LoCoMo's questions; each conversation is a store, `locomo-conv-26`, with one memory for each session."""
    chosen = json.loads(Path(data).read_text(encoding="utf-8"))[:conversations]
    with httpx.Client(**connection()) as client:
        for one in chosen:
            store = f"locomo-{one['sample_id']}"
            make(client, "/api/stores", {"name": store})
            for name, text in sessions(one).items():
                make(client, f"/api/stores/{store}/memories", {"path": f"{name}.md", "content": text})
    samples = [sample for one in chosen for sample in questions(one)]
    return Task(dataset=samples, solver=[recall(), generate()], scorer=[evidence(), includes()])


@solver
def recall(store: str = "", hits: int = 5):
    """Put before the question what a search for it finds; a sample's own store goes first."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        path = f"/api/stores/{state.metadata.get('store') or store}"
        async with httpx.AsyncClient(**connection()) as client:
            found = await client.get(f"{path}/search", params={"q": state.input_text, "limit": hits})
            texts = []
            for hit in found.raise_for_status().json()["data"]:
                memory = await client.get(f"{path}/memories/{hit['id']}")
                texts.append(hit["excerpt"] if hit["archived"] else memory.raise_for_status().json()["content"])
        state.metadata["read"] = texts
        state.user_prompt.text = PROMPT.format(read="\n\n".join(texts), question=state.input_text)
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def evidence():
    """Judge, without a model, whether every quote of the evidence was read."""

    async def score(state: TaskState, target: Target) -> Score:
        read = plain(" ".join(state.metadata["read"]))
        missing = [quote for quote in state.metadata.get("evidence", target) if plain(quote) not in read]
        return Score(value=INCORRECT if missing else CORRECT, explanation="\n".join(missing) or "All of it was read")

    return score


def connection() -> dict:
    """Return the address of the server and the key, as httpx takes them."""
    headers = {"Authorization": f"Bearer {os.environ['SLOWWAVE_KEY']}"}
    return {"base_url": os.environ["SLOWWAVE_URL"], "headers": headers, "timeout": 30}


def make(client: httpx.Client, path: str, what: dict) -> None:
    """Make a store or a memory, unless an earlier run has made it."""
    answer = client.post(path, json=what)
    if answer.status_code != httpx.codes.CONFLICT:
        answer.raise_for_status()


def sessions(conversation: dict) -> dict[str, str]:
    """Return the sessions of a conversation as Markdown, by name."""
    said = conversation["conversation"]
    return {
        name: f"# {said[f'{name}_date_time']}\n\n" + "".join(f"- {one['speaker']}: {one['text']}\n" for one in turns)
        for name, turns in said.items()
        if isinstance(turns, list)
    }


def questions(conversation: dict) -> list[Sample]:
    """Return the questions that have an answer, and whose evidence is in the conversation."""
    turns = {one["dia_id"]: one["text"] for said in conversation["conversation"].values() if isinstance(said, list) for one in said}  # fmt: skip
    return [
        Sample(
            id=f"{conversation['sample_id']}-{number}",
            input=one["question"],
            target=str(one["answer"]),
            metadata={
                "store": f"locomo-{conversation['sample_id']}",
                "evidence": [turns[place] for place in one["evidence"]],
                "category": one["category"],
            },
        )
        for number, one in enumerate(conversation["qa"], start=1)
        if "answer" in one and one["evidence"] and turns.keys() >= set(one["evidence"])
    ]


def plain(text: str) -> str:
    """Return a text without its line breaks and capitals."""
    return " ".join(text.lower().split())
