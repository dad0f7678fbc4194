"""Keys of questions to a better model and of exams, and the reasons for asking a better model."""

import re
from collections.abc import Iterator
from enum import StrEnum

from pydantic import BaseModel

#: The suffix of the key of a question to a better model.
_ESCALATED = "~better"
#: The beginning of the key of a question of the model's exam.
_EXAM = "exam/"
#: The suffix of the key of a question that asks again: over what a look opened, and in earlier dreams for a merged text.
_REPAIR = re.compile(r"(/repair|:repair:)\d+$|/look$")


class Doubt(StrEnum):
    """The reason for asking a question again. The first answer is kept if the better model gives none."""

    UNSURE = "unsure"
    NO_ANSWER = "no_answer"


def escalated_key(key: str) -> str:
    """Return the key under which the better model's answer is stored."""
    return f"{key}{_ESCALATED}"


def plain_key(key: str) -> str:
    """Return the key of a question without the mark of the better model."""
    return key.removesuffix(_ESCALATED)


def is_escalated(key: str) -> bool:
    """Tell whether a key belongs to a question to the better model."""
    return key.endswith(_ESCALATED)


def exam_key(number: int) -> str:
    """Return the key of a question of the model's exam, which asks about no memory."""
    return f"{_EXAM}{number}"


def is_exam(key: str) -> bool:
    """Tell whether a key belongs to a question of an exam, of either model."""
    return key.startswith(_EXAM)


def is_repair(key: str) -> bool:
    """Tell whether a key belongs to a question, to either model, that asks again: for a merged text, or after a look."""
    return _REPAIR.search(plain_key(key)) is not None


def find_confidences(answer: BaseModel) -> Iterator[float | None]:
    """Yield the confidence of an answer, and of each item of its lists."""
    for name in type(answer).model_fields:
        value = getattr(answer, name)
        if name == "confidence":
            yield value
        elif isinstance(value, tuple | list):
            for item in value:
                if isinstance(item, BaseModel):
                    yield from find_confidences(item)
