// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "./IMatch.sol";

/// @title What games for two share: two seats, whose turn it is, and the clock
/// @notice Who opens a match takes one seat; the other is for a named account or for anyone. Who is to move has `clock`
/// seconds; when they are over anyone may claim it. A late move counts as long as nobody has.
interface IDuel is IMatch {
    /// @notice Both seats of a match can't be one account's.
    error SamePlayer(address account);
    /// @notice The other seat is for `invited` only.
    error NotInvited(uint48 matchId, address account, address invited);
    /// @notice `mover` is to move.
    error NotYourTurn(uint48 matchId, address account, address mover);
    /// @notice Seconds for a move that this match can have. 0, no clock, is for matches without a stake.
    error BadClock(uint24 given, uint24 minimum, uint24 maximum);
    /// @notice A match without a clock has no timeout.
    error NoClock(uint48 matchId);

    /// @notice Ends, or leads on, a match in which the clock of who is to move has run out. Anyone may call it.
    function claimTimeout(uint48 matchId) external;
}
