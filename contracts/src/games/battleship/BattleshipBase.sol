// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {Escrow} from "../../Escrow.sol";
import {Bipf} from "./Bipf.sol";
import {FleetCode} from "./FleetCode.sol";
import {IBattleship} from "./IBattleship.sol";
import {Settlement} from "./Settlement.sol";

/// @title The part of Battleship below its entry points: commitments, shots, reveals, and amounts
/// due
/// @dev `MatchState.game` holds the tile of the unanswered shot and, in the higher bits, the
/// settlement.
abstract contract BattleshipBase is IBattleship, Duel {
    /// @dev The stake of a match, in one storage slot.
    struct Stake {
        address token;
        uint96 amount;
    }

    /// @notice The minimum time for both reveals after the shooting, in seconds.
    uint40 public constant REVEAL_WINDOW = 24 hours;
    /// @notice The maximum length of a revealed fleet, in bytes. A valid fleet is shorter, but
    /// invalid fleets can be revealed and checked too.
    uint256 public constant MAX_SHIPS = 255;
    /// @notice The maximum length of a chat message, in bytes.
    uint256 public constant MAX_MESSAGE = 280;

    uint8 internal constant _NO_TILE = 255;
    uint256 private constant _SETTLEMENT_SHIFT = 8;
    uint256 private constant _HITS_SHIFT = 128;
    uint8 private constant _FALSE_ANSWER = 5;

    mapping(uint48 matchId => Stake stake) internal _stakes;
    mapping(uint256 seatKey => bytes32 commitment) private _commitments;
    /// @dev The commitments that each account has used. If a stranger copies a commitment, its
    /// owner can still use it. The copy doesn't help the stranger, who can't answer truthfully
    /// without knowing the fleet.
    mapping(address account => mapping(bytes32 commitment => bool used)) private _usedCommitments;
    /// @dev Each shooter's answered shots, as bitmaps of tiles: all shots in the lower half, the
    /// hits in the upper half.
    mapping(uint256 seatKey => uint256 both) private _fired;

    // ---- the bits of MatchState.game

    function _pending(MatchState memory state) internal pure returns (uint8) {
        return uint8(state.game);
    }

    function _settlement(MatchState memory state) internal pure returns (Settlement.State memory) {
        return Settlement.unpack(state.game >> _SETTLEMENT_SHIFT);
    }

    function _setSettlement(MatchState memory state, Settlement.State memory settlement) internal pure {
        state.game = (Settlement.pack(settlement) << uint104(_SETTLEMENT_SHIFT)) | _NO_TILE;
    }

    /// @dev Reverts if the match isn't in the required phase. The bits above the pending tile are 0
    /// until the shooting ends.
    function _requirePhase(uint48 matchId, MatchState memory state, bool revealing) internal pure {
        _requireStatus(matchId, state, Status.Playing);
        bool over = state.game >> _SETTLEMENT_SHIFT != 0;
        if (over != revealing) revert WrongPhase(matchId, over);
    }

    // ---- sealing, answering, revealing

    function _seal(uint48 matchId, MatchState memory state, uint8 seat, address account, bytes32 commitment) internal {
        if (commitment == 0) revert ZeroCommitment();
        bool copied = seat == 1 && commitment == _commitments[_seatKey(matchId, 0)];
        if (copied || _usedCommitments[account][commitment]) revert CommitmentUsed(commitment);
        _usedCommitments[account][commitment] = true;
        _commitments[_seatKey(matchId, seat)] = commitment;
        emit Sealed(matchId, ++state.seq, account, commitment);
    }

    /// @return hits the number of the shooter's shots that were answered as hits
    function _recordAnswer(uint48 matchId, uint8 shooter, uint8 tile, bool hit) internal returns (uint256 hits) {
        uint256 key = _seatKey(matchId, shooter);
        uint256 both = _fired[key] | (1 << tile);
        if (hit) both |= (1 << _HITS_SHIFT) << tile;
        _fired[key] = both;
        return _countBits(both >> _HITS_SHIFT);
    }

    function _hasFired(uint48 matchId, uint8 seat, uint8 tile) internal view returns (bool) {
        return (_fired[_seatKey(matchId, seat)] >> tile) & 1 == 1;
    }

    /// @dev Records a revealed fleet after checking its commitment and all answers. The tiles that
    /// were answered as hits must be exactly the opponent's shots at the fleet's tiles.
    function _reveal(
        uint48 matchId,
        MatchState memory state,
        Settlement.State memory settlement,
        address account,
        string calldata ships,
        bytes32 nonce,
        string calldata message
    ) internal {
        if (bytes(ships).length > MAX_SHIPS) revert TooLong(bytes(ships).length, MAX_SHIPS);
        if (bytes(message).length > MAX_MESSAGE) revert TooLong(bytes(message).length, MAX_MESSAGE);
        uint8 seat = _seatOf(matchId, account);
        if (settlement.revealed[seat]) revert AlreadyRevealed(matchId, account);
        bytes32 computed = Bipf.seal(ships, nonce);
        uint256 key = _seatKey(matchId, seat);
        if (computed != _commitments[key]) revert BadReveal(_commitments[key], computed);

        (uint256 mask, uint8 fault) = FleetCode.parse(bytes(ships));
        uint256 both = _fired[_seatKey(matchId, 1 - seat)];
        if (fault == 0 && uint128(both) & mask != both >> _HITS_SHIFT) fault = _FALSE_ANSWER;
        settlement.revealed[seat] = true;
        settlement.faults[seat] = fault;
        emit Revealed(matchId, ++state.seq, account, bytes(ships), nonce, bytes(message), fault);
    }

    /// @dev Ends the shooting and starts the time for the reveals.
    function _endShooting(
        uint48 matchId,
        MatchState memory state,
        uint8 loser,
        Reason cause
    ) internal returns (Settlement.State memory settlement) {
        settlement.revealing = true;
        settlement.loser = loser;
        settlement.cause = cause;
        state.deadline = uint40(block.timestamp) + (state.clock > REVEAL_WINDOW ? state.clock : REVEAL_WINDOW);
        emit GameOver(matchId, ++state.seq, _playerAt(matchId, loser), cause, state.deadline);
    }

    /// @param winner 1 + the winner's seat; 0 if nobody wins
    function _settle(
        uint48 matchId,
        MatchState memory state,
        Settlement.State memory settlement,
        uint8 winner,
        Reason reason
    ) internal {
        (settlement.revealing, settlement.winner) = (false, winner);
        _end(matchId, state, winner == 0 ? address(0) : _playerAt(matchId, winner - 1), reason);
    }

    // ---- money

    /// @dev Reverts with KeyCantPay if there is a stake and a session key calls: only the account
    /// itself can spend money.
    function _requirePayer(address account, uint96 stake) internal view {
        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);
    }

    /// @return the amount that the seat can still withdraw after the match
    function _due(
        Status status,
        Settlement.State memory settlement,
        uint8 seat,
        uint96 stake
    ) internal pure returns (uint256 amount) {
        if (settlement.withdrawn[seat]) return 0;
        if (status == Status.Cancelled) return seat == 0 ? stake : 0;
        if (settlement.winner == 0) return stake;
        return settlement.winner == 1 + seat ? 2 * uint256(stake) : 0;
    }

    /// @inheritdoc IBattleship
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        MatchState memory state = _load(matchId);
        Settlement.State memory settlement = _settlement(state);
        Stake memory stake = _stakes[matchId];
        (shown.seq, shown.status, shown.reason) = (state.seq, state.status, state.reason);
        (shown.ply, shown.clock, shown.deadline) = (state.ply, state.clock, state.deadline);
        (shown.token, shown.stake) = (stake.token, stake.amount);
        (shown.pending, shown.revealing, shown.cause) = (_pending(state), settlement.revealing, settlement.cause);
        (shown.revealed, shown.faults, shown.withdrawn) = (
            settlement.revealed,
            settlement.faults,
            settlement.withdrawn
        );
        for (uint8 seat; seat < 2; ++seat) {
            shown.players[seat] = _playerAt(matchId, seat);
            shown.commitments[seat] = _commitments[_seatKey(matchId, seat)];
            shown.shots[seat] = uint128(_fired[_seatKey(matchId, seat)]);
            shown.hits[seat] = uint128(_fired[_seatKey(matchId, seat)] >> _HITS_SHIFT);
        }
        if (state.status == Status.Playing && !settlement.revealing) shown.mover = _playerAt(matchId, state.mover);
        if (settlement.cause != Reason.None) shown.loser = _playerAt(matchId, settlement.loser);
        if (settlement.winner != 0) shown.winner = _playerAt(matchId, settlement.winner - 1);
    }

    /// @dev Returns one mapping key for match and seat. A mapping of mappings would hash twice.
    function _seatKey(uint48 matchId, uint8 seat) private pure returns (uint256) {
        return (uint256(matchId) << 8) | seat;
    }

    /// @dev Counts the bits that are set in a 128-bit number. Counts in pairs of bits, in groups of
    /// four and in bytes, and then adds up the bytes.
    function _countBits(uint256 bits) private pure returns (uint256) {
        unchecked {
            bits -= (bits >> 1) & 0x55555555555555555555555555555555;
            bits = (bits & 0x33333333333333333333333333333333) + ((bits >> 2) & 0x33333333333333333333333333333333);
            bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f;
            return uint8((bits * 0x01010101010101010101010101010101) >> 120);
        }
    }
}
