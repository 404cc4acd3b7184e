// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "./IMatch.sol";

/// @title Errors that are shared by all games in which players have seats and take turns
interface ITurnBased is IMatch {
    /// @notice The account can't hold two seats in one match.
    error SamePlayer(address account);
    /// @notice The seat is reserved for `invited`.
    error NotInvited(uint48 matchId, address account, address invited);
    /// @notice It is not the account's turn, because `mover` is the player to move.
    error NotYourTurn(uint48 matchId, address account, address mover);
    /// @notice The clock is not between `minimum` and `maximum`, in seconds per move. In some
    /// games, a match without a stake may have a clock of 0, which means no limit.
    error BadClock(uint24 given, uint24 minimum, uint24 maximum);
}
