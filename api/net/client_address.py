"""The network address of a client, as used for limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

SITE_BITS = 64
"""The IPv6 prefix of one customer, who has 2^64 addresses in it."""
MAX_LETTERS = 64
"""Maximum characters of a host that is not an address. A proxy may forward anything."""


def parsed(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address, or None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def with_mapped(networks: Iterable[str]) -> list[str]:
    """Return these networks, and the IPv4 ones also as IPv6 networks (RFC 4291, 2.5.5.2), because a
    proxy that listens at `::` may forward them in that form."""
    found = [ipaddress.ip_network(network) for network in networks]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in found if one.version == 4]
    return [*map(str, found), *mapped]


def client_key(host: str) -> str:
    """Return the same key for all addresses that certainly belong to one client: an IPv6 network,
    or the IPv4 address in an IPv6 address."""
    found = parsed(host.partition("%")[0])
    if found is None:
        return host[:MAX_LETTERS]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, SITE_BITS), strict=False))
    return str(found)
