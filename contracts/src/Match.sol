// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IMatch} from "./IMatch.sol";
import {ISessions} from "./ISessions.sol";

/// @title The part of a game that all games share
/// @dev An entry of a game reads: `_head`, checks, events with `++head.seq`, `_save`. The head of a match is one
/// storage slot: loaded once, counted in memory, stored once. So each entry that changes state must be `nonReentrant`:
/// one that foreign code could re-enter would have its head overwritten and a `seq` doubled.
abstract contract Match is IMatch, ReentrancyGuardTransient {
    /// @dev What the slot of a match holds, from the lowest bits up. Times have 40 bits, enough until the year 36812; a
    /// development chain whose time is set beyond that wraps.
    struct Head {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint8 mover;
        uint24 clock;
        uint40 deadline;
        uint104 game;
    }

    uint256 private constant _STATUS = 32;
    uint256 private constant _REASON = 40;
    uint256 private constant _PLY = 48;
    uint256 private constant _MOVER = 80;
    uint256 private constant _CLOCK = 88;
    uint256 private constant _DEADLINE = 112;
    uint256 private constant _GAME = 152;

    /// @notice The registry of session keys.
    ISessions public immutable SESSIONS;

    uint48 private immutable _FIRST;
    uint48 private _next;
    mapping(uint48 matchId => uint256 packed) private _heads;

    constructor(ISessions sessions, uint48 firstMatch) {
        SESSIONS = sessions;
        _FIRST = firstMatch;
        _next = firstMatch;
    }

    /// @inheritdoc IMatch
    function seqOf(uint48 matchId) external view returns (uint32) {
        return _head(matchId).seq;
    }

    /// @inheritdoc IMatch
    function matchRange() external view returns (uint48 first, uint48 next) {
        return (_FIRST, _next);
    }

    /// @dev Opens a match in memory; the caller saves it.
    function _open(
        address creator,
        address opponent,
        uint24 clock,
        uint48 rematchOf
    ) internal returns (uint48 matchId, Head memory head) {
        matchId = _next++;
        head.status = Status.Open;
        head.clock = clock;
        emit MatchCreated(matchId, ++head.seq, creator, opponent, clock, rematchOf);
    }

    function _start(uint48 matchId, Head memory head) internal {
        head.status = Status.Playing;
        emit MatchStarted(matchId, ++head.seq);
    }

    function _end(uint48 matchId, Head memory head, address winner, Reason reason) internal virtual {
        head.status = reason == Reason.Cancelled ? Status.Cancelled : Status.Finished;
        head.reason = reason;
        emit MatchEnded(matchId, ++head.seq, winner, reason);
    }

    /// @dev For whom the sender acts in this match: direct play asks nobody, so it costs nothing and no registry can stop it.
    function _account(uint48 matchId) internal view returns (address) {
        return _seated(matchId, msg.sender) ? msg.sender : _account();
    }

    /// @dev For whom the sender acts where it can hold no seat yet.
    function _account() internal view returns (address) {
        return SESSIONS.accountOf(msg.sender, address(this));
    }

    /// @dev Whether the account holds a seat in the match.
    function _seated(uint48 matchId, address account) internal view virtual returns (bool);

    function _head(uint48 matchId) internal view returns (Head memory head) {
        uint256 packed = _heads[matchId];
        if (packed == 0) revert NoSuchMatch(matchId);
        head.seq = uint32(packed);
        head.status = Status(uint8(packed >> _STATUS));
        head.reason = Reason(uint8(packed >> _REASON));
        head.ply = uint32(packed >> _PLY);
        head.mover = uint8(packed >> _MOVER);
        head.clock = uint24(packed >> _CLOCK);
        head.deadline = uint40(packed >> _DEADLINE);
        head.game = uint104(packed >> _GAME);
    }

    function _save(uint48 matchId, Head memory head) internal {
        _heads[matchId] =
            uint256(head.seq) |
            (uint256(head.status) << _STATUS) |
            (uint256(head.reason) << _REASON) |
            (uint256(head.ply) << _PLY) |
            (uint256(head.mover) << _MOVER) |
            (uint256(head.clock) << _CLOCK) |
            (uint256(head.deadline) << _DEADLINE) |
            (uint256(head.game) << _GAME);
    }

    function _need(uint48 matchId, Head memory head, Status needed) internal pure {
        if (head.status != needed) revert WrongStatus(matchId, head.status, needed);
    }
}
