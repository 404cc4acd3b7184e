"""The accounts with which this program signs transactions. Their keys come from an environment
variable or a keystore file, never from the command line."""

from __future__ import annotations

import getpass
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chainboard.chain.dev_keys import load_or_create
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.node.client import Node, NodeError, NodeUnavailable
from transactions.retry import with_retries

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

DEVELOPMENT_BALANCE = 10**24  # a million ether, in wei


async def signer(role: str, node: Node, settings: Settings) -> LocalAccount:
    """Return the account that signs for a role (DEPLOYER or FAUCET). It is the user's own account
    if the user has configured one. Otherwise, on a development chain, it is an account from the
    data folder, which gets ether. Raises UserError if there is neither."""
    own = named_signer(role)
    if own is not None:
        return own
    if not settings.development:
        raise UserError(
            f"a signing key is missing: set CHAINBOARD_{role}_KEYSTORE to a keystore file, set CHAINBOARD_{role}_KEY "
            "to a private key, or use --dev if this is a development chain"
        )
    return await _funded(role, node, load_or_create(settings.keys, role))


def named_signer(role: str) -> LocalAccount | None:
    """Return the account that the user has configured for a role, or None if there is none. Raises
    UserError if its key can't be read."""
    from eth_account import Account

    key, keystore = os.environ.get(f"CHAINBOARD_{role}_KEY"), os.environ.get(f"CHAINBOARD_{role}_KEYSTORE")
    try:
        if key:
            return _from_key(key)
        if keystore:
            return _from_key(Account.decrypt(json.loads(Path(keystore).read_text()), _password(role)))
    except (OSError, ValueError, TypeError, KeyError) as error:
        name = f"CHAINBOARD_{role}_KEY" + ("" if key else "STORE")
        raise UserError(
            f"{name} doesn't contain a usable key: {'it is not 32 bytes as hex' if key else error}"
        ) from None
    return None


def _password(role: str) -> str:
    password = os.environ.get(f"CHAINBOARD_{role}_PASSWORD")
    if password is None and not sys.stdin.isatty():
        raise UserError(f"the keystore's password is missing: set CHAINBOARD_{role}_PASSWORD")
    return password if password is not None else getpass.getpass(f"Password of the {role.lower()} keystore: ")


def _from_key(key: object) -> LocalAccount:
    from eth_account import Account

    local: LocalAccount = Account.from_key(key)
    return local


async def _funded(role: str, node: Node, found: LocalAccount) -> LocalAccount:
    try:
        await with_retries(lambda: node.request("hardhat_setBalance", (found.address, hex(DEVELOPMENT_BALANCE))))
    except NodeUnavailable as error:
        raise UserError(str(error)) from error
    except NodeError as error:
        raise UserError(
            f"this node can't give ether to the {role.lower()} ({error.message}): "
            f"set CHAINBOARD_{role}_KEY to the key of an account with ether"
        ) from error
    return found
