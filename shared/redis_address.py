"""Read the address of Redis: one server, with or without TLS, or the Sentinels that know which server is the primary."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from shared.core.errors import BadInputError

SENTINEL = "sentinel://"
_SCHEMES = ("redis://", "rediss://", SENTINEL)
_SENTINEL_PORT = 26379
_VERIFICATIONS = ("none", "optional", "required")
_HOW_TO_SENTINEL = "sentinel://:PASSWORD@HOST1:26379;sentinel://HOST2:26379/0?master_name=NAME"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentinelAddress:
    """An address with Sentinels: their hosts, the primary's name, the login, and redis-py's TLS options (None: no TLS)."""

    nodes: tuple[tuple[str, int], ...]
    master_name: str
    db: int = 0
    username: str | None = None
    password: str | None = None
    sentinel_password: str | None = None
    tls: Mapping[str, str] | None = None


def is_sentinel(url: str) -> bool:
    """Tell whether an address names Sentinels."""
    return url.startswith(SENTINEL)


def check_redis_url(url: str) -> None:
    """Raise BadInputError for an unusable address, and say what to write instead."""
    if "cluster" in url.split("://", maxsplit=1)[0]:
        raise BadInputError(
            "Redis Cluster is not supported: the keys of one command would lie on several nodes; "
            f"use one server, or Sentinel: {_HOW_TO_SENTINEL}"
        )
    if not url.startswith(_SCHEMES):
        raise BadInputError("must begin with redis://, rediss:// or sentinel://")
    if is_sentinel(url):
        parse_sentinel(url)
    elif ";" in url or "," in urlsplit(url).netloc.rpartition("@")[2]:
        raise BadInputError(f"names several servers, of which only Sentinel knows the primary: {_HOW_TO_SENTINEL}")
    verification = _query(url).get("ssl_cert_reqs")
    if verification is not None and verification not in _VERIFICATIONS:
        raise BadInputError(f"ssl_cert_reqs must be one of {', '.join(_VERIFICATIONS)}")


def parse_sentinel(url: str) -> SentinelAddress:
    """Return the parts of an address with Sentinels, separated by `;`. Raises BadInputError."""
    parts = [_split(part if "://" in part else SENTINEL + part) for part in url.split(";") if part]
    query, first = _query(url), parts[0]
    hosts = [part.hostname for part in parts]
    if not query.get("master_name") or not all(hosts) or any(part.scheme != "sentinel" for part in parts):
        raise BadInputError(f"must name each Sentinel and the primary: {_HOW_TO_SENTINEL}")
    db = parts[-1].path.strip("/") or "0"
    if not db.isdecimal():
        raise BadInputError(f"must end in the number of a database before the `?`: {_HOW_TO_SENTINEL}")
    has_tls = query.get("ssl", "false") == "true"
    return SentinelAddress(
        nodes=tuple((str(part.hostname), part.port or _SENTINEL_PORT) for part in parts),
        master_name=query["master_name"],
        db=int(db),
        username=unquote(first.username) if first.username else None,
        password=unquote(first.password) if first.password else None,
        sentinel_password=query.get("sentinel_password"),
        tls={"ssl_cert_reqs": "required"} | _tls_options(query) if has_tls else None,
    )


def broker_form(url: str) -> str:
    """Return the address in kombu's form; kombu itself would not verify a bare `rediss://`."""
    if is_sentinel(url):
        address = parse_sentinel(url)
        login = f"{quote(address.username or '', safe='')}:{quote(address.password or '', safe='')}@"
        login = login if address.password else ""
        return ";".join(f"{SENTINEL}{login}{host}:{port}/{address.db}" for host, port in address.nodes)
    if url.startswith("rediss://") and "ssl_cert_reqs" not in _query(url):
        return f"{url}{'&' if '?' in url else '?'}ssl_cert_reqs=required"
    return url


def find_verification(url: str) -> str | None:
    """Return how far the server's certificate is verified (`required`, `optional`, `none`); None without TLS."""
    query = _query(url)
    if url.startswith("rediss://") or (is_sentinel(url) and query.get("ssl") == "true"):
        return query.get("ssl_cert_reqs", "required")
    return None


def _tls_options(query: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if name.startswith("ssl_")}


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise BadInputError(f"is not an address: {error}") from None
    return parts


def _query(url: str) -> dict[str, str]:
    return dict(parse_qsl(_split(url.rsplit(";", maxsplit=1)[-1]).query))
