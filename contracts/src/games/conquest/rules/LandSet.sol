// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Sets of lands: bit i is land i
library LandSet {
    uint256 private constant _PAIRS = 0x5555555555555555555555555555555555555555555555555555555555555555;
    uint256 private constant _FOURS = 0x3333333333333333333333333333333333333333333333333333333333333333;
    uint256 private constant _BYTES = 0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f;

    /// @return count the number of lands in the set, which must be below 255
    function size(uint256 set) internal pure returns (uint256 count) {
        unchecked {
            set -= (set >> 1) & _PAIRS;
            set = (set & _FOURS) + ((set >> 2) & _FOURS);
            return ((set + (set >> 4)) & _BYTES) % 255;
        }
    }

    /// @return index the lowest land in a set, which must not be empty
    function lowest(uint256 set) internal pure returns (uint256 index) {
        assembly ("memory-safe") {
            let bit := and(set, sub(0, set))
            index := shl(6, lt(0xffffffffffffffff, bit))
            bit := shr(index, bit)
            let half := shl(5, lt(0xffffffff, bit))
            index := or(index, half)
            bit := shr(half, bit)
            half := shl(4, lt(0xffff, bit))
            index := or(index, half)
            bit := shr(half, bit)
            half := shl(3, lt(0xff, bit))
            index := or(index, half)
            bit := shr(half, bit)
            half := shl(2, lt(0xf, bit))
            index := or(index, half)
            bit := shr(half, bit)
            index := or(index, sub(shr(1, bit), shr(3, bit)))
        }
    }
}
