// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDeblockle} from "../../../src/games/deblockle/IDeblockle.sol";
import {DeblockleFixture} from "./DeblockleFixture.sol";

/// @title A second implementation of the rules
/// @notice It uses coordinates and loops, while the contract uses bitboards and tables.
abstract contract CubeRules is DeblockleFixture {
    /// @dev A cube. It is not on the board if its square is 0.
    struct Cube {
        uint8 square;
        uint8 up;
        uint8 front;
        uint8 right;
    }

    Cube[8] internal _cubes;
    uint8 internal _ruleset;

    function _rolls(uint8 seat) internal view returns (uint256 mask) {
        for (uint8 i; i < 4; ++i) {
            Cube memory cube = _cubes[4 * seat + i];
            if (cube.square == 0) continue;
            for (uint256 direction; direction < 4; ++direction) {
                Cube memory turned = _rolled(cube, direction);
                bool fitting = (turned.up == 1) == (turned.square == _star(seat));
                if (fitting && _isFree(turned.square, seat)) mask |= 1 << (4 * i + direction);
            }
        }
    }

    /// @dev Returns the squares to which the cube can roll, as a bitboard.
    function _rollTargets(uint8 id) internal view returns (uint64 mask) {
        uint256 rolls = _rolls(id / 4) >> (4 * (id % 4));
        for (uint256 direction; direction < 4; ++direction) {
            if (rolls >> direction & 1 == 1) mask |= _mask(abi.encodePacked(_beside(_cubes[id].square, direction)));
        }
    }

    function _hops(uint8 id) internal view returns (uint64 mask) {
        Cube memory cube = _cubes[id];
        uint8 seat = id / 4;
        for (uint8 cell; cell < 49; ++cell) {
            uint8 to = _square(cell);
            if (_isFree(to, seat) && _reaches(cube, to, seat)) mask |= uint64(1) << cell;
        }
    }

    /// @dev Returns true if the top face allows a hop to a free square.
    function _reaches(Cube memory cube, uint8 to, uint8 seat) internal view returns (bool) {
        uint256 x = _distance(cube.square >> 4, to >> 4);
        uint256 y = _distance(cube.square & 15, to & 15);
        if (cube.up == 2) return x == 1 && y == 1;
        if (cube.up == 5) return x + y == 1;
        if (cube.up == 4) {
            return _ruleset == NEAR ? x + y == 1 || x + y == 3 : _walks(cube.square, cube.square, to, seat, 3);
        }
        if (cube.up == 3) return (x == 0 || y == 0) && (_ruleset == NEAR || _slides(cube.square, to, seat));
        return false;
    }

    /// @dev Returns true if exactly `steps` steps over free squares, or over the square `start`,
    /// lead to the target.
    function _walks(uint8 start, uint8 from, uint8 to, uint8 seat, uint256 steps) internal view returns (bool) {
        if (steps == 0) return from == to;
        for (uint256 direction; direction < 4; ++direction) {
            uint8 next = _beside(from, direction);
            if (next != start && !_isFree(next, seat)) continue;
            if (_walks(start, next, to, seat, steps - 1)) return true;
        }
        return false;
    }

    function _slides(uint8 from, uint8 to, uint8 seat) internal view returns (bool) {
        for (uint256 direction; direction < 4; ++direction) {
            uint8 square = from;
            while (_isFree(_beside(square, direction), seat)) {
                square = _beside(square, direction);
            }
            if (square == to) return true;
        }
        return false;
    }

    function _rolled(Cube memory cube, uint256 direction) internal pure returns (Cube memory) {
        uint8 square = _beside(cube.square, direction);
        (uint8 up, uint8 front, uint8 right) = (cube.up, cube.front, cube.right);
        if (direction == 0) return Cube(square, 7 - front, up, right);
        if (direction == 1) return Cube(square, 7 - right, front, up);
        return direction == 2 ? Cube(square, front, 7 - up, right) : Cube(square, right, front, 7 - up);
    }

    function _isFree(uint8 square, uint8 seat) internal view returns (bool) {
        (uint8 x, uint8 y) = (square >> 4, square & 15);
        if (x == 0 || x > 7 || y == 0 || y > 7) return false;
        return square != _star(1 - seat) && !_isTaken(square);
    }

    function _isTaken(uint8 square) internal view returns (bool) {
        for (uint256 id; id < 8; ++id) {
            if (_cubes[id].square == square) return true;
        }
        return false;
    }

    function _isBeside(uint8 from, uint8 to) internal pure returns (bool) {
        return _distance(from >> 4, to >> 4) + _distance(from & 15, to & 15) == 1;
    }

    function _distance(uint256 a, uint256 b) internal pure returns (uint256) {
        return a > b ? a - b : b - a;
    }

    /// @dev Returns the error of an illegal move.
    function _fault(uint8 id, uint8 to, bool hopping) internal view returns (bytes memory) {
        if (to == _star(1 - id / 4)) return _at(IDeblockle.RivalsStar.selector, to);
        if (_isTaken(to)) return _at(IDeblockle.SquareTaken.selector, to);
        Cube memory cube = _cubes[id];
        if (hopping) return _at(IDeblockle.BadHop.selector, cube.up, to);
        for (uint256 direction; direction < 4; ++direction) {
            if (_beside(cube.square, direction) != to) continue;
            return _at(IDeblockle.StarOffSquare.selector, _rolled(cube, direction).up, to);
        }
        return _at(IDeblockle.NotBeside.selector, to);
    }
}
