"""An MkDocs hook that prevents builds from overwriting other folders, and serves Mermaid from the
site itself.

Material for MkDocs loads Mermaid from another host unless `window.mermaid` exists. The script that
this hook adds sets this variable.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

MERMAID = Path(__file__).parents[2] / "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js"
URL = "assets/javascripts/mermaid.tiny.js"


def on_pre_build(config: MkDocsConfig) -> None:
    """Raise PluginError unless the target folder is empty or contains an older build. MkDocs
    empties the folder before it builds."""
    target = Path(config.site_dir)
    if target.is_dir() and any(target.iterdir()) and not (target / "sitemap.xml").exists():
        raise PluginError(f"{target} is not a site built from docs/. Move it away first.")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, URL, abs_src_path=str(MERMAID)))
    return files


def on_post_page(output: str, page: Page, **_: object) -> str:
    if 'class="mermaid"' not in output:
        return output
    # Mermaid's script is 2.5 MB in size, so only pages with a diagram load it.
    script = f'<script defer src="{get_relative_url(URL, page.url)}"></script>'
    return output.replace("</head>", f"{script}</head>", 1)
