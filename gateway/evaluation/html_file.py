"""The report of an evaluation as one HTML file, which asks no network for anything and runs no script."""

from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gateway.evaluation.view import EvaluationView

_CONSOLE = Path(__file__).parent.parent / "console"
_STYLES = ("console.css", "evaluations.css")


def render_file(view: EvaluationView, made_at: datetime) -> str:
    """Return the text of the file, with the styles of the console in it; `made_at` is when the evaluation was ordered."""
    env = Environment(
        loader=FileSystemLoader(_CONSOLE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = "\n".join((_CONSOLE / "static" / name).read_text(encoding="utf-8") for name in _STYLES)
    template = env.get_template("evaluations/file.html")
    return template.render(view=view, style=Markup(style), day=made_at.date().isoformat()).lstrip()  # noqa: S704 - styles are files of this program; all else is escaped
