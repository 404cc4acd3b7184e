"""The data folder: its lock, its JSON files, and the archive of old data. No command deletes old
data."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from filelock import FileLock, Timeout

from chainboard.errors import UserError
from chainboard.settings import Settings

SHARED, PRIVATE, PRIVATE_FOLDER = 0o666, 0o600, 0o700
"""The permissions of shared files, private files and private folders, before the umask applies."""
START_OVER = "To start over, run `chainboard reset`, which archives the folder's data"


@contextmanager
def folder_lock(settings: Settings) -> Iterator[None]:
    """Make this process the only process that writes to the data folder. Raises UserError if
    another process already does."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        lock = FileLock(settings.data / "lock", timeout=0)
        lock.acquire()
    except Timeout:
        running = read_json(settings.running) or {}
        where = f" (it serves {running['page']})" if "page" in running else ""
        raise UserError(
            f"the data folder {settings.data} is in use by another chainboard{where}: "
            "stop it, or choose a different folder with --data"
        ) from None
    except OSError as error:
        raise UserError(f"can't write to the data folder {settings.data}: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()


def read_json(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in a file, or None if the file doesn't exist. Raises UserError if the
    file contains anything other than a JSON object."""
    try:
        value = orjson.loads(path.read_bytes())  # orjson doesn't recurse, so the depth of nesting doesn't matter
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read {path}: {error}. {START_OVER}") from error
    if not isinstance(value, dict):
        raise UserError(f"{path} doesn't contain a JSON object. {START_OVER}")
    return value


def running_node(settings: Settings) -> str | None:
    """Return the URL of the node that this folder's `up` uses, or None if `up` isn't running."""
    node: str | None = (read_json(settings.running) or {}).get("node")
    return node


def running_urls(settings: Settings) -> tuple[str, ...]:
    """Return a tuple with the URL of the node that this folder's `up` uses. Raises UserError if
    `up` isn't running."""
    node = running_node(settings)
    if node is None:
        raise UserError(
            f"`chainboard up` isn't running in {settings.data}, so the node is unknown. Start it, or set --rpc "
            "to a node on the database's chain"
        )
    return (node,)


def write_json(path: Path, value: dict[str, Any], private: bool = False) -> None:
    write_atomically(path, json.dumps(value, indent=1).encode(), private=private)


def write_atomically(path: Path, content: bytes, keep: Path | None = None, private: bool = False) -> None:
    """Write a file atomically. A kill at any time leaves either the old file or the new file. If
    `keep` is given, the old file is moved to this path. If `private` is True, only this user can
    ever read the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE if private else SHARED), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if keep is not None and path.exists():
        path.replace(keep)
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # write the file's new name to disk, too
    finally:
        os.close(folder)


def archive(settings: Settings, paths: Iterable[Path]) -> Path | None:
    """Move the files in `paths` that exist to a new folder whose name contains the date. Return
    this folder, or None if none of the files exist."""
    found = [path for path in paths if path.exists()]
    if not found:
        return None
    target = archive_folder(settings)
    target.mkdir(parents=True)
    for path in found:
        path.rename(target / path.name)
    return target


def back_up(settings: Settings, path: Path) -> Path:
    """Copy a file to a new folder whose name contains the date. Return this folder."""
    target = archive_folder(settings)
    target.mkdir(parents=True)
    shutil.copy2(path, target / path.name)
    return target


def archive_folder(settings: Settings) -> Path:
    """Return the path of a folder for old data. Its name contains the date. The folder doesn't
    exist yet."""
    return settings.data / "aside" / datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")


def existing_database(settings: Settings) -> Path | None:
    """Return the path of the SQLite file, or None for a database server. Raises UserError if the
    file doesn't exist."""
    file = settings.database_file
    if file is not None and not file.exists():
        raise UserError(f"there is no database at {file}: run `chainboard up` or `chainboard index` first")
    return file


def database_files(settings: Settings) -> list[Path]:
    """Return the paths of the SQLite file and of its companion files. Return an empty list for a
    database server."""
    return sqlite_files(settings.database_file) if settings.database_file else []


def sqlite_files(file: Path) -> list[Path]:
    """Return the paths of a SQLite file and of the companions that SQLite stores next to it."""
    return [file.with_name(file.name + end) for end in ("", "-wal", "-shm")]
