// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The items on the map, at most four, packed in one word
/// @dev Each item has 11 bits: its land + 1 (7 bits), a flag for the fat bonus (1), and the turns
/// that it still stays (3). The items are sorted by land, from the lowest bits up, and end with 0.
library Items {
    uint256 internal constant MAX_ITEMS = 4;
    /// @dev The number of turns that an item stays, including the turn in which it appears.
    uint256 internal constant LIFETIME = 4;

    uint256 private constant _BITS = 11;
    uint256 private constant _MASK = 0x7ff;
    uint256 private constant _LAND = 0x7f;
    uint256 private constant _FAT_SHIFT = 7;
    uint256 private constant _TURNS_SHIFT = 8;

    function count(uint256 items) internal pure returns (uint256 number) {
        for (; items != 0; items >>= _BITS) {
            ++number;
        }
    }

    /// @return land the land of the first item
    /// @return fat true if the item is the fat bonus
    /// @return turns the number of turns that the item still stays
    /// @return rest the items after the first
    function firstItem(uint256 items) internal pure returns (uint8 land, bool fat, uint8 turns, uint256 rest) {
        (land, fat) = (uint8((items & _LAND) - 1), (items >> _FAT_SHIFT) & 1 == 1);
        return (land, fat, uint8((items >> _TURNS_SHIFT) & 7), items >> _BITS);
    }

    /// @return set a bit mask of the lands that have an item
    function lands(uint256 items) internal pure returns (uint256 set) {
        for (; items != 0; items >>= _BITS) {
            set |= 1 << ((items & _LAND) - 1);
        }
    }

    /// @dev Adds an item to a land that must not have one yet.
    function add(uint256 items, uint256 land, bool fat) internal pure returns (uint256) {
        uint256 shift = 0;
        while ((items >> shift) & _LAND != 0 && (items >> shift) & _LAND <= land) shift += _BITS;
        uint256 low = items & ((1 << shift) - 1);
        uint256 item = (land + 1) | (fat ? 1 << _FAT_SHIFT : 0) | (LIFETIME << _TURNS_SHIFT);
        return low | (item << shift) | ((items >> shift) << (shift + _BITS));
    }

    /// @return found true if there was an item on the land
    /// @return fat true if the item was the fat bonus
    /// @return others the items on other lands
    function remove(uint256 items, uint256 land) internal pure returns (bool found, bool fat, uint256 others) {
        uint256 shift = 0;
        for (; items >> shift != 0; shift += _BITS) {
            if ((items >> shift) & _LAND != land + 1) continue;
            fat = (items >> (shift + _FAT_SHIFT)) & 1 == 1;
            return (true, fat, (items & ((1 << shift) - 1)) | ((items >> (shift + _BITS)) << shift));
        }
        return (false, false, items);
    }

    /// @dev Reduces the turns that each item still stays by one, and removes expired items.
    /// @return expired the lands whose items have been removed
    /// @return left the items that are still on the map
    function age(uint256 items) internal pure returns (uint256 expired, uint256 left) {
        uint256 shift = 0;
        for (; items != 0; items >>= _BITS) {
            uint256 item = (items & _MASK) - (1 << _TURNS_SHIFT);
            if (item >> _TURNS_SHIFT == 0) {
                expired |= 1 << ((item & _LAND) - 1);
            } else {
                left |= item << shift;
                shift += _BITS;
            }
        }
    }
}
