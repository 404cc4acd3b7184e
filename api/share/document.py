"""The HTML page behind a shared link. It describes the match for link previews and sends readers on
to the match."""

from __future__ import annotations

from html import escape

from fastapi import Response

from api.static.texts import text

DOCUMENT = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
{head}
<link rel="icon" href="{root}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{root}style.css">
</head>
<body>
<main class="alone" id="main">
<h1>{heading}</h1>
<p>{sentence}</p>
<p><a href="{address}">{label}</a></p>
</main>
</body>
</html>
"""
LOCALES = {"en": "en_US", "fr": "fr_FR", "zh": "zh_CN"}
"""The languages of the page, in the notation of Open Graph."""


def preview(
    language: str, title: str, description: str, url: str, picture: str | None, root: str, address: str
) -> Response:
    """Return a page with a description in Open Graph's format. It sends readers on to `address`.
    `url` is the URL of this page, and `picture` is the URL of its picture. Both are absolute.
    `root` is the relative path to the site's root."""
    site = text(language, "page.title")
    properties = {
        "og:type": "website",
        "og:site_name": site,
        "og:title": title,
        "og:description": description,
        "og:url": url,
        "og:locale": LOCALES[language],
    }
    names = {"description": description, "twitter:card": "summary"}
    if picture is not None:
        properties |= {"og:image": picture, "og:image:type": "image/png", "og:image:alt": description}
        names["twitter:card"] = "summary_large_image"
    head = [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    head += [f'<meta name="{name}" content="{escape(value)}">' for name, value in names.items()]
    head += [
        f'<link rel="canonical" href="{escape(url)}">',
        f'<meta http-equiv="refresh" content="0; url={escape(address)}">',
    ]
    label = text(language, "share.to-match")
    return _html(200, language, f"{title} · {site}", "\n".join(head), title, description, root, address, label)


def not_found(language: str, sentence: str, root: str) -> Response:
    """Return a 404 page with a sentence and a link to the lobby at the site's `root`."""
    title = text(language, "page.title")
    robots = '<meta name="robots" content="noindex">'
    return _html(404, language, title, robots, title, sentence, root, root, text(language, "page.to-lobby"))


def _html(
    status: int,
    language: str,
    title: str,
    head: str,
    heading: str,
    sentence: str,
    root: str,
    address: str,
    label: str,
) -> Response:
    document = DOCUMENT.format(
        language=language,
        title=escape(title),
        head=head,
        heading=escape(heading),
        sentence=escape(sentence),
        root=escape(root),
        address=escape(address),
        label=escape(label),
    )
    return Response(document, status, media_type="text/html", headers={"vary": "accept-language"})
