// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Sets of cells on a board, with one bit per cell
/// @dev Cell c is bit c % 256 in word c / 256. A board has at most 4096 cells. A random choice
/// always takes a limited time, because it never retries with another random number.
library CellSet {
    /// @notice The value that means no cell. No board has a cell with this number.
    uint16 internal constant NO_CELL = type(uint16).max;

    struct Set {
        uint256[16] words;
    }

    function add(Set storage set, uint256 cell) internal {
        set.words[cell >> 8] |= bit(cell);
    }

    /// @dev Removes a cell. Writes to storage only if the set contains the cell.
    function remove(Set storage set, uint256 cell) internal {
        uint256 word = set.words[cell >> 8];
        if (word & bit(cell) != 0) set.words[cell >> 8] = word & ~bit(cell);
    }

    /// @notice Returns a random cell that is not in the set and is neither `a` nor `b`, or NO_CELL
    /// if there is none. The search starts at a random word; words with more cells are more likely.
    /// The result is a random cell in the first word with free cells.
    function draw(Set storage set, uint256 cells, uint256 a, uint256 b, bytes32 seed) internal view returns (uint16) {
        uint256 word = firstWord(cells, seed);
        for (uint256 left = wordsOf(cells); left > 0; --left) {
            uint256 free = among(cells, word, a, b) & ~set.words[word];
            if (free != 0) return pick(free, word, seed);
            word = nextWord(cells, word);
        }
        return NO_CELL;
    }

    /// @notice Returns the number of words that a board with this number of cells needs.
    function wordsOf(uint256 cells) internal pure returns (uint256) {
        return (cells + 255) >> 8;
    }

    function firstWord(uint256 cells, bytes32 seed) internal pure returns (uint256) {
        return (uint256(seed) % cells) >> 8;
    }

    function nextWord(uint256 cells, uint256 word) internal pure returns (uint256) {
        return word + 1 == wordsOf(cells) ? 0 : word + 1;
    }

    /// @notice Returns all cells of a word that are on the board, except the cells `a` and `b`.
    function among(uint256 cells, uint256 word, uint256 a, uint256 b) internal pure returns (uint256 bits) {
        unchecked {
            uint256 end = (word + 1) << 8;
            bits = end > cells ? type(uint256).max >> (end - cells) : type(uint256).max;
        }
        if (a >> 8 == word) bits &= ~bit(a);
        if (b >> 8 == word) bits &= ~bit(b);
    }

    /// @notice Returns a random one of the cells in `bits`. There must be at least one. The upper
    /// half of the seed decides which cell.
    function pick(uint256 bits, uint256 word, bytes32 seed) internal pure returns (uint16) {
        return uint16((word << 8) | select(bits, (uint256(seed) >> 128) % count(bits)));
    }

    function bit(uint256 cell) internal pure returns (uint256) {
        return uint256(1) << (cell & 255);
    }

    /// @notice Returns the number of set bits in a word.
    function count(uint256 bits) internal pure returns (uint256) {
        if (bits == type(uint256).max) return 256; // with all bits set, the sum is 256, which one byte can't hold
        return _sums(bits) >> 248;
    }

    // Each byte of `below` is a count, and the conversion selects one byte.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @notice Returns the position of the k-th set bit, where k starts at 0. Finds this bit's byte
    /// by bisection, and then skips the byte's earlier set bits.
    function select(uint256 bits, uint256 k) internal pure returns (uint256 index) {
        unchecked {
            uint256 below = _sums(bits) << 8; // byte i contains the number of set bits below it
            for (uint256 half = 128; half >= 8; half >>= 1) {
                if (k >= uint8(below >> (index + half))) index += half;
            }
            k -= uint8(below >> index);
            for (bits >>= index; k > 0; --k) {
                bits &= bits - 1;
            }
            for (; bits & 1 == 0; bits >>= 1) {
                ++index;
            }
        }
    }

    /// @dev Returns a word in which byte i contains the number of set bits in bytes 0 to i. Counts
    /// the bits in pairs, groups of four and bytes. A multiplication then adds up the bytes.
    function _sums(uint256 bits) private pure returns (uint256) {
        unchecked {
            bits -= (bits >> 1) & (type(uint256).max / 3);
            bits = (bits & (type(uint256).max / 5)) + ((bits >> 2) & (type(uint256).max / 5));
            bits = (bits + (bits >> 4)) & (type(uint256).max / 17);
            return bits * (type(uint256).max / 255);
        }
    }
}
