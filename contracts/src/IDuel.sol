// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "./ITurnBased.sol";

/// @title The shared part of games for two players: two seats, turns and the clock
/// @notice The account that opens a match takes one seat. The other seat is for a named account, or
/// for anyone. The player to move has `clock` seconds. After that, anyone may claim the timeout. A
/// late move still counts if nobody has claimed the timeout.
interface IDuel is ITurnBased {
    /// @notice A match without a clock has no timeout.
    error NoClock(uint48 matchId);

    /// @notice Claims the timeout after the mover's clock has run out. The match ends or moves on
    /// to its next phase. Anyone may call this function.
    function claimTimeout(uint48 matchId) external;
}
