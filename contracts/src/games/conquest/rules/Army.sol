// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The numbers of soldiers on lands: fifteen lands per word, 17 bits each
library Army {
    /// @dev The maximum number of soldiers on a land.
    uint256 internal constant MAXIMUM = 99_999;
    /// @dev The number of words for the lands of the largest map, which has 96 lands.
    uint256 internal constant WORDS = 7;
    /// @dev The number of lands per word.
    uint256 internal constant PER_WORD = 15;

    uint256 private constant _BITS = 17;
    uint256 private constant _MASK = 0x1ffff;
    uint256 private constant _LANDS = 0x7fff;
    /// @dev Fifteen set bits, one per land in a word. They are 16 bits apart in the first constant,
    /// and 17 bits apart in the second.
    uint256 private constant _COPIES = 0x100010001000100010001000100010001000100010001000100010001;
    uint256 private constant _LOWEST_BITS = 0x400020001000080004000200010000800040002000100008000400020001;
    /// @dev A mask for every second field in a word, starting with the lowest field.
    uint256 private constant _EVEN_FIELDS = 0x7fffc0001ffff00007fffc0001ffff00007fffc0001ffff00007fffc0001ffff;
    uint256 private constant _PAIR_MASK = (1 << 34) - 1;
    /// @dev A mask for all bits of every field except the field's highest bit.
    uint256 private constant _HALVES = 0x3fffdfffeffff7fffbfffdfffeffff7fffbfffdfffeffff7fffbfffdfffeffff;

    /// @return the number of soldiers on the land; `word` is the army's word for this land
    function inWord(uint256 word, uint256 land) internal pure returns (uint256) {
        unchecked {
            return (word >> (_BITS * (land % PER_WORD))) & _MASK;
        }
    }

    /// @return the word with the new number of soldiers on the land
    function withSoldiers(uint256 word, uint256 land, uint256 soldiers) internal pure returns (uint256) {
        unchecked {
            uint256 shift = _BITS * (land % PER_WORD);
            return (word & ~(_MASK << shift)) | (soldiers << shift);
        }
    }

    function soldiersOn(uint256[WORDS] memory army, uint256 land) internal pure returns (uint256) {
        return inWord(army[land / PER_WORD], land);
    }

    function set(uint256[WORDS] memory army, uint256 land, uint256 soldiers) internal pure {
        army[land / PER_WORD] = withSoldiers(army[land / PER_WORD], land, soldiers);
    }

    // The conversion selects one byte.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @return word the army's word for these lands, of which there are at most fifteen
    /// @param bytes_ the number of soldiers on each land, one byte per land; the highest byte is
    /// for the first land
    function fromBytes(uint256 bytes_, uint256 count) internal pure returns (uint256 word) {
        unchecked {
            for (uint256 index; index < count; ++index) {
                word |= uint256(uint8(bytes_ >> (248 - 8 * index))) << (_BITS * index);
            }
        }
    }

    /// @return total the number of soldiers on all lands of the set
    function sum(uint256[WORDS] memory army, uint256 lands) internal pure returns (uint256 total) {
        unchecked {
            for (uint256 index; lands != 0; ++index) {
                uint256 word = army[index] & _fields(lands);
                // Add neighbouring fields, which gives fields of twice the width. The remainder
                // modulo _PAIR_MASK is the sum of these wider fields.
                total += ((word & _EVEN_FIELDS) + ((word >> _BITS) & _EVEN_FIELDS)) % _PAIR_MASK;
                lands >>= PER_WORD;
            }
        }
    }

    /// @dev Halves the number of soldiers on each land in a set. Halves are rounded down.
    function halve(uint256[WORDS] memory army, uint256 lands) internal pure {
        unchecked {
            for (uint256 index; lands != 0; ++index) {
                (uint256 word, uint256 fields) = (army[index], _fields(lands));
                army[index] = (word & ~fields) | ((word >> 1) & _HALVES & fields);
                lands >>= PER_WORD;
            }
        }
    }

    /// @return a mask for one word of the army. It contains all bits of each field whose land is
    /// among the lowest fifteen bits of `lands`
    function _fields(uint256 lands) private pure returns (uint256) {
        unchecked {
            // The product contains copies of the set, 16 bits apart. In these copies, bit 17 * n is
            // the n-th bit of the set.
            return (((lands & _LANDS) * _COPIES) & _LOWEST_BITS) * _MASK;
        }
    }

    /// @dev Adds or removes a tenth of the soldiers on each land in a set. The tenth is rounded
    /// down.
    function changeByTenth(uint256[WORDS] memory army, uint256 lands, bool more) internal pure {
        unchecked {
            for (uint256 land; lands >> land != 0; ++land) {
                if ((lands >> land) & 1 == 0) continue;
                uint256 soldiers = soldiersOn(army, land);
                soldiers = more ? soldiers + soldiers / 10 : soldiers - soldiers / 10;
                set(army, land, soldiers < MAXIMUM ? soldiers : MAXIMUM);
            }
        }
    }

    /// @return land the land in a set with the most soldiers (the lowest number on a tie), or 255
    /// if the set is empty
    function strongest(uint256[WORDS] memory army, uint256 lands) internal pure returns (uint256 land) {
        land = 255;
        unchecked {
            uint256 most = 0; // the highest number of soldiers so far, + 1
            for (uint256 first; lands != 0; first += PER_WORD) {
                uint256 word = army[first / PER_WORD];
                uint256 bits = lands & _LANDS;
                for (uint256 each = first; bits != 0; ++each) {
                    if (bits & 1 == 1 && (word & _MASK) + 1 > most) (land, most) = (each, (word & _MASK) + 1);
                    word >>= _BITS;
                    bits >>= 1;
                }
                lands >>= PER_WORD;
            }
        }
    }

    /// @return changes_ the lands whose number of soldiers differs between the two armies, in
    /// ascending order. There are four bytes per land: 1 for the land, and 3 for its new number of
    /// soldiers
    function changes(uint256[WORDS] memory before, uint256[WORDS] memory army)
        internal
        pure
        returns (bytes memory changes_)
    {
        assembly ("memory-safe") {
            changes_ := mload(0x40)
            let end := add(changes_, 0x20)
            for {
                let index := 0
            } lt(index, WORDS) {
                index := add(index, 1)
            } {
                let word := mload(add(army, shl(5, index)))
                let other := xor(word, mload(add(before, shl(5, index))))
                for {
                    let land := mul(index, PER_WORD)
                } other {
                    land := add(land, 1)
                } {
                    if and(other, _MASK) {
                        mstore(end, or(shl(248, land), shl(224, and(word, _MASK))))
                        end := add(end, 4)
                    }
                    other := shr(_BITS, other)
                    word := shr(_BITS, word)
                }
            }
            mstore(changes_, sub(sub(end, changes_), 0x20))
            mstore(0x40, and(add(end, 0x3f), not(0x1f)))
        }
    }
}
