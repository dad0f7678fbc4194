"""Read families of documents, with which operators evaluate models on their own documents."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from shared.core.errors import BadInputError
from shared.core.evaluation.replay import Family
from shared.core.inputs.wrong_values import tell_wrong

_MAX_BYTES = 5_000_000
#: Which files there are, and whether the documents of their families say the same.
_FILES = {"duplicates*.json": True, "siblings*.json": False}


class _Listed(BaseModel):
    family: str = Field(min_length=1, max_length=200)
    documents: dict[str, str] = Field(min_length=2, max_length=20)


_LIST = TypeAdapter(list[_Listed])


def read_families(folder: Path) -> tuple[Family, ...]:
    """Return the families of `duplicates*.json` and `siblings*.json` at and below a folder, in the order of the files.

    Each file is a list of `{"family": name, "documents": {path: text}}`.

    Raises:
        BadInputError: there are none, or a file is too large or has another shape.
    """
    found = tuple(one for pattern, is_same in _FILES.items() for one in _read(folder, pattern, is_same=is_same))
    if not found:
        raise BadInputError(f"{folder} has no families: {' or '.join(_FILES)} (docs/models.md)")
    return found


def _read(folder: Path, pattern: str, *, is_same: bool) -> Iterator[Family]:
    for path in sorted(folder.rglob(pattern)):
        if path.stat().st_size > _MAX_BYTES:
            raise BadInputError(f"{path.name} is larger than {_MAX_BYTES // 1_000_000} MB")
        try:
            listed = _LIST.validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            reason = tell_wrong(error.errors())[0].why if isinstance(error, ValidationError) else error.strerror
            raise BadInputError(f"{path.name} is not a list of families: {reason}") from None
        for number, one in enumerate(listed, 1):
            yield Family(name=f"{path.stem} {number}: {one.family}", documents=one.documents, is_same=is_same)
