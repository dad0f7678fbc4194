"""Push an evaluation to Langfuse, if its SDK is installed, which is an extra of the installation."""

import os
from importlib.util import find_spec

from gateway.evaluation.dataset import dataset_of
from shared.core.errors import BadInputError, ServiceUnavailableError
from shared.core.evaluation.model import Evaluation
from shared.program import COMMAND

_KEYS = ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY")
#: With one of these the SDK sends nothing, and says nothing.
_SILENT = {"LANGFUSE_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}


def check_langfuse() -> None:
    """Check that a push can begin: the SDK is installed and knows its keys. Raises BadInputError."""
    if find_spec("langfuse") is None:
        raise BadInputError(
            "--push langfuse needs Langfuse's SDK: pip install 'slowwave[langfuse]', in a checkout --require-hashes -r requirements-langfuse.lock"
        )
    missing = [name for name in _KEYS if not os.environ.get(name)]
    if missing:
        msg = f"--push langfuse needs {' and '.join(missing)} in the environment; LANGFUSE_HOST names a server of your own"
        raise BadInputError(msg)
    for name, value in _SILENT.items():
        if os.environ.get(name, "").lower() == value:
            raise BadInputError(f"--push langfuse sends nothing while {name} is {value}: unset it")


def push_to_langfuse(tenant: str, evaluation: Evaluation) -> str:
    """Push an evaluation, and return a sentence about it.

    Raises:
        BadInputError: it cannot be pushed.
        ServiceUnavailableError: Langfuse did not take all of it.
    """
    check_langfuse()
    dataset = dataset_of(tenant, evaluation)
    if not dataset.items:
        return f"Nothing was pushed: {evaluation.id} has no questions of your own, and no answer changed."
    from gateway.evaluation.langfuse_runs import push_runs  # noqa: PLC0415 - needs the extra, and takes a second

    if failed := push_runs(dataset, evaluation):
        again = f"{COMMAND} evaluations show {tenant} {evaluation.id} --push langfuse"
        raise ServiceUnavailableError(f"Langfuse did not take all of {evaluation.id}: {failed}. Again: {again}")
    return f"Pushed {len(dataset.items)} questions to Langfuse as the dataset {dataset.name}"
