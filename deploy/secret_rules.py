"""Print the rules of the secret scanner, made from gitleaks' configuration: `python -m deploy.secret_rules gitleaks.toml LICENSE`.

Left out are rules that know a secret only by a name near it (`shared/adapters/secrets/told.py` has one rule for those), that
match what is no secret (ids, public keys), whole documents or any commit's hash, and those that the scanner has of its own.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_LEFT_OUT = re.compile(
    r"generic-api-key|pkcs12-file|curl-.*|kubernetes-.*|jwt.*|private-key|nuget-.*|freemius-.*|facebook-access-token|sidekiq-.*"
    r"|.*-public-key|.*client-id|anthropic-.*|openai-.*|slack-legacy-bot-token|sourcegraph-.*|vault-service-token|twilio-.*"
    r"|square-access-token|etsy-.*|heroku-api-key|octopus-.*|clickhouse-.*"
)
_BY_NAME = r"[\w.-]{0,50}?"  # how a rule begins that looks for a name in front of the secret
_MAKERS = {
    "aws": "AWS", "github": "GitHub", "gitlab": "GitLab", "digitalocean": "DigitalOcean", "pypi": "PyPI", "npm": "npm", "gcp": "Google",
    "sendgrid": "SendGrid", "huggingface": "Hugging Face", "rubygems": "RubyGems", "hashicorp": "HashiCorp", "planetscale": "PlanetScale",
}  # fmt: skip
_KINDS = ("key", "token", "secret", "password", "webhook", "cookie")


def _name(rule_id: str) -> str:
    maker = rule_id.partition("-")[0]
    if rule_id == "aws-access-token":
        return "AWS Access Key"  # as marks in stored texts say it
    kind = next((one for one in _KINDS if one in rule_id), "token")
    return f"{_MAKERS.get(maker, maker.capitalize())} {kind}"


def _in_python(pattern: str) -> str:
    """Return a pattern of Go's syntax in Python's. The end of a secret is also a comma, a point or a bracket: notes are prose."""
    pattern = pattern.replace("(?:[\\x60'\"\\s;]|\\\\[nr]|$)", "(?![A-Za-z0-9_-])").replace(r"\z", r"\Z")
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace("(?-i:acc)", "acc")
    # Python takes a flag at the beginning only; there it also holds for the prefix, which does no harm.
    return "(?i)" + pattern.replace("(?i)", "") if "(?i)" in pattern else pattern


def _print_rules(rules: list[dict[str, Any]]) -> Iterator[str]:
    for rule in sorted(rules, key=lambda one: str(one["id"])):
        pattern = rule.get("regex", "")
        if not pattern or _BY_NAME in pattern or _LEFT_OUT.fullmatch(rule["id"]):
            continue
        pattern = _in_python(pattern)
        re.compile(pattern)
        yield f"\n[[rules]]\nname = {json.dumps(_name(rule['id']))}\npattern = '''{pattern}'''"
        yield f"keywords = {json.dumps(rule['keywords'])}\nentropy = {float(rule.get('entropy', 0))}"


def main() -> None:
    """Print the rules as TOML, with the licence under which they are."""
    source, licence = Path(sys.argv[1]), Path(sys.argv[2])
    print(
        "# Made by `python -m deploy.secret_rules` from the rules of gitleaks (https://github.com/gitleaks/gitleaks):"
    )
    print("\n".join(f"# {line}".rstrip() for line in licence.read_text("utf-8").strip().splitlines()))
    print("\n".join(_print_rules(tomllib.loads(source.read_text("utf-8"))["rules"])))


if __name__ == "__main__":
    main()
