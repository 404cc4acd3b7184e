"""The security headers of responses. They include the Content-Security-Policy for the page and for
frames on other sites."""

from __future__ import annotations

FRAMES = "/embed/"
"""The path below which other sites may show our pages in frames."""


_FILE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy for files that are not pages. It must allow scripts, because a script can run as a
worker, which loads other scripts."""


def security_headers(sockets: str, path: str, *, is_page: bool) -> dict[str, str]:
    """Return the headers for the response at `path`. `sockets` contains the URLs of the page's
    websockets if they are known, and is empty otherwise."""
    framed = is_page and path.startswith(FRAMES)
    headers = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        # without this header, other sites could load our files to detect that Chainboard runs here
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
    """Return the policy for a framed page, which may contact only this server and submit
    nothing."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' {own.strip()}; base-uri 'none'; form-action 'none'; frame-ancestors *"
    )
