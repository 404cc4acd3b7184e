// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A map in memory, from the board's cells to the ships on them, with 16 cells per word
/// @dev An array with one word per cell would cost 45,000 gas on the largest board.
library ShipMap {
    function make(uint256 cells) internal pure returns (uint256[] memory) {
        return new uint256[]((cells + 15) >> 4);
    }

    /// @dev Puts a ship on a cell that must be empty.
    function put(uint256[] memory map, uint256 cell, uint256 ship) internal pure {
        map[cell >> 4] |= ship << ((cell & 15) << 4);
    }

    /// @return the ship on the cell, or 0 if there is none
    function shipOn(uint256[] memory map, uint256 cell) internal pure returns (uint256) {
        return uint16(map[cell >> 4] >> ((cell & 15) << 4));
    }
}
