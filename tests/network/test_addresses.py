"""What a host says, and which addresses are public."""

from contextlib import suppress
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.network.addresses import is_loopback, is_public, read_host


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"), ("017700000001", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"),
        ("0", "0.0.0.0"), ("0x", "0.0.0.0"), ("10.257", "10.0.1.1"), ("::1", "::1"), ("::ffff:7f00:1", "::ffff:127.0.0.1"),
    ],
)  # fmt: skip
def test_odd_spellings_are_addresses(host: str, address: str) -> None:
    assert read_host(host) == ip_address(address)


@pytest.mark.parametrize("host", ["example.org", "localhost", "1.example", "0x7g", "a.0x7f.b", "127.0.0.1.nip.io", ""])
def test_names_are_no_addresses(host: str) -> None:
    assert read_host(host) is None


@pytest.mark.parametrize(
    "host", ["1.2.3.4.5", "256.256.256.256", "127.0.0.09", "4294967296", "1..1", "example.1", "::g", "１２７.１"]
)
def test_what_ends_in_a_number_and_is_no_address_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_host(host)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "192.0.2.1", "240.0.0.1", "::", "::1", "fe80::1", "fc00::1", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
        "2002:7f00:1::", "2002:a9fe:a9fe::", "2001:0:4136:e378:8000:63bf:80ff:fffe", "fec0::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "100.128.0.1"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(ip_address(address))


def test_loopback_in_disguise() -> None:
    assert all(is_loopback(ip_address(a)) for a in ("127.9.9.9", "::1", "::ffff:127.0.0.1"))


@given(st.text(max_size=40))
def test_any_host_is_an_address_a_name_or_refused(host: str) -> None:
    with suppress(ValueError):
        read_host(host)
