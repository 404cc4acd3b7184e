"""Where the page's files are: in the wheel beside this module, in a checkout at the top."""

from pathlib import Path

HERE = Path(__file__).parent


def folder() -> Path:
    """The folder with index.html."""
    packed = HERE / "frontend-static"
    return packed if packed.is_dir() else HERE.parent / "frontend-static"
