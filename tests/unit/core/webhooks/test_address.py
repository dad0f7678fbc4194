"""A webhook cannot be sent into this network, however the address is written."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import BadInputError
from shared.core.webhooks.address import check_url, decide_allowed, get_port
from shared.core.webhooks.retries import WebhookPolicy

INSIDE = (
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.5.4", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.88.99.1", "198.18.0.1", "192.0.2.1", "203.0.113.9", "224.0.0.1",
    "240.0.0.1", "255.255.255.255", "168.63.129.16", "161.26.0.10",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "3fff::1",
    "100::1", "5f00::1", "2001::1", "4000::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
)  # fmt: skip
PUBLIC = (
    "8.8.8.8",
    "93.184.215.14",
    "2606:4700::1111",
    "2a00:1450:4001:80b::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
)


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not decide_allowed(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert decide_allowed(ip_address(address))


@given(st.ip_addresses(v=4).filter(lambda one: not decide_allowed(one)))
def test_an_address_that_is_refused_is_refused_in_every_disguise(address: object) -> None:
    number = int(address)  # type: ignore[call-overload] # Hypothesis' strategy is untyped
    for high in (0xFFFF << 32, 0x64FF9B << 96, 0x2002 << 112):
        disguised = high | (number << 80 if high == 0x2002 << 112 else number)
        assert not decide_allowed(ip_address(disguised.to_bytes(16, "big")))


def test_an_operator_may_allow_a_network_and_only_that() -> None:
    assert decide_allowed(ip_address("10.1.2.3"), ("10.1.0.0/16",))
    assert decide_allowed(ip_address("::ffff:10.1.2.3"), ("10.1.0.0/16",))
    assert not decide_allowed(ip_address("10.2.0.1"), ("10.1.0.0/16",))
    assert not decide_allowed(ip_address("169.254.169.254"), ("10.1.0.0/16",))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/hooks", "ftp://example.com", "file:///etc/passwd", "//example.com", "example.com", "https://",
        "https:///x", "https://user@example.com", "https://user:word@example.com", "https://example.com/#part",
        "https://example.com:0/", "https://example.com:99999/", "https://example.com/a b", "https://example.com\\@10.0.0.1/",
        "https://exämple.com/", "https://example.com/\r\nHost:x", "https://example.com/\x7f", "https://[::1", "https://127.0.0.1/", "https://[::1]/",
        "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest/meta-data/", "https://example.com/" + "a" * 2_000,
        "https://1.1.1.999/", "https://0177.0.0.1/", "https://[v1.a]/", "https://[v1.a:b]/", "https://a..example.com/",
        "https://.example.com/", "https://-a.example.com/", "https://" + "a" * 64 + ".com/", "https://*.example.com/",
        "https://ex%41mple.com/", "https://a,b.com/", "https://" + "a." * 127 + "com/",
    ],
)  # fmt: skip
def test_an_address_that_webhooks_may_not_go_to_is_refused_when_it_is_set(url: str) -> None:
    with pytest.raises(BadInputError):
        check_url(url, WebhookPolicy())


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("https://example.com/hooks?a=b", 443),
        ("https://8.8.8.8:8443", 8443),
        ("https://Hooks_2.xn--nxasmq6b.example./", 443),
        ("https://[2606:4700::1111]:444/", 444),
    ],
)
def test_an_ordinary_address_is_taken(url: str, port: int) -> None:
    assert get_port(check_url(url, WebhookPolicy())) == port


def test_plain_http_is_for_those_who_allow_it() -> None:
    assert get_port(check_url("http://example.com", WebhookPolicy(allow_http=True))) == 80
