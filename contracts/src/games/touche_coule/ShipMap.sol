// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The ship on each cell, in memory, 16 cells per word
/// @dev An array with one word per cell would cost 45,000 gas on the largest board.
library ShipMap {
    function make(uint256 cells) internal pure returns (uint256[] memory) {
        return new uint256[]((cells + 15) >> 4);
    }

    /// @dev Call it only once per cell.
    function put(uint256[] memory map, uint256 cell, uint256 ship) internal pure {
        map[cell >> 4] |= ship << ((cell & 15) << 4);
    }

    /// @return 0 if no ship is there
    function at(uint256[] memory map, uint256 cell) internal pure returns (uint256) {
        return uint16(map[cell >> 4] >> ((cell & 15) << 4));
    }
}
