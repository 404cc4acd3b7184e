"""A database of a test begins as a copy of one that was migrated once: Alembic takes longer than most tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine

from indexer.store.db.engine import migrate, open_engine, sqlite_file


def from_copy(template: Path) -> Callable[[Engine], None]:
    """What `migrate` does; where there is no file yet, it finds the newest tables in it."""

    def copied_and_migrated(engine: Engine) -> None:
        file = sqlite_file(engine.url.render_as_string(hide_password=False))
        if file and file.parent.is_dir() and not file.exists():
            if not template.exists():
                first = open_engine(f"sqlite:///{template}")
                migrate(first)
                first.dispose()
            try:
                shutil.copyfile(template, file)
            except OSError:  # `migrate` tells what is wrong with the place
                with suppress(OSError):
                    file.unlink()
        migrate(engine)

    return copied_and_migrated
