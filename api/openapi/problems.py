"""One of each problem, for the OpenAPI document. Tests hold them to the code."""

from __future__ import annotations

from api.problems import Problem
from api.shapes.fields import ALICE
from api.shapes.fields import example_hash as _hash

ONCE, MINUTE = {"retry-after": "1"}, {"retry-after": "60"}
_FOUND = [
    Problem(400, "bad-cursor", "The cursor belongs to another query. Leave it out to begin anew, or send it with the "
            "query that it came from."),
    Problem(400, "malformed-json", "The body is not JSON: unexpected character: line 1 column 2 (char 1)."),
    Problem(400, "bad-index", "conquest/7 has 12 commands; `from` is at most that, not 13.", commands=12),
    Problem(403, "command-refused", "Land 13 is not yours.", error="NotYourLand"),
    Problem(403, "other-seat", f"The seat 1 of conquest/7 is not that of {ALICE}."),
    Problem(403, "unknown-host", "This server does not answer to the host 'example.org'."),
    Problem(403, "foreign-origin", "Pages of 'https://example.org' may not use this server."),
    Problem(404, "not-found", "There is nothing at /api/nothing."),
    Problem(404, "unknown-game", "There is no game 'poker'; the games: chess, go.",
            games=["chess", "go"]),
    Problem(404, "unknown-match", "There is no match chess/99."),
    Problem(404, "unknown-seq", "chess/7 has the events 1 to 5, not 6.", last=5),
    Problem(404, "no-map", "conquest/7 has no map yet after its event 2."),
    Problem(404, "unknown-block", "Block 5000 is not indexed; the last one is 120.", last=120),
    Problem(404, "no-faucet", "There is no faucet here: this is not a development chain."),
    Problem(404, "no-opponents", "There are no opponents here."),
    Problem(404, "unknown-opponent", "chess has no opponent 'fischer'; there are novice, club.",
            names=["novice", "club"]),
    Problem(405, "method-not-allowed", "POST is not possible at /api/health; possible: GET.", {"allow": "GET"}),
    Problem(409, "stale-cursor", f"The cursor stands in block 120 ({_hash('5f')}), which a reorg took. Leave it out to "
            "begin anew.", block={"height": 120, "hash": _hash("5f")}),
    Problem(409, "match-not-open", "chess/7 is playing; an opponent takes a seat only while a match is open."),
    Problem(409, "seat-reserved", f"The free seat of chess/7 is for {ALICE} alone."),
    Problem(409, "seat-refused", "The chain refused the opponent's seat: AlreadyPlaying()."),
    Problem(413, "body-too-large", "The body may have at most 131072 bytes.", maximum=131072),
    Problem(415, "not-json", "The body must be application/json, not 'text/plain'."),
    Problem(422, "bad-parameter", "limit: Input should be less than or equal to 100.",
            errors=[{"in": "query", "name": "limit", "detail": "Input should be less than or equal to 100"}]),
    Problem(429, "too-much", "At most 3000 calls of one address in 10 seconds.", ONCE),
    Problem(429, "too-many-connections", "At most 100 connections of one address at a time.", ONCE),
    Problem(429, "faucet-too-often", f"The faucet gives to {ALICE} once a minute.", MINUTE),
    Problem(429, "faucet-busy", "The faucet gives 120 times a minute in all.", MINUTE),
    Problem(429, "opponents-too-often", "Opponents are asked at most 30 times a minute by one network address.",
            MINUTE),
    Problem(500, "internal-error", "The server failed at /api/matches; its log says more."),
    Problem(503, "unreadable", "The database can't be read at the moment.", ONCE),
    Problem(503, "node-lost", "The faucet can't reach the chain's node."),
    Problem(503, "faucet-empty", "The faucet has given away all that it may."),
    Problem(503, "faucet-refused", "The chain refused the faucet's transaction: nonce too low."),
    Problem(503, "opponents-busy", "All 50 boards are taken; ask again in a few minutes."),
    Problem(503, "opponents-away", "The opponents are away just now."),
    Problem(503, "opponents-broke", "The opponents have spent today's budget."),
    Problem(503, "busy", "Too many boards are being drawn; try again soon."),
    Problem(503, "no-picture", "The picture can't be drawn."),
]  # fmt: skip
PROBLEMS = {one.code: one for one in _FOUND}
"""By their codes."""
