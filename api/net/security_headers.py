"""What a browser may do with an answer: the Content-Security-Policy of the page and of its frames, and the like."""

from __future__ import annotations

FRAMES = "/embed/"
"""Below it are the pages that others may frame."""


_FILE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Of what is no page: a script may be a worker's, which loads others."""


def security_headers(sockets: str, path: str, *, is_page: bool) -> dict[str, str]:
    """Those of an answer below `path`. `sockets`: where the page's own websockets are, if that is known."""
    framed = is_page and path.startswith(FRAMES)
    headers = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        # no other site can load a file of ours and so see that Chainboard runs here
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
    """A page in a frame of others asks this server alone, and sends nothing anywhere."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' {own.strip()}; base-uri 'none'; form-action 'none'; frame-ancestors *"
    )
