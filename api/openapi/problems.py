"""One example of each problem, for the OpenAPI document. Tests compare the examples with the
problems in the code."""

from __future__ import annotations

from api.problems import Problem
from api.shapes.fields import ALICE
from api.shapes.fields import example_hash as _hash

RETRY_SOON, RETRY_IN_A_MINUTE = {"retry-after": "1"}, {"retry-after": "60"}
_PROBLEMS = [
    Problem(400, "bad-cursor"),
    Problem(400, "malformed-json", {"why": "unexpected character: line 1 column 2 (char 1)"}),
    Problem(400, "bad-index", {"match": "conquest/7", "commands": 12, "from": 13}, commands=12),
    Problem(403, "command-refused", {"error": "NotYourLand", "why": "Land 13 is not yours."}, error="NotYourLand"),
    Problem(403, "other-seat", {"seat": 1, "match": "conquest/7", "player": ALICE}),
    Problem(403, "unknown-host", {"host": "example.org"}),
    Problem(403, "foreign-origin", {"origin": "https://example.org"}),
    Problem(403, "sponsor-withheld.elsewhere", {"tx": _hash("e1")}),
    Problem(403, "nickname-unsigned", {"account": ALICE}),
    Problem(404, "not-found", {"path": "/api/nothing"}),
    Problem(404, "unknown-game", {"game": "poker", "games": "chess, go"}, games=["chess", "go"]),
    Problem(404, "unknown-match", {"match": "chess/99"}),
    Problem(404, "unknown-seq", {"match": "chess/7", "last": 5, "seq": 6}, last=5),
    Problem(404, "no-map", {"match": "conquest/7", "seq": 2}),
    Problem(404, "unknown-abi", {"hash": _hash("5f")}),
    Problem(404, "unknown-block", {"block": "5000", "last": 120}, last=120),
    Problem(404, "no-faucet"),
    Problem(404, "no-sponsor", {"coin": "ETH"}),
    Problem(404, "no-opponents"),
    Problem(404, "unknown-opponent", {"game": "chess", "name": "fischer", "names": "novice, club"},
            names=["novice", "club"]),
    Problem(405, "method-not-allowed", {"method": "POST", "path": "/api/health", "allow": "GET"}, {"allow": "GET"}),
    Problem(409, "stale-cursor", {"height": 120, "hash": _hash("5f")}, block={"height": 120, "hash": _hash("5f")}),
    Problem(409, "match-not-open", {"match": "chess/7", "status": "playing"}),
    Problem(409, "seat-reserved", {"match": "chess/7", "players": ALICE}),
    Problem(409, "seat-refused.trouble", {"name": "club", "why": "AlreadyPlaying()"}),
    Problem(409, "nickname-taken", {"name": "Ann of Aran"}),
    Problem(409, "nickname-superseded", {"account": ALICE}),
    Problem(413, "body-too-large", {"maximum": 131072}, maximum=131072),
    Problem(415, "not-json", {"type": "text/plain"}),
    Problem(422, "bad-parameter", {"why": "limit: Input should be less than or equal to 100."},
            errors=[{"in": "query", "name": "limit", "detail": "Input should be less than or equal to 100"}]),
    Problem(422, "bad-nickname.short", {"shortest": 3, "longest": 20}),
    Problem(422, "nickname-time.old", {"minutes": 60}),
    Problem(429, "too-much.calls", {"n": 3000, "seconds": 10}, RETRY_SOON),
    Problem(429, "too-many-connections", {"n": 100}, RETRY_SOON),
    Problem(429, "faucet-too-often", {"address": ALICE}, RETRY_IN_A_MINUTE),
    Problem(429, "faucet-busy", {"n": 120}, RETRY_IN_A_MINUTE),
    Problem(429, "sponsor-spent.day", {"ether": "0.01", "coin": "ETH"}, {"retry-after": "3600"}),
    Problem(429, "sponsor-busy", {"n": 20}, RETRY_IN_A_MINUTE),
    Problem(429, "opponents-too-often", {"n": 30}, RETRY_IN_A_MINUTE),
    Problem(429, "nicknames-too-often", {"n": 20}, {"retry-after": "3600"}),
    Problem(500, "internal-error", {"path": "/api/matches"}),
    Problem(503, "not-ready.draining", headers=RETRY_SOON),
    Problem(503, "unreadable", headers=RETRY_SOON),
    Problem(503, "node-lost"),
    Problem(503, "faucet-away"),
    Problem(503, "faucet-empty"),
    Problem(503, "faucet-refused", {"why": "nonce too low"}),
    Problem(503, "sponsor-away", headers={"retry-after": "10"}),
    Problem(503, "sponsor-unable.empty", headers=RETRY_IN_A_MINUTE),
    Problem(503, "opponents-busy", {"limit": 50}),
    Problem(503, "opponents-away"),
    Problem(503, "opponents-broke.budget"),
    Problem(503, "busy"),
    Problem(503, "no-picture"),
]  # fmt: skip
PROBLEMS = {one.code: one for one in _PROBLEMS}
"""The example problems. The key is the problem's `code`."""
