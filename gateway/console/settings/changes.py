"""Apply a form of the settings, and report the result on the next page."""

from collections.abc import Callable, Mapping
from typing import Annotated, TypeVar

from fastapi import Depends, Form, Request
from pydantic import BaseModel, ValidationError
from starlette.responses import Response

from gateway.console.pages import go
from gateway.console.visitor import Visitor
from shared.core.errors import BadInputError, ConflictError, ForbiddenError
from shared.core.inputs.wrong_values import tell_wrong

Shape = TypeVar("Shape", bound=BaseModel)
#: Errors of a setting that the page of its form shows.
REFUSALS = (BadInputError, ConflictError, ForbiddenError)


#: One line of a form.
Line = Annotated[str, Form(max_length=500)]


async def _read_fields(request: Request) -> dict[str, str]:
    form = await request.form()
    return {name: value for name, value in form.items() if isinstance(value, str) and name != "csrf"}


#: Everything that was filled in, for a form whose fields are named by what there is to set.
Fields = Annotated[dict[str, str], Depends(_read_fields)]


def change(visitor: Visitor, where: str, carry_out: Callable[[], str]) -> Response:
    """Carry out a change and go to a page of the settings, which says what was done or why it was refused."""
    try:
        said = carry_out()
    except REFUSALS as error:
        return go(visitor, settings_of(visitor) + where, str(error), "refused")
    return go(visitor, settings_of(visitor) + where, said)


def settings_of(visitor: Visitor) -> str:
    """Return the address of a tenant's settings."""
    return f"/console/t/{visitor.tenant_id}/settings"


def read_form(shape: type[Shape], given: Mapping[str, str]) -> Shape:
    """Return what was filled in; an empty field is left out. Raises BadInputError that names the field."""
    try:
        return shape.model_validate({name: value.strip() for name, value in given.items() if value.strip()})
    except ValidationError as error:
        where, why = tell_wrong(error.errors(include_url=False, include_input=False))[0]
        raise BadInputError(f"{where.replace('.', ' ').replace('_', ' ')}: {why}") from None


def read_changed(shown: Mapping[str, object], given: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form that differ from what it showed; an empty one takes a setting back."""
    pairs = {name: value.strip() for name, value in given.items()}
    return {name: value for name, value in pairs.items() if value != str(shown.get(name) or "")}
