"""The network address that identifies a client for the limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

SITE_BITS = 64
"""The length of an IPv6 prefix that is assigned to one customer, who can use all 2^64 addresses in
it."""
MAX_LETTERS = 64
"""The maximum number of characters in a host that is not an address. There is a limit because a
proxy can forward anything."""


def parsed(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the host as an IP address, or None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def with_mapped(networks: Iterable[str]) -> list[str]:
    """Return these networks, and add the IPv4 networks in their IPv6 form (RFC 4291, 2.5.5.2). A
    proxy that listens at `::` can forward IPv4 addresses in that form."""
    found = [ipaddress.ip_network(network) for network in networks]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in found if one.version == 4]
    return [*map(str, found), *mapped]


def client_key(host: str) -> str:
    """Return a key that is the same for all addresses that certainly belong to one client. The key
    is an IPv4 address (even if it was written as an IPv6 address) or an IPv6 network."""
    found = parsed(host.partition("%")[0])
    if found is None:
        return host[:MAX_LETTERS]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, SITE_BITS), strict=False))
    return str(found)
