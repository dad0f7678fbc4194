"""The address of Redis: a bare `rediss://` is verified, Sentinels are read, and what cannot work is refused by name."""

import ssl
from typing import Any

import pytest
from kombu import Connection
from pydantic import SecretStr, ValidationError

from shared.adapters.celery.config import celery_config
from shared.adapters.redis.connecting import connect
from shared.redis_address import broker_form, find_verification, parse_sentinel
from shared.settings import Settings

THREE = "sentinel://:p%40ss@one:26379;sentinel://two:26380;sentinel://three/3?master_name=mine&sentinel_password=s"


def verification_of_the_broker(url: str) -> object:
    connection: Any = Connection(broker_form(url))
    return connection.ssl["ssl_cert_reqs"]


def test_a_bare_rediss_is_verified_by_the_broker_and_by_the_lock() -> None:
    assert verification_of_the_broker("rediss://:p@host:6380/0") is ssl.CERT_REQUIRED
    client = connect("rediss://:p@host:6380/0")
    made: Any = client.connection_pool.make_connection()
    assert (made.cert_reqs, made.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_to_verify_nothing_has_to_be_written_out() -> None:
    assert verification_of_the_broker("rediss://host/0?ssl_cert_reqs=none") is ssl.CERT_NONE


@pytest.mark.parametrize(
    ("url", "verified"),
    [
        ("redis://host/0", None),
        ("rediss://host/0", "required"),
        ("rediss://host/0?ssl_cert_reqs=none", "none"),
        (THREE, None),
        (f"{THREE}&ssl=true", "required"),
        (f"{THREE}&ssl=true&ssl_cert_reqs=none", "none"),
    ],
)
def test_an_address_tells_how_far_its_server_is_verified(url: str, verified: str | None) -> None:
    assert find_verification(url) == verified


def test_sentinels_are_read_with_the_name_of_the_primary_and_both_passwords() -> None:
    found = parse_sentinel(THREE)
    assert found.nodes == (("one", 26379), ("two", 26380), ("three", 26379))
    assert (found.master_name, found.db) == ("mine", 3)
    assert (found.password, found.sentinel_password) == ("p@ss", "s")


def test_the_broker_gets_every_sentinel_with_the_password_of_the_primary() -> None:
    config = celery_config(Settings(), THREE)
    login = "sentinel://:p%40ss@"
    assert config["broker_url"] == f"{login}one:26379/3;{login}two:26380/3;{login}three:26379/3"
    options = config["broker_transport_options"]
    assert (options["master_name"], options["sentinel_kwargs"]["password"]) == ("mine", "s")
    assert config["broker_use_ssl"] is None


def test_sentinels_with_tls_are_verified_as_the_primary_is() -> None:
    config = celery_config(Settings(), f"{THREE}&ssl=true")
    assert config["broker_use_ssl"] == {"ssl_cert_reqs": "required"}
    assert config["broker_transport_options"]["sentinel_kwargs"]["ssl_cert_reqs"] == "required"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+cluster://host", "Redis Cluster is not supported"),
        ("redis://one:1,two:2/0", "sentinel://"),
        ("sentinel://one;sentinel://two/0", "master_name=NAME"),
        ("sentinel://one;redis://two/0?master_name=m", "master_name=NAME"),
        ("sentinel://one/zero?master_name=m", "number of a database"),
        ("rediss://host/0?ssl_cert_reqs=maybe", "none, optional, required"),
        ("redis://host:port/0", "is not an address"),
        ("http://host", "must begin with redis://"),
    ],
)
def test_an_address_that_cannot_work_is_refused_with_what_to_write(url: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Settings(redis_url=SecretStr(url))


def test_every_node_of_a_rabbitmq_cluster_must_be_one() -> None:
    assert Settings(broker_url=SecretStr("amqp://one//;amqp://two//")).broker_url
    with pytest.raises(ValidationError, match="each node of a cluster"):
        Settings(broker_url=SecretStr("amqp://one//;two"))


def test_a_rabbitmq_with_tls_is_asked_for_a_certificate_of_its_own_name() -> None:
    assert celery_config(Settings(), "amqps://u:p@host//")["broker_use_ssl"] == {"server_hostname": None}
    assert celery_config(Settings(), "amqp://u:p@host//")["broker_use_ssl"] is None
