"""Write deploy/env.example from the settings: `python -m deploy.pages.env`. A test compares the two."""

import sys
from pathlib import Path

from shared.settings import Settings

PAGE = Path(__file__).parents[1] / "env.example"
_HEAD = """\
# Every setting of slowwave, with its default. Copy to deploy/slowwave.env (compose) or /etc/slowwave/slowwave.env (systemd),
# readable for its user only, and uncomment what you change. By hand: SLOWWAVE_ENV_FILE=FILE slowwave …, or slowwave --env-file FILE ….
# Write values with quotes, spaces, # or $ in single quotes: systemd, compose and slowwave then read the same.
# Made by `python -m deploy.pages.env`; change shared/settings.py instead.
"""


def render_env() -> str:
    """Return the page: for each setting its description and a line to uncomment."""
    lines = [_HEAD]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else str(field.get_default(call_default_factory=True, validated_data={}))
        default = default.lower() if isinstance(field.default, bool) else default
        default = f"'{default}'" if default.startswith("{") else default
        lines.append(f"# {field.description}\n#SLOWWAVE_{name.upper()}={default}\n")
    return "\n".join(lines)


def main() -> int:
    """Write the page."""
    PAGE.write_text(render_env(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
