// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Parses the string that describes a fleet, for example `PH12 SH81 DV7 BV51 CH40`
/// @notice The string contains the five ships in any order, separated by single spaces. Each ship
/// is written as a letter for its type, a letter for its direction (H to the right, V down), and
/// the number of its top or left tile. The types are P (patrol, 2 tiles), S (submarine, 3), D
/// (destroyer, 3), B (battleship, 4) and C (carrier, 5). Tiles are numbered 0..98 row by row, 9 per
/// row, and written without leading zeros.
library FleetCode {
    uint8 internal constant MALFORMED = 1;
    uint8 internal constant NOT_THE_FIVE_SHIPS = 2;
    uint8 internal constant OFF_THE_GRID = 3;
    uint8 internal constant OVERLAP = 4;

    /// @dev The number of tiles on the grid, and the number of tiles that a fleet occupies.
    uint256 internal constant TILES = 99;
    uint256 internal constant OCCUPIED = 17;

    uint256 private constant _WIDTH = 9;
    uint256 private constant _HEIGHT = 11;
    uint256 private constant _SHIP_COUNT = 5;
    /// @dev A set of letters: bit 0 is A. It contains the letters that stand for ships: P, S, D, B
    /// and C.
    uint256 private constant _SHIP_LETTERS = (1 << 15) | (1 << 18) | (1 << 3) | (1 << 1) | (1 << 2);
    /// @dev The lengths of the ships in tiles, four bits per letter of the alphabet. The lowest
    /// four bits belong to A.
    uint256 private constant _LENGTHS = (2 << 60) | (3 << 72) | (3 << 12) | (4 << 4) | (5 << 8);
    /// @dev The first tile in each of the first five rows, as a bitmap. The longest ship has five
    /// tiles.
    uint256 private constant _COLUMN = 0x1008040201;

    /// @dev Parses a fleet string in one pass.
    /// @return mask the occupied tiles as a bitmap: bit i is tile i; 0 if there is a fault
    /// @return fault the first of the faults 1 to 4 (see the event Revealed) that applies, or 0 if
    /// there is none
    function parse(bytes calldata ships) internal pure returns (uint256 mask, uint8 fault) {
        (uint256 seen, uint256 shipCount, uint256 offset) = (0, 0, 0);
        (bool offGrid, bool overlap) = (false, false);
        while (true) {
            (uint256 letter, bool down) = _parseShip(ships, offset);
            (uint256 tile, uint256 next) = _parseTile(ships, offset + 2);
            if (letter == 0 || next == 0) return (0, MALFORMED);
            uint256 length = (_LENGTHS >> (4 * (letter - 0x41))) & 0xf;
            offGrid = offGrid || (down ? tile / _WIDTH + length > _HEIGHT : (tile % _WIDTH) + length > _WIDTH);
            uint256 tiles = _shipMask(length, down) << tile;
            overlap = overlap || mask & tiles != 0;
            mask |= tiles;
            seen |= 1 << (letter - 0x41);
            ++shipCount;
            if (next == ships.length) break;
            if (ships[next] != " ") return (0, MALFORMED);
            offset = next + 1;
        }
        if (seen != _SHIP_LETTERS || shipCount != _SHIP_COUNT) return (0, NOT_THE_FIVE_SHIPS);
        if (offGrid) return (0, OFF_THE_GRID);
        if (overlap) return (0, OVERLAP);
    }

    /// @return letter the ASCII code of the ship's letter, or 0 if the letter or the direction is
    /// invalid
    /// @return down true if the direction is V
    function _parseShip(bytes calldata ships, uint256 offset) private pure returns (uint256 letter, bool down) {
        if (ships.length < offset + 2) return (0, false);
        letter = uint8(ships[offset]);
        bytes1 direction = ships[offset + 1];
        if (letter < 0x41 || (_SHIP_LETTERS >> (letter - 0x41)) & 1 == 0 || (direction != "H" && direction != "V")) {
            return (0, false);
        }
        down = direction == "V";
    }

    /// @return tile the number of the tile, 0..98
    /// @return next the offset after the tile, or 0 if there is no valid tile at this offset
    function _parseTile(bytes calldata ships, uint256 offset) private pure returns (uint256 tile, uint256 next) {
        if (!_isDigit(ships, offset)) return (0, 0);
        tile = uint8(ships[offset]) - 0x30;
        next = offset + 1;
        if (!_isDigit(ships, next)) return (tile, next);
        if (tile == 0) return (0, 0);
        tile = 10 * tile + uint8(ships[next]) - 0x30;
        return tile < TILES ? (tile, next + 1) : (0, 0);
    }

    function _isDigit(bytes calldata ships, uint256 offset) private pure returns (bool) {
        return offset < ships.length && ships[offset] >= "0" && ships[offset] <= "9";
    }

    /// @return the tiles of a ship that starts at tile 0, as a bitmap
    function _shipMask(uint256 length, bool down) private pure returns (uint256) {
        return down ? _COLUMN & ((1 << (_WIDTH * length)) - 1) : (1 << length) - 1;
    }
}
