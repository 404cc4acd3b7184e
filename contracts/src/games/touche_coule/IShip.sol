// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A ship that decides where to fire
/// @notice The built-in `Ship` implements this interface. Your own contract can implement it too,
/// as a "captain": see docs/how-to/add-a-game.md.
interface IShip {
    /// @notice The orders that a ship gets when it must fire. Cells are numbered `y * width + x`.
    /// @param matchId the match
    /// @param ship the number of the ship that fires, from 1
    /// @param owner the account that owns the ship; a captain may serve many owners
    /// @param turnNo the number of this turn, from 1 (in turn 0, no ship fires)
    /// @param width the number of cells in a row, 2..64
    /// @param height the number of rows, 2..64
    /// @param cell the ship's position, at which the ship can't fire
    /// @param ally the position of the owner's other ship, at which the ship can't fire either;
    /// NO_CELL if the other ship isn't afloat
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

    /// @notice Returns the cell to fire at. The shot is a miss if the cell is off the board, the
    /// ship's own cell or its ally's cell. A captain has 40,000 gas. If it reverts or its answer
    /// isn't exactly one word, the shot is a miss too.
    function fire(Orders calldata orders) external returns (uint16 target);
}
