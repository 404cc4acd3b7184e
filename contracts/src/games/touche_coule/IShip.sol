// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The interface of a ship, which decides where it fires
/// @notice The built-in `Ship` and all captains implement this interface. A captain is a contract
/// that a player has written to control a ship. See docs/how-to/add-a-game.md.
interface IShip {
    /// @notice The orders that the game gives to a ship when the ship has to fire. Cells are
    /// numbered `y * width + x`.
    /// @param matchId the number of the match
    /// @param ship the number of the ship that fires, starting with 1
    /// @param owner the account that owns the ship; a captain can serve several owners
    /// @param turnNo the number of this turn; at least 1, because no ship fires in turn 0
    /// @param width the number of cells in a row, 2..64
    /// @param height the number of rows, 2..64
    /// @param cell the position of the ship that fires; the ship can't fire there
    /// @param ally the position of the owner's other ship, or NO_CELL if that ship is not afloat;
    /// the firing ship can't fire there either
    /// @param seed 32 random bytes for this ship in this turn
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

    /// @notice Returns the cell to fire at. The shot is a miss if the cell is not on the board, or
    /// is the position of the ship or its ally. The shot is also a miss if a captain reverts,
    /// returns anything but one word, or needs more than 40,000 gas.
    function fire(Orders calldata orders) external returns (uint16 target);
}
