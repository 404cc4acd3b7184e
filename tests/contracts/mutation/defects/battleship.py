"""Defects to plant in Battleship: the cheats that the game's rules list (section 2.6), and other
defects that the contract or its escrow could have."""

# ruff: noqa: E501

from tests.contracts.mutation.defects.types import Defects

DEFECTS: Defects = {
    "01a": (
        "rows are as long as the grid is high",
        [("    uint256 private constant _WIDTH = 9;\n    uint256 private constant _HEIGHT = 11;", "    uint256 private constant _WIDTH = 11;\n    uint256 private constant _HEIGHT = 11;")],
    ),
    "01b": (
        "ships that run down do so in steps of 11",
        [("_COLUMN = 0x1008040201;", "_COLUMN = 0x100200400801;")],
    ),
    "02a": (
        "a ship can wrap into the next row",
        [("(tile % _WIDTH) + length > _WIDTH)", "tile + length > TILES)")],
    ),
    "02b": (
        "the row of a tile is the tile's number divided by 11",
        [("down ? tile / _WIDTH + length", "down ? tile / _HEIGHT + length")],
    ),
    "02c": (
        "two strings encode the same fleet because leading zeros are allowed",
        [("        if (tile == 0) return (0, 0);\n", "")],
    ),
    "02d": (
        "ships can overlap",
        [("        if (overlap) return (0, OVERLAP);\n", "")],
    ),
    "02e": (
        "each letter must occur, but can occur more than once",
        [("if (seen != _SHIP_LETTERS || shipCount != _SHIP_COUNT)", "if (seen != _SHIP_LETTERS)")],
    ),
    "03a": (
        "the string's tag always has one byte",
        [("bytes memory tag = _varint(length << 3);", "bytes memory tag = bytes.concat(bytes1(uint8(length << 3)));")],
    ),
    "03b": (
        "the ships and the nonce are concatenated without an encoding",
        [("return sha256(bytes.concat(_varint((body << 3) | _LIST), tag, bytes(ships), _NONCE_TAG, nonce));", "body;\n        return sha256(bytes.concat(bytes(ships), nonce));")],
    ),
    "04a": (
        "the opponent's commitment can be copied",
        [("if (copied || _usedCommitments[account][commitment]) revert", "if (_usedCommitments[account][commitment]) revert")],
    ),
    "04b": (
        "a commitment can be used again when its match is over",
        [("        (settlement.revealing, settlement.winner) = (false, winner);\n", "        (settlement.revealing, settlement.winner) = (false, winner);\n        for (uint8 seat; seat < 2; ++seat) _usedCommitments[_playerAt(matchId, seat)][_commitments[_seatKey(matchId, seat)]] = false;\n")],
    ),
    "04c": (
        "a commitment that a stranger has copied counts as used",
        [
            ("if (copied || _usedCommitments[account][commitment]) revert", "if (copied || _usedCommitments[address(0)][commitment]) revert"),
            ("        _usedCommitments[account][commitment] = true;", "        _usedCommitments[address(0)][commitment] = true;"),
        ],
    ),
    "04d": ("a player doesn't need to seal a fleet", [("        if (commitment == 0) revert ZeroCommitment();\n", "")]),
    "05a": (
        "a reveal is not compared with the commitment",
        [("        if (computed != _commitments[key]) revert BadReveal(", "        if (computed == 0) revert BadReveal(")],
    ),
    "05b": (
        "a player can reveal the fleet in the opponent's commitment",
        [("        if (computed != _commitments[key]) revert", "        if (computed != _commitments[key] && computed != _commitments[_seatKey(matchId, 1 - seat)]) revert")],
    ),
    "06a": (
        "a player can reveal twice",
        [("        if (settlement.revealed[seat]) revert AlreadyRevealed(matchId, account);\n", "")],
    ),
    "06b": (
        "a player can reveal before the shooting is over",
        [("        _requirePhase(matchId, state, true);", "        _requireStatus(matchId, state, Status.Playing);")],
    ),
    "06c": (
        "players can still shoot after a surrender",
        [("        _requirePhase(matchId, state, false);\n        address account = _requireTurn(", "        _requireStatus(matchId, state, Status.Playing);\n        address account = _requireTurn(")],
    ),
    "07a": (
        "a pending shot is compared with the fleet",
        [("uint128(both) & mask != both", "(uint128(both) | (_pending(state) < 99 ? 1 << _pending(state) : 0)) & mask != both")],
    ),
    "07b": (
        "a hit that was answered as a miss goes unnoticed",
        [("uint128(both) & mask != both >> _HITS_SHIFT", "(both >> _HITS_SHIFT) & mask != both >> _HITS_SHIFT")],
    ),
    "07c": (
        "water that was answered as a hit goes unnoticed",
        [("uint128(both) & mask != both >> _HITS_SHIFT", "uint128(both) & mask != (both >> _HITS_SHIFT) & mask")],
    ),
    "08a": (
        "the match continues after answers that can't all be true",
        [("hits + FleetCode.TILES - shots < FleetCode.OCCUPIED", "shots > FleetCode.TILES")],
    ),
    "08b": ("all shots are counted as hits", [("if (hits == FleetCode.OCCUPIED)", "if (shots == FleetCode.OCCUPIED)")]),
    "09a": (
        "a player can fire at the same tile again",
        [("        if (_hasFired(matchId, seat, tile)) revert TileTaken(tile);\n", "")],
    ),
    "09b": ("the grid has a tile 99", [("if (tile >= FleetCode.TILES)", "if (tile > FleetCode.TILES)")]),
    "10a": (
        "either player can move at any time",
        [("            if (account != mover) revert NotYourTurn(matchId, account, mover);\n", "")],
    ),
    "10b": (
        "a move is valid in any position",
        [("        }\n        if (ply != state.ply) revert StaleMove(state.ply, ply);", "        }")],
    ),
    "10c": (
        "an answer is valid for any shot",
        [("        if (answeredTile != pending) revert StaleMove(pending, answeredTile);\n", "")],
    ),
    "11a": (
        "anybody can take a seat that is reserved for a named player",
        [("        else if (account != invited) revert NotInvited(matchId, account, invited);\n", "        else _players[matchId][seat] = account;\n")],
    ),
    "11b": ("a match with a stake can have no clock", [("stake == 0 ? 0 : MIN_STAKE_CLOCK", "0")]),
    "12": ("the contract keeps ether that exceeds the stake", [("if (msg.value != amount) revert BadDeposit(token, amount, msg.value);", "if (msg.value < amount) revert BadDeposit(token, amount, msg.value);")]),
    "13a": (
        "a session key can pay",
        [("        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);\n", "        account; stake; msg.sender;\n")],
    ),
    "13b": (
        "an account without a seat withdraws the second player's money",
        [("        if (!_isSeated(matchId, msg.sender)) revert NotAPlayer(matchId, msg.sender);\n", "")],
    ),
    "13c": (
        "an invited key takes the seat for itself",
        [("= _stakes[matchId];\n        address account = _account();", "= _stakes[matchId];\n        address account = _account(matchId);")],
    ),
    "14a": ("the contract doesn't store that it has paid", [("        settlement.withdrawn[seat] = true;\n", "")]),
    "14b": (
        "withdraw has no lock",
        [("function withdraw(uint48 matchId) external nonReentrant {", "function withdraw(uint48 matchId) external {")],
    ),
    "15a": (
        "a player who has surrendered wins when the opponent is silent",
        [("state.cause == IMatch.Reason.Won ? 1 + loser : 0", "1 + loser")],
    ),
    "15b": (
        "the declared winner wins even when silent",
        [("state.cause == IMatch.Reason.Won ? 1 + loser : 0", "state.cause == IMatch.Reason.Won ? 1 + other : 0")],
    ),
    "15c": (
        "the declared loser wins instead of the declared winner",
        [("            return (1 + other, _hasInvalidReveal(state, loser)", "            return (1 + loser, _hasInvalidReveal(state, loser)")],
    ),
    "15d": ("the window to reveal is as short as the clock", [("state.clock > REVEAL_WINDOW ? state.clock : REVEAL_WINDOW", "uint40(state.clock)")]),
    "16a": (
        "deposits are not measured",
        [("        if (received != amount) revert BadDeposit(token, amount, received);\n", "        received;\n")],
    ),
    "16b": (
        "payments are not measured",
        [("        if (paid != amount) revert BadPayment(token, amount, paid);\n", "        paid;\n")],
    ),
    "16c": (
        "a token's return value is not checked",
        [("            success := and(success, or(iszero(size), and(eq(size, 0x20), eq(mload(0x00), 1))))\n", "            size := 0\n")],
    ),
    "16d": (
        "claimTimeout has no lock",
        [
            ("    function claimTimeout(uint48 matchId) external nonReentrant {", "    function claimTimeout(uint48 matchId) external {"),
        ],
    ),
}  # fmt: skip
