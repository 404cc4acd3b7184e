// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "./ITurnBased.sol";
import {Match} from "./Match.sol";

/// @title The base of all games in which players have seats and take turns
/// @dev `MatchState.mover` is the seat of the player to move.
abstract contract TurnBased is ITurnBased, Match {
    /// @notice The longest clock, in seconds.
    uint24 public constant MAX_CLOCK = 30 days;

    /// @dev The account in each seat. While a match is open, the entry can also be the invited
    /// account. The zero address means that anyone may take the seat.
    mapping(uint48 matchId => mapping(uint8 seat => address account)) internal _players;

    /// @dev Reverts with NotAPlayer, StaleMove or NotYourTurn unless the sender acts for the player
    /// to move and names the current ply. If the sender is that player, this function reads only
    /// one storage slot.
    function _requireTurn(uint48 matchId, MatchState memory state, uint32 ply) internal view returns (address mover) {
        mover = _players[matchId][state.mover];
        if (msg.sender != mover) {
            address account = _player(matchId);
            if (ply != state.ply) revert StaleMove(state.ply, ply);
            if (account != mover) revert NotYourTurn(matchId, account, mover);
        }
        if (ply != state.ply) revert StaleMove(state.ply, ply);
    }

    /// @dev Ends the match and stops the clock.
    function _end(uint48 matchId, MatchState memory state, address winner, Reason reason) internal override {
        state.deadline = 0;
        super._end(matchId, state, winner, reason);
    }

    function _restartClock(MatchState memory state) internal view {
        state.deadline = state.clock == 0 ? 0 : uint40(block.timestamp) + state.clock;
    }

    /// @dev Reverts with NotExpired if the mover has time left.
    function _requireExpired(MatchState memory state) internal view {
        if (block.timestamp < state.deadline) revert NotExpired(uint40(block.timestamp), state.deadline);
    }

    /// @dev Reverts with BadClock unless the clock is between `minimum` and MAX_CLOCK, in seconds.
    function _requireClock(uint24 clock, uint24 minimum) internal pure {
        if (clock < minimum || clock > MAX_CLOCK) revert BadClock(clock, minimum, MAX_CLOCK);
    }

    /// @dev Returns the account that the sender acts for. Reverts with NotAPlayer if the account
    /// holds no seat.
    function _player(uint48 matchId) internal view returns (address account) {
        account = _account(matchId);
        if (!_isSeated(matchId, account)) revert NotAPlayer(matchId, account);
    }

    function _playerAt(uint48 matchId, uint8 seat) internal view returns (address) {
        return _players[matchId][seat];
    }
}
