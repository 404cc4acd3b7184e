// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A ship that decides where to fire
/// @notice The built-in `Ship` implements it, and so may any contract of yours (a "captain"): see docs/games.md.
interface IShip {
    /// @notice What a ship is told before it fires. Cells are numbered `y * width + x`.
    /// @param matchId the match
    /// @param ship the number of the ship that fires, from 1
    /// @param owner the account whose ship it is; one captain may serve many
    /// @param turnNo the number of this turn, from 1 (turn 0 fires nothing)
    /// @param width cells in a row, 2..64
    /// @param height rows, 2..64
    /// @param cell where the ship lies; it can't fire there
    /// @param ally where the owner's other ship lies (it can't be fired at), or NO_CELL when there is none afloat
    /// @param seed 32 random bytes for this ship and turn
    struct Orders {
        uint48 matchId;
        uint16 ship;
        address owner;
        uint32 turnNo;
        uint8 width;
        uint8 height;
        uint16 cell;
        uint16 ally;
        bytes32 seed;
    }

    /// @notice The cell to fire at. A cell outside the board, the ship's own or its ally's counts as a miss.
    /// A captain has 40,000 gas; a revert, no answer or an answer of another length is a miss too.
    function fire(Orders calldata orders) external returns (uint16 target);
}
