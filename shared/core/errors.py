"""The error tree. A message is a sentence for the reader; the class docstring is the default message."""

from math import ceil


class SlowwaveError(Exception):
    """Something went wrong in slowwave."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__ or "")


class RetryableError(SlowwaveError):
    """The same call may succeed later."""


class PermanentError(SlowwaveError):
    """The same call will fail again until someone changes something."""


class NotFoundError(PermanentError):
    """There is no such thing."""


class BadInputError(PermanentError):
    """The input is not usable as it is."""


class ConflictError(PermanentError):
    """Another request changed this in the meantime."""


class PathTakenError(ConflictError):
    """Another live memory has this path."""


class PreconditionFailedError(ConflictError):
    """The precondition no longer holds: this was changed since it was read. Read it again."""


class UnauthenticatedError(PermanentError):
    """There is no valid key in the request; send `Authorization: Bearer swk_…`."""


class ForbiddenError(PermanentError):
    """This key's role does not allow that."""


class RateLimitedError(RetryableError):
    """Too many requests with this key."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(f"Too many requests with this key; try again in {max(1, ceil(retry_after_seconds))} s")
        self.retry_after_seconds = retry_after_seconds


class TooManyFailuresError(RateLimitedError):
    """Too many wrong keys came from this address."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        wait = max(1, ceil(retry_after_seconds))
        self.args = (f"Too many requests with wrong keys came from this address; try again in {wait} s",)


class QueueFullError(RateLimitedError):
    """Too many dreams of this tenant wait already."""

    def __init__(self, waiting: int, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        self.args = (f"{waiting} dreams of this tenant wait already; order the next one when one of them has begun",)


class TenantBusyError(RateLimitedError):
    """Too many requests of this tenant at once."""

    def __init__(self, at_once: int) -> None:
        super().__init__(1)
        self.args = (f"{at_once} requests of this tenant run and others wait already; send fewer at once, try in 1 s",)


class TenantPacedError(RateLimitedError):
    """This tenant's requests have taken more than its share of the time while other tenants ask."""

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(retry_after_seconds)
        wait = max(1, ceil(retry_after_seconds))
        self.args = (
            f"This tenant's long requests have used up its share while other tenants ask, too; try again in {wait} s",
        )


class OutdatedDataError(PermanentError):
    """This data was made by a version from before the first release; no upgrade leads from there to this version."""


class IllegalTransitionError(PermanentError):
    """A dream cannot change from its state to that one."""


class ReportedFailureError(SlowwaveError):
    """A phase or a dream failed. Its row says why; this is raised so that its task shows as failed, too."""


class LostLeaseError(SlowwaveError):
    """The lease was lost: another worker took this dream over, and this one must not write any more."""


class ServiceUnavailableError(RetryableError):
    """A server that slowwave needs does not answer."""


class StatementCutError(ServiceUnavailableError):
    """The database took longer for this than it may, and ended it; nothing of it was written."""


class ArchivedError(BadInputError):
    """This store is archived: it can be read, but no longer written to."""


class UnsafePathError(BadInputError):
    """The path leaves its store or is not a relative markdown path."""


class UneditableFrontmatterError(BadInputError):
    """The frontmatter of this memory cannot be read, so no field of it can be changed without harm."""
