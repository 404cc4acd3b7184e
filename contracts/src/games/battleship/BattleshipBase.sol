// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {Escrow} from "../../Escrow.sol";
import {Bipf} from "./Bipf.sol";
import {FleetCode} from "./FleetCode.sol";
import {IBattleship} from "./IBattleship.sol";
import {Settlement} from "./Settlement.sol";

/// @title The storage of Battleship, and helpers for commitments, shots, reveals and money
/// @dev The lowest 8 bits of `MatchState.game` contain the tile of the shot that waits for its
/// answer. The bits above them contain the settlement.
abstract contract BattleshipBase is IBattleship, Duel {
    /// @dev A match's token and the amount of each player's deposit, in one storage slot.
    struct Stake {
        address token;
        uint96 amount;
    }

    /// @notice The minimum time for the reveals after the end of the shooting, in seconds.
    uint40 public constant REVEAL_WINDOW = 24 hours;
    /// @notice The maximum length of a revealed fleet string, in bytes. Valid strings are shorter.
    /// The contract also accepts longer strings up to this limit, so that it can record their
    /// faults.
    uint256 public constant MAX_SHIPS = 255;
    /// @notice The maximum length of a chat message, in bytes.
    uint256 public constant MAX_MESSAGE = 280;

    uint8 internal constant _NO_TILE = 255;
    uint256 private constant _SETTLEMENT_SHIFT = 8;
    uint256 private constant _HITS_SHIFT = 128;
    uint8 private constant _FALSE_ANSWER = 5;

    mapping(uint48 matchId => Stake stake) internal _stakes;
    mapping(uint256 seatKey => bytes32 commitment) private _commitments;
    /// @dev The commitments that each account has used. The commitments are stored by account, so
    /// that a stranger who copies a commitment doesn't prevent its owner from using it. The copy
    /// gives the stranger no advantage, because a player who doesn't know the fleet can't answer
    /// shots truthfully.
    mapping(address account => mapping(bytes32 commitment => bool used)) private _usedCommitments;
    /// @dev The shots of each player. The lower half of each word contains the tiles of all
    /// answered shots, and the upper half contains the tiles of the hits.
    mapping(uint256 seatKey => uint256 both) private _fired;

    // ---- the bits of MatchState.game

    function _pending(MatchState memory state) internal pure returns (uint8) {
        return uint8(state.game);
    }

    function _settlement(MatchState memory state) internal pure returns (Settlement.State memory) {
        return Settlement.unpack(state.game >> _SETTLEMENT_SHIFT);
    }

    // The shift is a small constant.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _setSettlement(MatchState memory state, Settlement.State memory settlement) internal pure {
        state.game = (Settlement.pack(settlement) << uint104(_SETTLEMENT_SHIFT)) | _NO_TILE;
    }

    /// @dev Reverts with WrongPhase unless the match is in the shooting phase or, if `revealing`,
    /// in the reveal phase. During the shooting, the bits of `MatchState.game` above the tile are
    /// 0.
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

    /// @dev Records the target's answer to a shot.
    /// @return hits the number of the shooter's shots that have been answered as hits
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

    // The lower half of the word is the set of tiles at which the opponent has fired.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Reveals a fleet. Checks that the fleet matches the commitment, that the fleet is valid,
    /// and that its player gave true answers. The answers are true if the answered shots at the
    /// fleet's tiles are exactly the shots that were recorded as hits.
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

    /// @dev Ends the shooting, and starts the time in which the players can reveal their fleets.
    function _endShooting(uint48 matchId, MatchState memory state, uint8 loser, Reason cause)
        internal
        returns (Settlement.State memory settlement)
    {
        settlement.revealing = true;
        settlement.loser = loser;
        settlement.cause = cause;
        state.deadline = uint40(block.timestamp) + (state.clock > REVEAL_WINDOW ? state.clock : REVEAL_WINDOW);
        emit GameOver(matchId, ++state.seq, _playerAt(matchId, loser), cause, state.deadline);
    }

    /// @dev Ends the match.
    /// @param winner the winner's seat + 1, or 0 if there is no winner
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

    /// @dev Reverts if there is a stake and the sender is a session key. Session keys can't spend
    /// money.
    function _requirePayer(address account, uint96 stake) internal view {
        if (stake != 0 && account != msg.sender) revert KeyCantPay(msg.sender);
    }

    /// @return amount the amount, in wei or token units, that the player in this seat can still
    /// withdraw after the match
    function _due(Status status, Settlement.State memory settlement, uint8 seat, uint96 stake)
        internal
        pure
        returns (uint256 amount)
    {
        if (settlement.withdrawn[seat]) return 0;
        if (status == Status.Cancelled) return seat == 0 ? stake : 0;
        if (settlement.winner == 0) return stake;
        return settlement.winner == 1 + seat ? 2 * uint256(stake) : 0;
    }

    // The two halves of the word are the shots and the hits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @inheritdoc IBattleship
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        MatchState memory state = _load(matchId);
        Settlement.State memory settlement = _settlement(state);
        Stake memory stake = _stakes[matchId];
        (shown.seq, shown.status, shown.reason) = (state.seq, state.status, state.reason);
        (shown.ply, shown.clock, shown.deadline) = (state.ply, state.clock, state.deadline);
        (shown.token, shown.stake) = (stake.token, stake.amount);
        (shown.pending, shown.revealing, shown.cause) = (_pending(state), settlement.revealing, settlement.cause);
        (shown.revealed, shown.faults, shown.withdrawn) = (settlement.revealed, settlement.faults, settlement.withdrawn);
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

    /// @dev Combines a match and a seat into one mapping key. A mapping of mappings would cost more
    /// gas, because each access would compute two hashes.
    function _seatKey(uint48 matchId, uint8 seat) private pure returns (uint256) {
        return (uint256(matchId) << 8) | seat;
    }

    /// @dev Returns the number of set bits in the lower 128 bits. Counts the bits in pairs, groups
    /// of four and bytes, in parallel. Then adds up the bytes.
    function _countBits(uint256 bits) private pure returns (uint256) {
        unchecked {
            bits -= (bits >> 1) & 0x55555555555555555555555555555555;
            bits = (bits & 0x33333333333333333333333333333333) + ((bits >> 2) & 0x33333333333333333333333333333333);
            bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f;
            return uint8((bits * 0x01010101010101010101010101010101) >> 120);
        }
    }
}
