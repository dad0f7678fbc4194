"""The exceptions of slowwave. A message is a sentence for users; the class docstring is the default message."""

from math import ceil


class SlowwaveError(Exception):
    """Something went wrong in slowwave."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__ or "")


class RetryableError(SlowwaveError):
    """The same call may succeed later."""


class PermanentError(SlowwaveError):
    """The same call will fail again until someone changes something."""


class MisdirectedError(PermanentError):
    """The request names a host that this server does not answer for."""


class NotFoundError(PermanentError):
    """This does not exist."""


class MaybeHiddenError(NotFoundError):
    """This does not exist, or the store hides it. `setting` names what may hide it, and its value."""

    def __init__(self, setting: str) -> None:
        super().__init__(f"This does not exist, or it is hidden: {setting}")
        self.setting = setting


class BadInputError(PermanentError):
    """The input is invalid."""


class ConflictError(PermanentError):
    """Another request changed this in the meantime."""


class PathTakenError(ConflictError):
    """Another live memory has this path."""


class MootError(ConflictError):
    """This proposal has no place any more, so it was closed."""


class ChangedProposalError(ConflictError):
    """This proposal has changed since it was made. Look at it again, then approve it."""


class PreconditionFailedError(ConflictError):
    """This was changed since it was read. Read it again."""


class UnauthenticatedError(PermanentError):
    """The request has no valid key; send `Authorization: Bearer swk_…`."""


class ForbiddenError(PermanentError):
    """This key's role does not allow that."""


class RateLimitedError(RetryableError):
    """Too many requests with this key."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(f"Too many requests with this key; try again in {max(1, ceil(retry_after_seconds))} s")
        self.retry_after_seconds = retry_after_seconds


class TooManyFailuresError(RateLimitedError):
    """Too many requests with wrong keys came from this address."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        wait = max(1, ceil(retry_after_seconds))
        self.args = (f"Too many requests with wrong keys came from this address; try again in {wait} s",)


class QueueFullError(RateLimitedError):
    """Too many dreams of this tenant are waiting."""

    def __init__(self, waiting: int, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        self.args = (f"{waiting} dreams of this tenant are waiting; request another when one of them has started",)


class TenantBusyError(RateLimitedError):
    """This tenant has too many requests at once."""

    def __init__(self, at_once: int) -> None:
        super().__init__(1)
        self.args = (
            f"{at_once} requests of this tenant are running and others wait; send fewer at once, retry in 1 s",
        )


class TenantPacedError(RateLimitedError):
    """This tenant's requests have used more than their share of the time while other tenants need the API."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        wait = max(1, ceil(retry_after_seconds))
        self.args = (
            f"This tenant's long requests have used up its share while other tenants need the API; try again in {wait} s",
        )


class OutdatedDataError(PermanentError):
    """This data was written by a version before the first release and cannot be upgraded to this version."""


class IllegalTransitionError(PermanentError):
    """A dream cannot change from its current state to that state."""


class ReportedFailureError(SlowwaveError):
    """A phase or a dream failed, or there is nothing to dream over. This is raised so that Celery marks the task as failed, too."""


class LostLeaseError(SlowwaveError):
    """The lease was lost: another worker may have taken over this dream, so this worker must stop writing."""


class ServiceUnavailableError(RetryableError):
    """A server that slowwave needs does not answer."""


class DatabaseRefusesError(ServiceUnavailableError):
    """The database refuses work or does not answer, which is no fault of the caller."""

    def __init__(self, why: str, sentence: str, said: str) -> None:
        """Name the refusal for metrics (`why`), say it for people, and add the server's own message."""
        super().__init__(f"{sentence}: {said}")
        self.why = why
        self.sentence = sentence


class StatementCutError(ServiceUnavailableError):
    """The database canceled this because it took too long; nothing was written."""


class ArchivedError(BadInputError):
    """This store is archived: it can be read but not written to."""


class UnsafePathError(BadInputError):
    """The path leaves its store or is not a relative markdown path."""


class ReservedPathError(ForbiddenError):
    """Only a person may write to this path, since hosts load or run what lies there."""


class UneditableFrontmatterError(BadInputError):
    """The frontmatter of this memory cannot be parsed, so its fields cannot be changed safely."""
