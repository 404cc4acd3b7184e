// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "./IMatch.sol";

/// @title What games with seats and turns share: invitations, whose turn it is, and the clock
interface ITurnBased is IMatch {
    /// @notice Two seats of a match can't be one account's.
    error SamePlayer(address account);
    /// @notice The seat is for `invited` only.
    error NotInvited(uint48 matchId, address account, address invited);
    /// @notice `mover` is to move.
    error NotYourTurn(uint48 matchId, address account, address mover);
    /// @notice Seconds for a move that this match can have. 0, no clock, is for some games' matches without a stake.
    error BadClock(uint24 given, uint24 minimum, uint24 maximum);
}
