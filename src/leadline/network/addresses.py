"""What the host of a URL says: a name, or an address in one of the many ways that programs accept."""

import ipaddress
import re
from ipaddress import IPv4Address, IPv6Address

Address = IPv4Address | IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: the IPv4 address is the last 32 bits
_NAT64_LOCAL = ipaddress.IPv6Network("64:ff9b:1::/48")  # RFC 8215: translated by rules of the local network
_LAST_32 = 0xFFFFFFFF
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*", re.IGNORECASE)


def read_host(host: str) -> Address | None:
    """Return the address that a host is, or None when it is a name.

    Args:
        host: as a URL has it, without the brackets of IPv6. Short (`127.1`), decimal (`2130706433`), octal and hexadecimal
            spellings of IPv4 count as addresses, as the URL standard of the WHATWG and the C library read them.

    Raises:
        ValueError: the last label is a number, but the whole is no address.
    """
    host = host.rstrip(".")
    if ":" in host:
        return IPv6Address(host)
    labels = host.split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return None
    if len(labels) > 4:
        raise ValueError(f"{host!r} has too many parts for an IPv4 address")
    return IPv4Address(_join(labels))


def _join(labels: list[str]) -> int:
    """The last part fills all bytes that the parts before it leave."""
    *first, last = [_read_number(label) for label in labels]
    if any(part > 0xFF for part in first) or last >= 256 ** (4 - len(first)):
        raise ValueError("a part of the address is too large")
    return sum(part << 8 * (3 - place) for place, part in enumerate(first)) + last


def _read_number(label: str) -> int:
    if not label.isascii():
        raise ValueError(f"{label!r} is not a number")
    if label.lower().startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8 if label.startswith("0") and len(label) > 1 else 10)


def is_public(address: Address) -> bool:
    """Whether an address is one of the open internet; an IPv4 address inside an IPv6 one decides for it."""
    inner = _find_inner(address)
    if inner is not None:
        return is_public(inner)
    if isinstance(address, IPv6Address) and (address in _NAT64_LOCAL or address.is_site_local):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def is_loopback(address: Address) -> bool:
    """Whether an address is this machine's own."""
    inner = _find_inner(address)
    return address.is_loopback or (inner is not None and inner.is_loopback)


def _find_inner(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & _LAST_32)
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour or _find_compatible(address)


def _find_compatible(address: IPv6Address) -> IPv4Address | None:
    """`::a.b.c.d`, which RFC 4291 has deprecated; `::` and `::1` are addresses of their own."""
    number = int(address)
    return IPv4Address(number) if 1 < number <= _LAST_32 else None
