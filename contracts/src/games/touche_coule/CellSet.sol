// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Sets of cells of a board, one bit per cell
/// @dev Cell c is bit c % 256 of word c / 256; a board has at most 4096 cells. Draws take bounded
/// time: no loop retries.
library CellSet {
    /// @notice A cell number that no board has.
    uint16 internal constant NO_CELL = type(uint16).max;

    struct Set {
        uint256[16] words;
    }

    function add(Set storage set, uint256 cell) internal {
        set.words[cell >> 8] |= bit(cell);
    }

    /// @dev Writes only if the cell is in the set.
    function remove(Set storage set, uint256 cell) internal {
        uint256 word = set.words[cell >> 8];
        if (word & bit(cell) != 0) set.words[cell >> 8] = word & ~bit(cell);
    }

    /// @notice Draws a random cell that is neither in the set nor `a` nor `b`. Starts at a random
    /// word (weighted by size) and takes the k-th free cell of the first word that has one. Returns
    /// NO_CELL if there is none.
    function draw(Set storage set, uint256 cells, uint256 a, uint256 b, bytes32 seed) internal view returns (uint16) {
        uint256 word = firstWord(cells, seed);
        for (uint256 left = wordsOf(cells); left > 0; --left) {
            uint256 free = among(cells, word, a, b) & ~set.words[word];
            if (free != 0) return pick(free, word, seed);
            word = nextWord(cells, word);
        }
        return NO_CELL;
    }

    /// @notice Returns the number of words for a board of this size.
    function wordsOf(uint256 cells) internal pure returns (uint256) {
        return (cells + 255) >> 8;
    }

    function firstWord(uint256 cells, bytes32 seed) internal pure returns (uint256) {
        return (uint256(seed) % cells) >> 8;
    }

    function nextWord(uint256 cells, uint256 word) internal pure returns (uint256) {
        return word + 1 == wordsOf(cells) ? 0 : word + 1;
    }

    /// @notice Returns the cells of this word that are on the board, without `a` and `b`.
    function among(uint256 cells, uint256 word, uint256 a, uint256 b) internal pure returns (uint256 bits) {
        unchecked {
            uint256 end = (word + 1) << 8;
            bits = end > cells ? type(uint256).max >> (end - cells) : type(uint256).max;
        }
        if (a >> 8 == word) bits &= ~bit(a);
        if (b >> 8 == word) bits &= ~bit(b);
    }

    /// @notice Draws a cell of a word that is not empty, using the upper half of the seed.
    function pick(uint256 bits, uint256 word, bytes32 seed) internal pure returns (uint16) {
        return uint16((word << 8) | select(bits, (uint256(seed) >> 128) % count(bits)));
    }

    function bit(uint256 cell) internal pure returns (uint256) {
        return uint256(1) << (cell & 255);
    }

    /// @notice Returns the number of set bits.
    function count(uint256 bits) internal pure returns (uint256) {
        if (bits == type(uint256).max) return 256; // the byte for the sum is too small
        return _sums(bits) >> 248;
    }

    /// @notice Returns the position of the k-th set bit, k from 0: finds its byte by halves, then
    /// steps over the bits before it.
    function select(uint256 bits, uint256 k) internal pure returns (uint256 index) {
        unchecked {
            uint256 below = _sums(bits) << 8; // byte i: the number of set bits below it
            for (uint256 half = 128; half >= 8; half >>= 1) {
                if (k >= uint8(below >> (index + half))) index += half;
            }
            k -= uint8(below >> index);
            for (bits >>= index; k > 0; --k) bits &= bits - 1;
            for (; bits & 1 == 0; bits >>= 1) ++index;
        }
    }

    /// @dev Byte i: the number of set bits in bytes 0 to i. Sums pairs, fours and bytes; a
    /// multiplication adds up the bytes.
    function _sums(uint256 bits) private pure returns (uint256) {
        unchecked {
            bits -= (bits >> 1) & (type(uint256).max / 3);
            bits = (bits & (type(uint256).max / 5)) + ((bits >> 2) & (type(uint256).max / 5));
            bits = (bits + (bits >> 4)) & (type(uint256).max / 17);
            return bits * (type(uint256).max / 255);
        }
    }
}
