// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A ship that decides where to fire
/// @notice The built-in `Ship` implements it, and any contract of yours may too (a "captain"): see
/// docs/how-to/add-a-game.md.
interface IShip {
    /// @notice The orders that a ship gets before it fires. Cells are numbered `y * width + x`.
    /// @param matchId the match
    /// @param ship the number of the ship that fires, from 1
    /// @param owner the account that owns the ship; one captain may serve many owners
    /// @param turnNo the number of this turn, from 1 (turn 0 fires nothing)
    /// @param width cells in a row, 2..64
    /// @param height rows, 2..64
    /// @param cell the ship's position; it can't fire there
    /// @param ally the position of the owner's other ship (it can't fire there either); NO_CELL if
    /// none is afloat
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

    /// @notice Returns the cell to fire at. A cell outside the board, the ship's own cell and its
    /// ally's cell count as a miss.
    /// A captain has 40,000 gas; a revert, no answer or an answer of another length is a miss too.
    function fire(Orders calldata orders) external returns (uint16 target);
}
