// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "./ITurnBased.sol";

/// @title What games for two share: two seats, whose turn it is, and the clock
/// @notice Who opens a match takes one seat; the other is for a named account or for anyone. Who is to move has `clock`
/// seconds; when they are over anyone may claim it. A late move counts as long as nobody has.
interface IDuel is ITurnBased {
    /// @notice A match without a clock has no timeout.
    error NoClock(uint48 matchId);

    /// @notice Ends, or leads on, a match in which the clock of who is to move has run out. Anyone may call it.
    function claimTimeout(uint48 matchId) external;
}
