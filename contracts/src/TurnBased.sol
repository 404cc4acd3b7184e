// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "./ITurnBased.sol";
import {Match} from "./Match.sol";

/// @title The part of a game with seats and turns that such games share
/// @dev `MatchState.mover` is the seat to move.
abstract contract TurnBased is ITurnBased, Match {
    /// @notice The longest clock, in seconds.
    uint24 public constant MAX_CLOCK = 30 days;

    /// @dev While a match is open, a seat holds who is invited too; the zero address for anyone.
    mapping(uint48 matchId => mapping(uint8 seat => address account)) internal _players;

    /// @dev Refuses a stale ply, then anybody but the player to move. Costs one read when the mover sends it himself.
    function _turn(uint48 matchId, MatchState memory state, uint32 ply) internal view returns (address mover) {
        mover = _players[matchId][state.mover];
        if (msg.sender != mover) {
            address account = _player(matchId);
            if (ply != state.ply) revert StaleMove(state.ply, ply);
            if (account != mover) revert NotYourTurn(matchId, account, mover);
        }
        if (ply != state.ply) revert StaleMove(state.ply, ply);
    }

    /// @dev No clock runs any more.
    function _end(uint48 matchId, MatchState memory state, address winner, Reason reason) internal override {
        state.deadline = 0;
        super._end(matchId, state, winner, reason);
    }

    function _restartClock(MatchState memory state) internal view {
        state.deadline = state.clock == 0 ? 0 : uint40(block.timestamp) + state.clock;
    }

    /// @dev Refuses while who is to move has time.
    function _requireExpired(MatchState memory state) internal view {
        if (block.timestamp < state.deadline) revert NotExpired(uint40(block.timestamp), state.deadline);
    }

    /// @dev Refuses a clock outside of `minimum` to MAX_CLOCK.
    function _requireClock(uint24 clock, uint24 minimum) internal pure {
        if (clock < minimum || clock > MAX_CLOCK) revert BadClock(clock, minimum, MAX_CLOCK);
    }

    /// @dev The account that the sender plays for. Refused for anybody who holds no seat.
    function _player(uint48 matchId) internal view returns (address account) {
        account = _account(matchId);
        if (!_seated(matchId, account)) revert NotAPlayer(matchId, account);
    }

    function _at(uint48 matchId, uint8 seat) internal view returns (address) {
        return _players[matchId][seat];
    }
}
