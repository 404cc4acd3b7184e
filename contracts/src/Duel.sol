// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "./IDuel.sol";
import {ISessions} from "./ISessions.sol";
import {Match} from "./Match.sol";
import {TurnBased} from "./TurnBased.sol";

/// @title The base of all games for two players
abstract contract Duel is IDuel, TurnBased {
    /// @notice The shortest clock, in seconds. With a shorter clock, players could hardly move in
    /// time, and the fastest program to claim a timeout would win. A match without a stake may have
    /// no clock.
    uint24 public constant MIN_CLOCK = 30;

    constructor(ISessions sessions, uint48 firstMatch) Match(sessions, firstMatch) {}

    /// @dev Opens a match in memory. The account `creator` takes the given seat. The calling
    /// function must save the match. Seat 0 moves first unless the game decides otherwise.
    /// @param minimum the shortest clock for this match, in seconds; 0 means MIN_CLOCK, and also
    /// allows a match without a clock
    function _openDuel(address creator, uint8 seat, address opponent, uint24 clock, uint24 minimum, uint48 rematchOf)
        internal
        returns (uint48 matchId, MatchState memory state)
    {
        if (opponent == creator) revert SamePlayer(creator);
        if (minimum == 0 && clock != 0) minimum = MIN_CLOCK;
        _requireClock(clock, minimum);
        (matchId, state) = _open(creator, opponent, clock, rematchOf);
        _players[matchId][seat] = creator;
        _players[matchId][1 - seat] = opponent;
        emit PlayerJoined(matchId, ++state.seq, creator, seat);
    }

    /// @dev Gives the seat to the second player, and starts the match and the clock. Reverts unless
    /// the match is open and the account may take the seat.
    function _join(uint48 matchId, MatchState memory state, uint8 seat, address account) internal {
        _requireStatus(matchId, state, Status.Open);
        address invited = _players[matchId][seat];
        if (account == _players[matchId][1 - seat]) revert SamePlayer(account);
        if (invited == address(0)) _players[matchId][seat] = account;
        else if (account != invited) revert NotInvited(matchId, account, invited);
        emit PlayerJoined(matchId, ++state.seq, account, seat);
        _start(matchId, state);
        _restartClock(state);
    }

    /// @dev Reverts with NoClock if the match has no clock, and with NotExpired if the mover has
    /// time left.
    function _requireTimeout(uint48 matchId, MatchState memory state) internal view {
        if (state.deadline == 0) revert NoClock(matchId);
        _requireExpired(state);
    }

    /// @dev An account that is invited to an open match also counts as seated, because a seat is
    /// reserved for this account.
    function _isSeated(uint48 matchId, address account) internal view override returns (bool) {
        return account == _players[matchId][0] || account == _players[matchId][1];
    }

    function _seatOf(uint48 matchId, address account) internal view returns (uint8) {
        return account == _players[matchId][0] ? 0 : 1;
    }
}
