// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Which ship lies where, in memory, 16 cells a word
/// @dev An array with a word for each cell would cost 45,000 gas on the largest board.
library ShipMap {
    function make(uint256 cells) internal pure returns (uint256[] memory) {
        return new uint256[]((cells + 15) >> 4);
    }

    /// @dev Each cell is put once.
    function put(uint256[] memory map, uint256 cell, uint256 ship) internal pure {
        map[cell >> 4] |= ship << ((cell & 15) << 4);
    }

    /// @return 0 where no ship lies
    function at(uint256[] memory map, uint256 cell) internal pure returns (uint256) {
        return uint16(map[cell >> 4] >> ((cell & 15) << 4));
    }
}
