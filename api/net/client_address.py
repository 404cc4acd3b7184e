"""The network address by which limits distinguish clients."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

SITE_BITS = 64
"""The number of bits in the IPv6 prefix that one customer of a provider gets. The customer can use
all 2^64 addresses with this prefix."""
MAX_LETTERS = 64
"""The maximum number of characters in a host name. A proxy can forward any text, so the length
needs a limit."""


def parsed(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the host as an IP address, or None if it is not an address."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def with_mapped(networks: Iterable[str]) -> list[str]:
    """Return these networks and, for each IPv4 network, its IPv6 form (RFC 4291, 2.5.5.2). A proxy
    that listens at `::` can forward IPv4 addresses in the IPv6 form."""
    found = [ipaddress.ip_network(network) for network in networks]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in found if one.version == 4]
    return [*map(str, found), *mapped]


def client_key(host: str) -> str:
    """Return a key for the client with this address. All addresses that certainly belong to one
    client have the same key. The key is an IPv6 network or an IPv4 address, even if the IPv4
    address was written as an IPv6 address."""
    found = parsed(host.partition("%")[0])
    if found is None:
        return host[:MAX_LETTERS]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, SITE_BITS), strict=False))
    return str(found)
