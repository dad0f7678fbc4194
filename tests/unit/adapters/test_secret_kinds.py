"""Secrets of each kind are found in whatever words they are told, and ordinary notes are left alone."""

import os
import string
from pathlib import Path
from random import Random

import pytest

from shared.adapters.secrets.mask import SecretMask, find_secrets
from tests.support.growth import PIECES, QUICK_SIZE, find_growth

MASK = SecretMask()
_TREES = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "memory-trees"
_HEX, _UPPER, _ALL = "0123456789abcdef", string.ascii_uppercase + "234567", string.ascii_letters + string.digits


def _random(size: int, signs: str = _ALL) -> str:
    """Return the same random text in each run; texts of the test are put together, so that no scanner takes this file for a leak."""
    return "".join(Random(size).choices(signs, k=size))


#: The secret, and the words around it: `<>` stands for the secret.
KINDS = {
    "slowwave": ("swk_" + "01M8F9G3ZKAAPKD6MY7QN02XDF_" + _random(43), "<>"),
    "Bearer": (_random(40), "curl -H 'Authorization: Bearer <>' https://api.example.net"),
    "Basic": (_random(24), "Authorization: Basic <>"),
    "AWS key": ("AKIA" + _random(16, _UPPER), "<>"),
    "AWS secret": (_random(40, _ALL + "/+"), "aws_secret_access_key = <>"),
    "GitHub": ("ghp_" + _random(36), "<>"),
    "GitHub, fine-grained": ("github_pat_" + _random(82), "<>"),
    "GitLab": ("glpat-" + _random(20), "<>"),
    "Anthropic": ("sk-ant-" + "api03-" + _random(93) + "AA", "<>"),
    "OpenAI": ("sk-proj-" + _random(74) + "T3BlbkFJ" + _random(74), "<>"),
    "OpenAI, old": ("sk-" + _random(48), "<>"),
    "Azure storage": (_random(86) + "==", "AccountName=acme;AccountKey=<>"),
    "Azure AD": (_random(3) + "8Q~" + _random(34), "<>"),
    "Twilio": ("SK" + _random(32, _HEX), "<>"),
    "Twilio, by name": (_random(32, _HEX), "TWILIO_AUTH_TOKEN=<>"),
    "Telegram": ("123456789:" + "AA" + _random(33), "<>"),
    "DigitalOcean": ("dop_v1_" + _random(64, _HEX), "<>"),
    "Slack": ("xoxb-" + "123456789012-123456789012-" + _random(24), "<>"),
    "Stripe": ("sk_live_" + _random(24), "<>"),
    "JSON Web Token": ("eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + _random(43), "<>"),
    "Google": ("AIza" + _random(35), "<>"),
    "Hugging Face": ("hf_" + _random(34), "<>"),
    "npm": ("npm_" + _random(36), "<>"),
    "PyPI": ("pypi-" + "AgEIcHlwaS5vcmc" + _random(60), "<>"),
    "SendGrid": ("SG." + _random(22) + "." + _random(43), "<>"),
    "Discord": ("M" + _random(24) + "." + _random(6) + "." + _random(30), "<>"),
    "Shopify": ("shpat_" + _random(32, _HEX), "<>"),
    "Databricks": ("dapi" + _random(32, _HEX), "<>"),
    "Vault": ("hvs." + _random(95), "<>"),
    "private key": ("-----BEGIN OPENSSH PRIVATE " + "KEY-----\nb3Bl\n-----END OPENSSH PRIVATE " + "KEY-----", "<>"),
    "PGP": ("-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\nlQdG\n-----END PGP PRIVATE " + "KEY BLOCK-----", "<>"),
    "address": ("hunter2", "postgres://ann:<>@db.example.net/app"),
    "password in words": ("hunter2!x", "The password of the file server in room 12 is <>"),
    "password in a list": ("Tr0ub4dor&3", "- **Password**: `<>`"),
    "password of a program": ("s3cr3tPazz", "DB_PASSWORD=<>"),
    "password in German": ("Sommer2024!", "Das Passwort für das WLAN lautet <>"),
    "password in Chinese": ("hunter22", "密码是<>"),
    "PIN in words": ("4711", "The PIN of the alarm is <>"),
    "GitHub in Chinese": ("ghp_" + _random(36), "令牌是<> 请保密"),
    "PIN": ("471112", "Phone: PIN <>"),
}

#: What notes are full of and what is no secret.
ORDINARY = r"""
The password is stored in 1Password; ask Nadia.
password: ask Nadia
The password hash is $2b$12$abcdefghijklmnopqrstuv; passwords are hashed with argon2id.
password: 12 characters minimum, and the password policy is 16+ characters with 2 digits
Set DB_PASSWORD=$DB_PASS and PASSWORD: ${PASSWORD_2}.
password = os.environ["DB_PASSWORD_1"]
The token is valid for 15 minutes; token_hash: 3f786850e387550fdab836ed7e6dc881de23001b
commit 3f786850e387550fdab836ed7e6dc881de23001b, token bucket: 123e4567-e89b-42d3-a456-426614174000
idempotency token: 01M8F9G3ZKAAPKD6MY7QN02XDF, run drm_01M8F9G3ZKAAPKD6MY7QN02XDF
Authorization: Bearer <token>, Bearer swk_…, Bearer $TOKEN, Bearer YOUR_API_KEY_HERE_123
AKIA… ghp_… sk-ant-… AKIAIOSFODNN7EXAMPLE is Amazon's; ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
postgres://user:password@localhost/db, https://user:pass@host, postgres://$USER:$PASS@host
pin: 20240601 and pinned to 4.2.1; the version pin is v2024. GPIO pin 18; pins 1883 and 1884
PIN was introduced in 2019.
The secret is in src/auth/secrets_v2.py; secret: see vault path kv/data/app2
api_key: settings.api_key_v2_primary_key and api_key=config.get("API_KEY_2")
access_token: string (JWT, RS256), token: Optional[str] = None
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
integrity sha512-oBx4ZrZ0u0Vw1sFvQpVf2yZz7Nw8k2n2k8N5Vb7yS0rYp0m4m2b5c3Q2r7x8n9p0q1s2t3u4v5w6x7y8z9A0B==
![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)
https://github.com/acme/repo/blob/3f786850e387550fdab836ed7e6dc881de23001b/src/a.py?token=abc
sk-learn, task-2024-11-03-long-running-migration-of-accounts, disk-usage-1234567890-report
La clave es mantener 3 copias. session token: session_token_2024_rotation
secretName: my-app-secret-v2-prod, credentials: service-account-7@project.iam.gserviceaccount.com
private key: ~/.ssh/id_ed25519 and ~/.ssh/deploy_key_2024
token = secrets.token_urlsafe(32), max_tokens: 100000000000000000
encryption key: AES-256-GCM with rotation, "api_key": "<your-api-key-123456789>"
assert check(password, hashed_password) == True; password: 2FA required; Passwort ist 8-stellig
""".strip().splitlines()


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_goes_whole_and_alone(kind: str) -> None:
    secret, words = KINDS[kind]
    text = f"# Access\n\nNadia told us. {words.replace('<>', secret)}\n\nIt is rotated each year.\n"
    before, _, after = text.partition(secret)
    masked = MASK(text)
    assert masked.startswith(f"{before}[masked: ")
    assert masked.endswith(f"]{after}")
    assert masked.count("[masked: ") == 1
    assert MASK(masked) == masked


@pytest.mark.parametrize("line", ORDINARY)
def test_what_only_looks_like_a_secret_stays(line: str) -> None:
    assert MASK(line) is line


@pytest.mark.skipif(not _TREES.is_dir(), reason="the memories of real projects are not on this machine")
def test_memories_of_real_projects_hold_no_secret() -> None:
    texts = {path: path.read_text("utf-8", errors="replace") for path in _TREES.rglob("*") if path.is_file()}
    assert len(texts) > 10
    assert {path.name: found for path, text in texts.items() if (found := find_secrets(text))} == {}


@pytest.mark.parametrize(
    "piece",
    [
        *PIECES[::12], "password is ", "password ", "the pin ", "token=", "secret: a1", "bearer ", "key", "api_key=a1b2c3d4e5f6a7b8 ",
        "sk", "ac", "a.b.c.", "密码是", "AccountKey=", "M" + "a" * 23 + ".", "xoxb-1", "ops_eyJ", "EAAC", "fm2_", "İ", "hunter2@", "api_org_",
    ],
)  # fmt: skip
def test_no_text_takes_longer_than_its_length(piece: str) -> None:
    assert find_growth(MASK, piece, QUICK_SIZE * 8) == ""


def test_a_secret_is_found_behind_letters_that_grow_when_they_are_made_small() -> None:
    assert MASK(f"{'İ' * 40} {KINDS['GitHub'][0]}") == f"{'İ' * 40} [masked: GitHub token]"
