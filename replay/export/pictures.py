"""Draws boards as pictures for the gateway, in the same way as `chainboard replay --export`."""

from __future__ import annotations

from functools import lru_cache

from api.share.pictures import PictureError
from indexer.model import Json
from replay.errors import ReplayError
from replay.render.css import StyleSheets
from replay.render.node_renderer import NodeRenderer


@lru_cache(maxsize=16)
def _styles(slug: str) -> StyleSheets:
    return StyleSheets(slug)


def draw_picture(slug: str, still_input: Json, language: str) -> bytes:
    """Draw a board as a PNG. This function implements `api.share.pictures.DrawPicture`. Each call
    starts its own Node process. Raises PictureError."""
    from replay.export.raster import png

    try:
        with NodeRenderer(slug, language) as renderer:
            drawing = renderer.svg(still_input)
        return png(_styles(slug).inlined(drawing, still_input["board"].get("status", "")))
    except (ReplayError, ValueError) as error:
        raise PictureError(str(error)) from error
