// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITurnBased} from "./ITurnBased.sol";

/// @title Events, errors and functions that all games for two players share
/// @notice The account that opens a match takes one seat. The other seat is reserved for a named
/// account or open to anyone. The player to move has `clock` seconds. After that time, anyone may
/// claim the timeout. A late move still counts unless somebody has already claimed the timeout.
interface IDuel is ITurnBased {
    /// @notice The match has no clock, so there is no timeout to claim.
    error NoClock(uint48 matchId);

    /// @notice Claims the timeout after the mover's clock has run out. The match ends or enters its
    /// next phase. Anyone may call this function.
    function claimTimeout(uint48 matchId) external;
}
