"""Creates and loads the keys of accounts that Chainboard creates itself. The keys are random, and
are stored in private files in the data folder."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from chainboard.data_folder import write_json
from chainboard.errors import UserError

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount


def load_or_create(folder: Path, role: str) -> LocalAccount:
    """Return the account for a role, such as a computer player. If the role has no key file yet,
    create one with a new key. Raises UserError if the file contains no key."""
    from eth_account import Account

    path = folder / f"{role.lower()}.json"
    try:
        found = json.loads(path.read_text("utf-8"))
        account: LocalAccount = Account.from_key(found["privateKey"])
    except FileNotFoundError:
        return _create(path)
    except OSError as error:
        raise UserError(f"can't read the key file {path}: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError):  # the error's text could contain the key
        raise UserError(
            f"{path} contains no private key. Move the file away, and Chainboard will create a new key"
        ) from None
    return account


def _create(path: Path) -> LocalAccount:
    from eth_account import Account

    key = "0x" + secrets.token_hex(32)
    account: LocalAccount = Account.from_key(key)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_json(path, {"address": account.address, "privateKey": key}, private=True)
    except OSError as error:
        raise UserError(f"can't write the key file {path}: {error.strerror or error}") from error
    return account
