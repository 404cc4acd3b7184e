"""One HTTP client for all tests, of servers and nodes on this machine only: httpx's own functions read all certificate
authorities anew for each request, which takes longer than the answer. No connection is kept: servers come and go."""

from __future__ import annotations

import httpx

local = httpx.Client(verify=False, trust_env=False, timeout=20, limits=httpx.Limits(max_keepalive_connections=0))
