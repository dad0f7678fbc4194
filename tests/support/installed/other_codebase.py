"""A program that has Celery and none of slowwave's code: the block of docs/integration.md, run as it stands."""

import re
from pathlib import Path

_PAGE = Path(__file__).parents[3] / "docs" / "integration.md"


def send_as_another_codebase() -> None:
    """Send what the page sends, to the broker that the variable BROKER names."""
    found = re.search(r"<!-- run: celery -->\n```python\n(.*?)```", _PAGE.read_text(), re.DOTALL)
    assert found
    left: dict[str, object] = {}
    exec(found[1].replace('Celery("my-platform",', 'Celery("my-platform", set_as_current=False,'), left)
