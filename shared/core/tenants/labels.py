"""Labels of sessions and stores: what their hosts say of them, such as a session's kind, as `/v1` calls metadata."""

from shared.core.errors import BadInputError

MAX_LABELS = 16
MAX_LABEL_KEY_CHARS = 64
MAX_LABEL_CHARS = 512


def check_labels(labels: dict[str, str]) -> dict[str, str]:
    """Return metadata, or raise BadInputError with the reason."""
    if len(labels) > MAX_LABELS:
        raise BadInputError(f"metadata has at most {MAX_LABELS} pairs; these are {len(labels)}")
    for key, value in labels.items():
        if not 1 <= len(key) <= MAX_LABEL_KEY_CHARS or len(value) > MAX_LABEL_CHARS or "\x00" in key + value:
            raise BadInputError(
                f"metadata has keys of 1 to {MAX_LABEL_KEY_CHARS} and values of at most {MAX_LABEL_CHARS} characters"
            )
    return labels
