// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reads the graph of a map, in the format that calldata and map contracts use
/// @dev A graph consists of the numbers of lands and of bodies of water (1 byte each), rows of 12
/// bytes (big-endian), and the soldiers on each land (1 byte each). Each row is a set of lands. The
/// rows are the neighbours of each land, the shores of each body of water, three bit planes of the
/// land types, and the forts.
library LandGraph {
    uint256 internal constant MAX_LANDS = 96;
    uint256 internal constant MAX_BODIES = 8;
    /// @dev The number of rows after the rows for lands and bodies of water: three bit planes and
    /// the forts.
    uint256 internal constant EXTRA_ROWS = 4;

    uint256 private constant _HEADER_SIZE = 2;
    uint256 private constant _ROW_SIZE = 12;
    uint256 private constant _TYPES = 5;

    /// @return graph the graph, which is the code of the map contract without its first byte
    function load(address map) internal view returns (bytes memory graph) {
        assembly ("memory-safe") {
            graph := mload(0x40)
            let count := sub(extcodesize(map), 1)
            mstore(graph, count)
            extcodecopy(map, add(graph, 0x20), 1, count)
            mstore(0x40, and(add(add(graph, count), 0x3f), not(0x1f)))
        }
    }

    function lands(bytes memory graph) internal pure returns (uint256) {
        return _byte(graph, 0);
    }

    function bodies(bytes memory graph) internal pure returns (uint256) {
        return _byte(graph, 1);
    }

    /// @return the size, in bytes, of a graph with these numbers of lands and bodies of water
    function size(uint256 lands_, uint256 bodies_) internal pure returns (uint256) {
        return _HEADER_SIZE + _ROW_SIZE * (lands_ + bodies_ + EXTRA_ROWS) + lands_;
    }

    /// @return set the lands in a row. The first rows are the neighbours of lands, followed by the
    /// shores of bodies of water, the bit planes and the forts
    function row(bytes memory graph, uint256 index) internal pure returns (uint256 set) {
        assembly ("memory-safe") {
            set := shr(160, mload(add(add(graph, 0x22), mul(index, 12))))
        }
    }

    /// @return set the lands that share a body of water with this land; the land itself is among
    /// them if it touches water
    function shores(bytes memory graph, uint256 land) internal pure returns (uint256 set) {
        unchecked {
            uint256 first = lands(graph);
            uint256 count = bodies(graph);
            assembly ("memory-safe") {
                let at := add(add(graph, 0x22), mul(first, 12))
                for {
                    let end := add(at, mul(count, 12))
                } lt(at, end) {
                    at := add(at, 12)
                } {
                    let body := shr(160, mload(at))
                    set := or(set, mul(body, and(shr(land, body), 1)))
                }
            }
        }
    }

    function forts(bytes memory graph) internal pure returns (uint256) {
        return row(graph, lands(graph) + bodies(graph) + EXTRA_ROWS - 1);
    }

    /// @return count the number of different types among the lands in a set
    function countTypes(bytes memory graph, uint256 set) internal pure returns (uint256 count) {
        unchecked {
            uint256 index = lands(graph) + bodies(graph);
            (uint256 low, uint256 middle, uint256 high) =
                (row(graph, index), row(graph, index + 1), row(graph, index + 2));
            for (uint256 kind = 1; kind <= _TYPES; ++kind) {
                uint256 those = set & (kind & 1 == 0 ? ~low : low) & (kind & 2 == 0 ? ~middle : middle);
                if (those & (kind & 4 == 0 ? ~high : high) != 0) ++count;
            }
        }
    }

    /// @return soldiers the soldiers on 32 lands, one byte per land; the highest byte is for the
    /// given land
    function soldiersFrom(bytes memory graph, uint256 land) internal pure returns (uint256 soldiers) {
        unchecked {
            uint256 offset = size(lands(graph), bodies(graph)) - lands(graph) + land;
            assembly ("memory-safe") {
                soldiers := mload(add(add(graph, 0x20), offset))
            }
        }
    }

    function _byte(bytes memory graph, uint256 index) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := byte(0, mload(add(add(graph, 0x20), index)))
        }
    }
}
