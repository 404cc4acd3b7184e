// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IMatch} from "./IMatch.sol";
import {ISessions} from "./ISessions.sol";

/// @title The base of all games, which loads and saves the state of a match
/// @dev Every entry point of a game calls `_load`, checks the call, emits events with `++state.seq`
/// and calls `_save`. A match's state fills one storage slot, which the entry point reads once and
/// writes once. Every entry point that changes state must therefore be `nonReentrant`. If foreign
/// code reentered the game, the outer call would afterwards overwrite the inner call's state and
/// use a `seq` twice.
abstract contract Match is IMatch, ReentrancyGuardTransient {
    /// @dev The contents of a match's storage slot, from the lowest bits up. Times are in seconds
    /// since 1970, with 40 bits, which are enough until the year 36812. If a development chain's
    /// clock is set to a later time, the stored times wrap around.
    struct MatchState {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint8 mover;
        uint24 clock;
        uint40 deadline;
        uint104 game;
    }

    uint256 private constant _STATUS_SHIFT = 32;
    uint256 private constant _REASON_SHIFT = 40;
    uint256 private constant _PLY_SHIFT = 48;
    uint256 private constant _MOVER_SHIFT = 80;
    uint256 private constant _CLOCK_SHIFT = 88;
    uint256 private constant _DEADLINE_SHIFT = 112;
    uint256 private constant _GAME_SHIFT = 152;

    /// @notice The registry of session keys that this game uses.
    ISessions public immutable SESSIONS;

    uint48 private immutable _FIRST_MATCH;
    uint48 private _nextMatch;
    mapping(uint48 matchId => uint256 packed) private _states;

    constructor(ISessions sessions, uint48 firstMatch) {
        SESSIONS = sessions;
        _FIRST_MATCH = firstMatch;
        _nextMatch = firstMatch;
    }

    /// @inheritdoc IMatch
    function seqOf(uint48 matchId) external view returns (uint32) {
        return _load(matchId).seq;
    }

    /// @inheritdoc IMatch
    function matchRange() external view returns (uint48 first, uint48 next) {
        return (_FIRST_MATCH, _nextMatch);
    }

    /// @dev Opens a match in memory. The calling function must save the match.
    function _open(address creator, address opponent, uint24 clock, uint48 rematchOf)
        internal
        returns (uint48 matchId, MatchState memory state)
    {
        matchId = _nextMatch++;
        state.status = Status.Open;
        state.clock = clock;
        emit MatchCreated(matchId, ++state.seq, creator, opponent, clock, rematchOf);
    }

    function _start(uint48 matchId, MatchState memory state) internal {
        state.status = Status.Playing;
        emit MatchStarted(matchId, ++state.seq);
    }

    function _end(uint48 matchId, MatchState memory state, address winner, Reason reason) internal virtual {
        state.status = reason == Reason.Cancelled ? Status.Cancelled : Status.Finished;
        state.reason = reason;
        emit MatchEnded(matchId, ++state.seq, winner, reason);
    }

    /// @dev Returns the account that the sender acts for in this match. If the sender holds a seat
    /// itself, the function doesn't call the registry. Play without session keys therefore costs no
    /// extra gas, and no registry can block it.
    function _account(uint48 matchId) internal view returns (address) {
        return _isSeated(matchId, msg.sender) ? msg.sender : _account();
    }

    /// @dev Returns the account that the sender acts for, according to the registry of session
    /// keys. Use this overload if the sender can't hold a seat yet.
    function _account() internal view returns (address) {
        return SESSIONS.accountOf(msg.sender, address(this));
    }

    /// @dev Returns true if the account holds a seat in the match.
    function _isSeated(uint48 matchId, address account) internal view virtual returns (bool);

    // A field ends where its type ends, so a conversion cuts off only the fields above it.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _load(uint48 matchId) internal view returns (MatchState memory state) {
        uint256 packed = _states[matchId];
        if (packed == 0) revert NoSuchMatch(matchId);
        state.seq = uint32(packed);
        state.status = Status(uint8(packed >> _STATUS_SHIFT));
        state.reason = Reason(uint8(packed >> _REASON_SHIFT));
        state.ply = uint32(packed >> _PLY_SHIFT);
        state.mover = uint8(packed >> _MOVER_SHIFT);
        state.clock = uint24(packed >> _CLOCK_SHIFT);
        state.deadline = uint40(packed >> _DEADLINE_SHIFT);
        state.game = uint104(packed >> _GAME_SHIFT);
    }

    function _save(uint48 matchId, MatchState memory state) internal {
        _states[matchId] = uint256(state.seq) | (uint256(state.status) << _STATUS_SHIFT)
            | (uint256(state.reason) << _REASON_SHIFT) | (uint256(state.ply) << _PLY_SHIFT)
            | (uint256(state.mover) << _MOVER_SHIFT) | (uint256(state.clock) << _CLOCK_SHIFT)
            | (uint256(state.deadline) << _DEADLINE_SHIFT) | (uint256(state.game) << _GAME_SHIFT);
    }

    function _requireStatus(uint48 matchId, MatchState memory state, Status needed) internal pure {
        if (state.status != needed) revert WrongStatus(matchId, state.status, needed);
    }
}
