"""Mask or refuse what a store keeps out of its texts: secrets (`secrets.action`) and personal data (`personal_data.action`)."""

import re
from collections.abc import Callable, Sequence

from shared.core.errors import BadInputError
from shared.core.memory.headline import title_of
from shared.core.personal_data.find import mask_personal_data
from shared.core.personal_data.kinds import choose_kinds, kind_names
from shared.core.policy.masked import FORGOTTEN, marks_in, name_masked
from shared.core.policy.policy import MaskAction, Policy
from shared.core.tenants.store import Store
from shared.counting import count
from shared.ports.database import UnitOfWork

#: Masks something in a text, and returns any other text as it is.
Mask = Callable[[str], str]
#: The lines of a text that may give its title.
_TITLES = re.compile(r"^(?:#[ \t]|title:|name:).*", re.MULTILINE)


def mask_of(uow: UnitOfWork, policy: Policy, *, secrets: bool = True) -> Mask:
    """Return what masks in a text what a store keeps out; `secrets` False: the writer asked to keep them."""
    first = uow.mask if secrets and policy.secrets.action is not MaskAction.ALLOW else str
    return _with_personal_data(first, policy)


def name_mask_of(uow: UnitOfWork, policy: Policy, *, secrets: bool = True) -> Mask:
    """Return what masks paths, titles and labels, which never hold a secret: lists and logs show them."""
    return _with_personal_data(uow.mask if secrets else str, policy)


def mask_memory(uow: UnitOfWork, policy: Policy, text: str) -> str:
    """Return the text of a memory without what its store keeps out; its title never holds a secret."""
    kept = mask_of(uow, policy)(text)
    if policy.secrets.action is not MaskAction.ALLOW:
        return kept
    kept = _TITLES.sub(lambda line: uow.mask(line[0]), kept)
    title = title_of("", kept)  # which frontmatter may write over several lines
    return kept if uow.mask(title) == title else uow.mask(kept)


def note_masked(store: Store, what: str, given: str, stored: str, *, where: str, may_refuse: bool = True) -> list[str]:
    """Count what was masked in a text for a store, and return its kinds.

    Raises:
        BadInputError: the store refuses what holds something of these kinds.
    """
    kinds = [one for one in name_masked(given, stored) if one != FORGOTTEN]
    if not kinds:
        return []
    personal = [one for one in kinds if one in kind_names()]
    secrets = [one for one in kinds if one not in personal]
    if may_refuse:
        _refuse(store, what, secrets, personal)
    if secrets:
        count("slowwave_secrets_masked_total", where=where)
    if personal:
        count("slowwave_personal_data_masked_total", where=where)
    return kinds


def is_personal(kinds: Sequence[str]) -> bool:
    """Tell whether kinds of what was masked are all of personal data."""
    return set(kinds).issubset(kind_names())


def count_in_sessions(texts: Sequence[str]) -> None:
    """Count the events of a session in whose texts, as they are stored, something was masked."""
    found = [set(marks_in(text)) for text in texts]
    personal = sum(not kinds.isdisjoint(kind_names()) for kinds in found)
    if personal:
        count("slowwave_personal_data_masked_total", personal, where="session")
    secrets = sum(not kinds or not is_personal(list(kinds)) for kinds in found)
    if secrets:
        count("slowwave_secrets_masked_total", secrets, where="session")


def _with_personal_data(first: Mask, policy: Policy) -> Mask:
    if policy.personal_data.action is MaskAction.ALLOW:
        return first
    kinds = choose_kinds(policy.personal_data.kinds)
    return lambda text: mask_personal_data(first(text), kinds)


def _refuse(store: Store, what: str, secrets: Sequence[str], personal: Sequence[str]) -> None:
    if secrets and store.policy.secrets.action is MaskAction.REFUSE:
        count("slowwave_secrets_refused_total")
        raise BadInputError(
            f"{what} contains something like a secret ({', '.join(secrets)}), which the store {store.name} refuses "
            f"(secrets.action); write it without, and keep the secret where secrets are kept"
        )
    if personal and store.policy.personal_data.action is MaskAction.REFUSE:
        count("slowwave_personal_data_refused_total")
        raise BadInputError(
            f"{what} contains something like personal data ({', '.join(personal)}), which the store {store.name} refuses "
            f"(personal_data.action); write it without"
        )
