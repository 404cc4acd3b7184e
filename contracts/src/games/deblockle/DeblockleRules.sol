// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Position} from "./Position.sol";

/// @title The rules of Deblockle: how cubes turn, roll and hop in both rulesets
/// @dev Cells are numbered 7 * (y - 1) + x - 1. A set of cells is a bitboard: bit i is cell i. The
/// directions are 0 forward (y - 1), 1 right (x + 1), 2 backward (y + 1) and 3 left (x - 1). Each
/// top face has four orientations, with the numbers 4 * (up - 1) to 4 * (up - 1) + 3. The
/// orientations of a top face are sorted by `front`.
library DeblockleRules {
    using Position for uint256;

    uint256 internal constant SIDE = 7;
    uint256 internal constant BOARD = 0x1ffffffffffff;

    uint256 internal constant STAR = 1;
    uint256 internal constant CROSS = 2;
    uint256 internal constant SLIDE = 3;
    uint256 internal constant HOOPS = 4;
    uint256 internal constant TEE = 5;
    uint256 internal constant STOP = 6;

    uint256 private constant _ROW = 0x7f;
    uint256 private constant _COLUMN = 0x40810204081;
    uint256 private constant _RIGHTMOST = _COLUMN << 6;
    /// @dev The width of a bitboard in bits, when four bitboards are packed into one word.
    uint256 private constant _BOARD_BITS = 64;
    uint256 private constant _LOWEST_BITS = 0x1000000000000000100000000000000010000000000000001;
    /// @dev The cells of the star squares, eight bits each: cell 10 = (4, 2) for seat 0, cell 38 =
    /// (4, 6) for seat 1.
    uint256 private constant _STAR_CELLS = 0x260a;

    /// @dev Two tables with the orientation after a roll, five bits for each orientation and
    /// direction. The first table is for rolls forward and right, the second for rolls backward and
    /// left.
    uint256 private constant _FORWARD_RIGHT = 0x51e4b2bdb378c4aab91738ae604a1698465a4495582c90b594710c88b130;
    uint256 private constant _BACKWARD_LEFT = 0x740cc8a1245d2cd0a5809d471a14813daf201a027dc4eaa90354e4f2ada7;
    /// @dev For each orientation, the directions of the rolls after which Star is on top, four bits
    /// each.
    uint256 private constant _STAR_DIRECTIONS = 0x12841824128418240000;
    /// @dev The faces `front` and `right` of each orientation, three bits each.
    uint256 private constant _FACES = 0x954ada7b42e1b8dc915b52a998ccd976c4e2;

    // ---- cubes

    function up(uint256 orientation) internal pure returns (uint256) {
        return (orientation >> 2) + 1;
    }

    function front(uint256 orientation) internal pure returns (uint256) {
        return (_FACES >> (6 * orientation)) & 7;
    }

    function right(uint256 orientation) internal pure returns (uint256) {
        return (_FACES >> (6 * orientation + 3)) & 7;
    }

    /// @return the orientation after a roll in the given direction
    function rolled(uint256 orientation, uint256 direction) internal pure returns (uint256) {
        unchecked {
            uint256 table = direction < 2 ? _FORWARD_RIGHT : _BACKWARD_LEFT;
            return (table >> (10 * orientation + 5 * (direction & 1))) & 31;
        }
    }

    // ---- cells

    /// @return the cell of the seat's star square
    function star(uint256 seat) internal pure returns (uint256) {
        return (_STAR_CELLS >> (8 * seat)) & 255;
    }

    /// @return the cells that the seat's cubes can enter: all empty cells except the opponent's
    /// star square
    function openCells(uint256 position, uint256 seat) internal pure returns (uint256) {
        return BOARD & ~(position.occupied() | (1 << star(1 - seat)));
    }

    /// @return the cells that are one step from the given cells in the given direction. Steps off
    /// the board are ignored
    function step(uint256 cells, uint256 direction) internal pure returns (uint256) {
        if (direction == 0) return cells >> SIDE;
        if (direction == 1) return (cells & ~_RIGHTMOST) << 1;
        if (direction == 2) return (cells << SIDE) & BOARD;
        return (cells & ~_COLUMN) >> 1;
    }

    // ---- rolls

    /// @return mask the rolls that the seat can make: bit 4 * (cube % 4) + direction
    function rolls(uint256 position, uint256 seat) internal pure returns (uint256 mask) {
        uint256 free = openCells(position, seat);
        uint256 home = free & (1 << star(seat));
        free = _originsOf(free ^ home);
        home = _originsOf(home);
        unchecked {
            for (uint256 cube; cube < Position.CUBES; ++cube) {
                uint256 id = Position.CUBES * seat + cube;
                uint256 cell = position.cellOf(id);
                if (cell == Position.NO_CELL) continue;
                uint256 showsStar = _STAR_DIRECTIONS >> (4 * position.orientationOf(id));
                uint256 ways = (_directionsInto(free, cell) & ~showsStar) | (_directionsInto(home, cell) & showsStar);
                mask |= ways << (4 * cube);
            }
        }
    }

    /// @return four bitboards of 64 bits, one per direction: the cells from which a step in that
    /// direction leads into the given cells
    function _originsOf(uint256 cells) private pure returns (uint256) {
        return (cells << SIDE) | (((cells & ~_COLUMN) >> 1) << _BOARD_BITS) | ((cells >> SIDE) << (2 * _BOARD_BITS))
            | (((cells & ~_RIGHTMOST) << 1) << (3 * _BOARD_BITS));
    }

    /// @return the directions whose bitboards in `origins` contain the cell: bit i is direction i
    function _directionsInto(uint256 origins, uint256 cell) private pure returns (uint256) {
        origins = (origins >> cell) & _LOWEST_BITS;
        origins |= origins >> (_BOARD_BITS - 1);
        return (origins | (origins >> (2 * _BOARD_BITS - 2))) & 15;
    }

    // ---- hops

    /// @return the cells that the cube with this id can hop to
    function hops(uint256 position, uint256 id) internal pure returns (uint256) {
        uint256 face = up(position.orientationOf(id));
        uint256 free = openCells(position, id / Position.CUBES);
        return targets(position.cellOf(id), face, free, position.strict());
    }

    /// @dev Returns the cells that a cube on `cell` can hop to.
    /// @param face the face on top of the cube
    /// @param free the cells that the cube can enter
    /// @param strict true for the ruleset Board, in which slides and Hoops can't pass cells that
    /// are not free
    function targets(uint256 cell, uint256 face, uint256 free, bool strict) internal pure returns (uint256) {
        uint256 start = 1 << cell;
        if (face == TEE) return _adjacent(start) & free;
        if (face == CROSS) {
            uint256 sideways = step(start, 1) | step(start, 3);
            return (step(sideways, 0) | step(sideways, 2)) & free;
        }
        if (face == HOOPS) {
            uint256 passable = strict ? free | start : BOARD;
            return _adjacent(_adjacent(_adjacent(start) & passable) & passable) & free;
        }
        if (face != SLIDE) return 0;
        if (strict) return _slide(start, free);
        return ((_ROW << (cell - (cell % SIDE))) | (_COLUMN << (cell % SIDE))) & free;
    }

    /// @dev Returns, for each direction, the last cell that a slide from `start` reaches over free
    /// cells.
    function _slide(uint256 start, uint256 free) private pure returns (uint256 ends) {
        unchecked {
            for (uint256 direction; direction < 4; ++direction) {
                uint256 end = start;
                for (uint256 next = start; next != 0; next = step(end, direction) & free) {
                    end = next;
                }
                if (end != start) ends |= end;
            }
        }
    }

    function _adjacent(uint256 cells) private pure returns (uint256) {
        return step(cells, 0) | step(cells, 1) | step(cells, 2) | step(cells, 3);
    }
}
