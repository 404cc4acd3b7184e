"""The routes for nicknames. Accounts choose their nicknames and sign them (EIP-712)."""

from __future__ import annotations

import re
import time
import unicodedata
from typing import Any

from fastapi import Request, Response
from limits import RateLimitItemPerHour, RateLimitItemPerMinute
from starlette.concurrency import run_in_threadpool

from api.chain import body
from api.chain.typed_data import is_signed_by
from api.names.skeleton import skeleton
from api.names.spelling import keys_of, normalized_name
from api.problems import Problem, Rejection
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.params import Accounts, AnyNickname
from api.rest.writes import client_of
from api.shapes.nicknames import nickname
from indexer.gamekit import names
from indexer.store.shared.nicknames import Nickname, NicknameBlocked, NicknameSuperseded, NicknameTaken

ALL_PER_MINUTE, CLIENT_PER_HOUR = 120, 20
MAX_AGE_SECONDS, MAX_AHEAD_SECONDS = 3600, 600
"""The maximum number of seconds by which a nickname's `issued` time may lie in the past, and the
maximum for the future."""
SIGNATURE = re.compile("0x[0-9a-fA-F]{64}(?P<s>[0-9a-fA-F]{64})(00|01|1[bBcC])")
MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0
"""The maximum `s` of a signature, which is half the order of secp256k1. All libraries accept
signatures up to this limit: https://eips.ethereum.org/EIPS/eip-2"""
TYPES = {
    "Nickname": [
        {"name": "account", "type": "address"},
        {"name": "name", "type": "string"},
        {"name": "issued", "type": "uint48"},
    ]
}


class NicknameRoutes:
    """The routes at /nicknames. Setting a nickname is limited per network address and in total."""

    def __init__(self, context: Context) -> None:
        self._store, self._limiter = context.store, context.limits.fixed_window()
        self._all = RateLimitItemPerMinute(ALL_PER_MINUTE)
        self._per_client = RateLimitItemPerHour(CLIENT_PER_HOUR)

    def find(self, account: Accounts = (), name: AnyNickname = None) -> Response:
        """Returns the nicknames of accounts, or the nickname that looks like a given name. Names
        look alike if they have the same skeleton (UTS #39). No two accounts have nicknames that
        look alike. Each nickname comes with its account's signature (EIP-712), so that you don't
        have to trust this server. The signature's domain has the name `Chainboard`, the version `1`
        and the chain's id."""
        if bool(account) == (name is not None):
            raise Problem(422, "bad-parameter.accounts-or-name")
        if name is None:
            found = self._store.nicknames.of(account)
        else:
            key = skeleton(unicodedata.normalize("NFKC", name))
            one = self._store.nicknames.find_by_skeleton(key) if key else None
            found = [one] if one else []
        return json_response({"nicknames": [nickname(one) for one in found]})

    async def set_nickname(self, request: Request) -> Response:
        """Sets the nickname of an account, which must have signed it. An empty nickname removes it.
        Sign the name in its stored form, which is Unicode's normal form NFKC without needless
        spaces. `issued` must be less than an hour old and later than the `issued` of the account's
        last nickname. Each network address may send 20 requests per hour."""
        wanted = _parse_request(body.parse(await body.read(request)))
        await run_in_threadpool(_check_name, wanted.name)
        if not await self._limiter.hit(self._per_client, "client", client_of(request)):
            raise Problem(429, "nicknames-too-often", {"n": CLIENT_PER_HOUR}, {"retry-after": "3600"})
        await run_in_threadpool(self._check_signature, wanted)
        # count only signed requests, so that an attacker's invalid requests don't use up the limit
        if not await self._limiter.hit(self._all, "all"):
            raise Problem(429, "nicknames-too-often.all", {"n": ALL_PER_MINUTE}, {"retry-after": "60"})
        await run_in_threadpool(self._store_nickname, wanted)
        return json_response(nickname(wanted))

    def _check_signature(self, wanted: Nickname) -> None:
        with self._store.read() as snapshot:
            chain = snapshot.chain()
        message = {"account": wanted.account, "name": wanted.name, "issued": wanted.issued}
        form = SIGNATURE.fullmatch(wanted.signature)
        is_signed = (
            form
            and int(form["s"], 16) <= MAX_S
            and is_signed_by(wanted.account, chain.chain_id if chain else 0, TYPES, message, wanted.signature)
        )
        if not is_signed:
            raise Problem(403, "nickname-unsigned", {"account": wanted.account})

    def _store_nickname(self, wanted: Nickname) -> None:
        try:
            keys = keys_of(wanted.name) if wanted.name else ()
            self._store.nicknames.store(wanted, skeleton(wanted.name), keys)
        except NicknameBlocked:
            raise Problem(422, "bad-nickname.blocked", {"name": wanted.name}) from None
        except NicknameTaken:
            raise Problem(409, "nickname-taken", {"name": wanted.name}) from None
        except NicknameSuperseded:
            raise Problem(409, "nickname-superseded", {"account": wanted.account}) from None


def _parse_request(payload: Any) -> Nickname:
    """Return the nickname in the request. Raises Problem 422 if the request is invalid, or if it
    was signed too long ago or in the future."""
    match payload:
        case {"account": str(account), "name": str(name), "issued": int(issued), "signature": str(signature)}:
            try:
                account = names.parse_address(account)
            except names.BadName as error:
                raise Problem(422, "bad-parameter", {"why": f"account: {error}."}) from None
        case _:
            raise Problem(422, "bad-parameter.nickname")
    age = time.time() - issued
    if age > MAX_AGE_SECONDS:
        raise Problem(422, "nickname-time.old", {"minutes": MAX_AGE_SECONDS // 60})
    if age < -MAX_AHEAD_SECONDS:
        raise Problem(422, "nickname-time.future", {"minutes": MAX_AHEAD_SECONDS // 60})
    return Nickname(account, name, issued, signature)


def _check_name(name: str) -> None:
    """Check a new name. Raises Problem 422 if the name is invalid, or if the account signed it in a
    form other than the stored form."""
    if not name:
        return
    try:
        normalized = normalized_name(name)
    except Rejection as error:
        raise Problem(422, error.key, error.arguments) from None
    if normalized != name:
        raise Problem(422, "bad-nickname.form", {"name": normalized}, name=normalized)
