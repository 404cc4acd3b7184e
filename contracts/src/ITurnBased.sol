// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "./IMatch.sol";

/// @title The shared part of games with seats and turns: invitations, turns and the clock
interface ITurnBased is IMatch {
    /// @notice An account can't hold two seats in a match.
    error SamePlayer(address account);
    /// @notice The seat is reserved for `invited`.
    error NotInvited(uint48 matchId, address account, address invited);
    /// @notice It is the turn of `mover`, not of the caller.
    error NotYourTurn(uint48 matchId, address account, address mover);
    /// @notice The clock, in seconds per move, is outside the range that this match allows. Some
    /// games allow 0 (no clock) for matches without a stake.
    error BadClock(uint24 given, uint24 minimum, uint24 maximum);
}
