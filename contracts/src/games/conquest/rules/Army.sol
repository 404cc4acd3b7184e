// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The numbers of soldiers by land, in words of fifteen lands with 17 bits each
library Army {
    /// @dev The maximum number of soldiers on a land.
    uint256 internal constant MAXIMUM = 99_999;
    /// @dev The number of words for 96 lands.
    uint256 internal constant WORDS = 7;
    /// @dev The number of lands per word.
    uint256 internal constant PER_WORD = 15;

    uint256 private constant _BITS = 17;
    uint256 private constant _MASK = 0x1ffff;
    uint256 private constant _LANDS = 0x7fff;
    /// @dev Fifteen ones that are 16 bits apart, and fifteen that are 17 bits apart: one for each
    /// land in a word.
    uint256 private constant _COPIES = 0x100010001000100010001000100010001000100010001000100010001;
    uint256 private constant _LOWEST_BITS = 0x400020001000080004000200010000800040002000100008000400020001;
    /// @dev A mask of every second field in a word, starting with the lowest.
    uint256 private constant _EVEN_FIELDS = 0x7fffc0001ffff00007fffc0001ffff00007fffc0001ffff00007fffc0001ffff;
    uint256 private constant _PAIR_MASK = (1 << 34) - 1;
    /// @dev A mask of all bits but the highest in every field.
    uint256 private constant _HALVES = 0x3fffdfffeffff7fffbfffdfffeffff7fffbfffdfffeffff7fffbfffdfffeffff;

    /// @return the number of soldiers on the land, read from the army's word with that land
    function inWord(uint256 word, uint256 land) internal pure returns (uint256) {
        unchecked {
            return (word >> (_BITS * (land % PER_WORD))) & _MASK;
        }
    }

    /// @return the word after setting the number of soldiers on the land
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

    /// @return word a word with the soldiers of up to fifteen lands
    /// @param bytes_ the number of soldiers on each land, one byte per land, the first land in the
    /// highest byte
    function fromBytes(uint256 bytes_, uint256 count) internal pure returns (uint256 word) {
        unchecked {
            for (uint256 index; index < count; ++index) word |= uint256(uint8(bytes_ >> (248 - 8 * index))) << (_BITS * index);
        }
    }

    /// @return total the total number of soldiers on a set of lands
    function sum(uint256[WORDS] memory army, uint256 lands) internal pure returns (uint256 total) {
        unchecked {
            for (uint256 index; lands != 0; ++index) {
                uint256 word = army[index] & _fields(lands);
                // add neighbouring fields in pairs; the remainder is the sum of all pairs
                total += ((word & _EVEN_FIELDS) + ((word >> _BITS) & _EVEN_FIELDS)) % _PAIR_MASK;
                lands >>= PER_WORD;
            }
        }
    }

    /// @dev Halves the soldiers on each land of a set, rounded down.
    function halve(uint256[WORDS] memory army, uint256 lands) internal pure {
        unchecked {
            for (uint256 index; lands != 0; ++index) {
                (uint256 word, uint256 fields) = (army[index], _fields(lands));
                army[index] = (word & ~fields) | ((word >> 1) & _HALVES & fields);
                lands >>= PER_WORD;
            }
        }
    }

    /// @return a mask of the fields of a word's lands, which are the lowest fifteen bits in a set
    function _fields(uint256 lands) private pure returns (uint256) {
        unchecked {
            // in copies of the set, 16 bits apart, only bit n of copy n is at position 17 * n
            return (((lands & _LANDS) * _COPIES) & _LOWEST_BITS) * _MASK;
        }
    }

    /// @dev Adds or removes a tenth of the soldiers on each land of a set, rounded down.
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

    /// @return land the land with the most soldiers in a set, or the lowest of them on a tie; 255
    /// if the set is empty
    function strongest(uint256[WORDS] memory army, uint256 lands) internal pure returns (uint256 land) {
        land = 255;
        unchecked {
            uint256 most = 0; // soldiers + 1
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

    /// @return changes_ the lands whose soldiers differ between two armies, in ascending order, 4
    /// bytes each: the land and its new number of soldiers
    function changes(
        uint256[WORDS] memory before,
        uint256[WORDS] memory army
    ) internal pure returns (bytes memory changes_) {
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
