"""The origin of a web page (RFC 6454), and the path of our site below that origin."""

from __future__ import annotations

import re
from typing import NamedTuple

HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
PATH = re.compile(r"(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])*")
DEFAULT_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """A web origin. `name` is a host name or an IP address as in a URL, where IPv6 addresses are in
    brackets."""

    scheme: str
    name: str
    port: int

    @property
    def host(self) -> str:
        """The value of the Host header for this origin."""
        return self.name if self.port == DEFAULT_PORTS[self.scheme] else f"{self.name}:{self.port}"

    @property
    def socket(self) -> str:
        """The origin of websockets at the same host and port."""
        return f"{self.scheme.replace('http', 'ws')}://{self.host}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


def parse_origin(text: str) -> Origin | None:
    """Return the origin that a text contains. Return None if the text is not an HTTP origin (such
    as `null`), or if it also contains a user, a path or other parts of a URL."""
    scheme, separator, host = text.lower().partition("://")
    found = HOST.fullmatch(host)
    if not separator or scheme not in DEFAULT_PORTS or found is None:
        return None
    port = int(found["port"] or DEFAULT_PORTS[scheme])
    return Origin(scheme, found["name"], port) if 0 < port < 65536 else None


class Site(NamedTuple):
    """The address of the site. `path` is the site's path behind a proxy, such as `/games`, and is
    empty if the site is at the root."""

    origin: Origin
    path: str

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"


def parse_site(text: str) -> Site | None:
    """Parse the address of a site. A slash at its end is ignored. Return None if the address is
    invalid, has a user or a query, or needs escaping in its path."""
    scheme, separator, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    origin, path = parse_origin(scheme + separator + host), (slash + path).removesuffix("/")
    return Site(origin, path) if origin and PATH.fullmatch(path) else None
