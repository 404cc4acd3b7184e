"""Security headers of responses: the Content-Security-Policy of the page and of its frames, and
similar headers."""

from __future__ import annotations

FRAMES = "/embed/"
"""Other sites may frame the pages below this path."""


_FILE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Policy of files that are not pages. A script may run as a worker, which loads other scripts."""


def security_headers(sockets: str, path: str, *, is_page: bool) -> dict[str, str]:
    """Return the headers of the response at `path`. `sockets` are the URLs of the page's
    websockets, if known."""
    framed = is_page and path.startswith(FRAMES)
    headers = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        # prevents other sites from loading our files to detect that Chainboard runs here
        "cross-origin-resource-policy": "cross-origin" if framed else "same-origin",
    }
    if not is_page:
        return {**headers, "content-security-policy": _FILE_POLICY}
    own = f"{sockets} " if sockets else ""
    policy = _frame_policy(own) if framed else _page_policy(own)
    return {**headers, "content-security-policy": policy, "cross-origin-opener-policy": "same-origin"}


def _page_policy(own: str) -> str:
    return (
        "default-src 'self'; "
        f"connect-src 'self' {own}https: http://127.0.0.1:* http://localhost:*; "
        "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def _frame_policy(own: str) -> str:
    """Return the policy of a framed page: it may only contact this server, and submit nothing."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' {own.strip()}; base-uri 'none'; form-action 'none'; frame-ancestors *"
    )
