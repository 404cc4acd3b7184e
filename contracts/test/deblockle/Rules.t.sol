// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {CubeRules} from "./support/CubeRules.sol";

/// @title Compares the contract's rolls and hops with a second implementation of the rules
/// @notice The fuzz tests use random positions.
contract RulesTest is CubeRules {
    function setUp() public override {
        super.setUp();
        _begin(4, NEAR);
    }

    // ---- faces

    // It should turn the cube, and publish its faces and the squares that it can hop to
    /// @dev Rolls a cube from each of the 24 orientations in each direction.
    function test_RollsFromEachOrientation() public {
        uint256 orientations;
        for (uint8 up = 1; up <= 6; ++up) {
            for (uint8 front = 1; front <= 6; ++front) {
                if (front == up || front == 7 - up) continue;
                ++orientations;
                _setPosition(_cube(0x34, up, front), _cube(0x71, 2, 6), 0, NO_CUBE);
                (, IDeblockle.Cube memory before,) = game.cubeState(number, 3, 4);
                vm.assertEq(before.up, up, "up");
                vm.assertEq(before.front, front, "front");
                for (uint256 direction; direction < 4; ++direction) {
                    _assertTurned(Cube(0x34, up, front, before.right), direction);
                }
            }
        }
        vm.assertEq(orientations, 24, "orientations");
    }

    function _assertTurned(Cube memory before, uint256 direction) private {
        Cube memory turned = _rolled(before, direction);
        uint256 state = vm.snapshotState();
        bytes memory revertData = _at(IDeblockle.StarOffSquare.selector, 1, turned.square);
        _move(before.square, turned.square, turned.up == 1 ? revertData : bytes(""));
        if (turned.up != 1) {
            (, IDeblockle.Cube memory cube,) = game.cubeState(number, turned.square >> 4, turned.square & 15);
            vm.assertEq(cube.up, turned.up, "up");
            vm.assertEq(cube.front, turned.front, "front");
            vm.assertEq(cube.right, turned.right, "right");
        }
        vm.revertToState(state);
    }

    // It should have the faces of the wooden game
    /// @dev The orientations are those that rolls reach from the net in the game's rules, so that
    /// no cube is a mirror image.
    function test_RightFaces() public {
        Cube memory cube = Cube(0x34, 1, 3, 2);
        for (uint256 i; i < 100; ++i) {
            _setPosition(_cube(0x34, cube.up, cube.front), _cube(0x71, 2, 6), 0, NO_CUBE);
            (, IDeblockle.Cube memory shown,) = game.cubeState(number, 3, 4);
            vm.assertEq(shown.right, cube.right, "right");
            cube = _rolled(cube, uint256(keccak256(abi.encode(i))) % 4);
            cube.square = 0x34;
        }
    }

    // ---- legal moves

    // It should show the legal rolls in any position
    // It should show the legal hops in any position
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_LegalMoves(uint256 seed) public {
        _placeAtRandom(seed);
        for (uint8 seat; seat < 2; ++seat) {
            _store(seat, NO_CUBE);
            vm.assertEq(_board().rolls, _rolls(seat), "rolls");
            for (uint8 id = 4 * seat; id < 4 * seat + 4; ++id) {
                if (_cubes[id].square == 0) continue;
                _store(seat, id);
                vm.assertEq(_board().hops, _hops(id), "hops");
            }
        }
    }

    // It should accept exactly the legal moves, and revert with the reason otherwise
    /// @dev Tries all legal targets of one cube, all adjacent squares, and one in eight of the
    /// other squares.
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_Moves(uint256 seed, bool hopping) public {
        _placeAtRandom(seed);
        uint8 id = uint8(seed % 8);
        while (_cubes[id].square == 0) {
            id = (id + 1) % 8;
        }
        _store(id / 4, hopping ? id : NO_CUBE);
        uint64 legal = hopping ? _hops(id) : _rollTargets(id);
        uint256 state = vm.snapshotState();
        for (uint8 cell; cell < 49; ++cell) {
            if (legal >> cell & 1 == 1) {
                _assertMove(id, _square(cell), hopping);
            } else if (cell % 8 == seed % 8 || _isBeside(_cubes[id].square, _square(cell))) {
                _assertFault(id, _square(cell), hopping);
            } else {
                continue;
            }
            vm.revertToState(state);
        }
    }

    function _assertMove(uint8 id, uint8 to, bool hopping) private {
        _move(_cubes[id].square, to);
        bool home = !hopping && to == _star(id / 4);
        vm.assertEq(_squareOf(_board(), id), home ? 0 : to, "the cube's square");
    }

    function _assertFault(uint8 id, uint8 to, bool hopping) private {
        _move(_cubes[id].square, to, _fault(id, to, hopping));
    }

    // ---- the rulesets

    // It should let a slide end on any free square of the row or column
    // It should let a slide end only where it is stopped
    function test_Slide() public {
        for (uint8 ruleset; ruleset < 2; ++ruleset) {
            _begin(4, ruleset);
            _move(0x35, 0x36);
            // The opponent's star square (4, 6) is on one side. Other cubes are on (3, 7), (3, 3)
            // and (3, 1).
            vm.assertEq(_board().hops, ruleset == NEAR ? _mask(hex"1626566676323435") : _mask(hex"1634"), "hops");
            if (ruleset == BOARD) {
                uint8[3] memory others = [0x35, 0x32, 0x26];
                for (uint256 i; i < 3; ++i) {
                    _move(0x36, others[i], _at(IDeblockle.BadHop.selector, 3, others[i]));
                }
            }
            _move(0x36, ruleset == NEAR ? 0x32 : 0x34);
        }
    }

    // It should let Hoops pass over other cubes
    // It should let Hoops pass only over free squares
    function test_Hoops() public {
        for (uint8 ruleset; ruleset < 2; ++ruleset) {
            _begin(4, ruleset);
            uint256[8] memory cubes;
            (cubes[0], cubes[1], cubes[2], cubes[3]) = (_cube(0x11, 4, 1), REMOVED, REMOVED, REMOVED);
            (cubes[4], cubes[5], cubes[6], cubes[7]) = (_cube(0x21, 2, 6), _cube(0x12, 2, 6), REMOVED, REMOVED);
            _setPosition(cubes, 0, 0);
            vm.assertEq(_board().hops, ruleset == NEAR ? _mask(hex"41322314") : 0, "hops");
        }
    }

    // It should allow as many different first turns as the game's rules list
    function test_NumberOfFirstTurns() public {
        uint8[3][4] memory counts = [[1, 0, 1], [1, 1, 1], [2, 0, 17], [2, 1, 16]];
        for (uint256 i; i < 4; ++i) {
            _begin(counts[i][0], counts[i][1]);
            vm.assertEq(_turns(), counts[i][2], "turns");
        }
    }

    /// @dev Returns the number of turns that the player to move can make.
    function _turns() private returns (uint256 turns) {
        IDeblockle.BoardView memory board = _board();
        for (uint256 bit; bit < 16; ++bit) {
            if (board.rolls >> bit & 1 == 0) continue;
            uint256 state = vm.snapshotState();
            uint8 from = _squareOf(board, uint8(bit / 4));
            _move(from, _beside(from, bit % 4));
            uint64 hops = _board().hops;
            if (hops == 0) ++turns;
            for (; hops != 0; hops &= hops - 1) {
                ++turns;
            }
            vm.revertToState(state);
        }
    }

    // ---- random positions

    /// @dev Chooses a ruleset and a position. At least one cube is on the board.
    function _placeAtRandom(uint256 seed) private {
        _ruleset = uint8(seed >> 255);
        _begin(4, _ruleset);
        // In half of the positions, all cubes are near each other.
        uint256 side = seed >> 254 & 1 == 0 ? 7 : 4;
        for (uint256 id; id < 8; ++id) {
            uint256 random = uint256(keccak256(abi.encode(seed, id)));
            Cube memory cube = Cube(0, 1, 3, 2);
            for (uint256 i; i < 6; ++i) {
                cube = _rolled(Cube(0x44, cube.up, cube.front, cube.right), random >> (8 * i) & 3);
            }
            uint8 square = uint8(16 * ((random >> 64) % side + 1) + (random >> 128) % side + 1);
            bool removed = id != 0 && (random >> 192) % 4 == 0;
            cube.square = removed || square == _star(1 - id / 4) || _isTaken(square) ? 0 : square;
            if (id == 0 && cube.square == 0) cube.square = 0x11;
            _cubes[id] = cube;
        }
    }

    /// @dev Writes the position into the contract's storage.
    function _store(uint8 seat, uint8 hopper) private {
        uint256[8] memory cubes;
        for (uint256 id; id < 8; ++id) {
            Cube memory cube = _cubes[id];
            cubes[id] = cube.square == 0 ? REMOVED : _cube(cube.square, cube.up, cube.front);
        }
        _setPosition(cubes, seat, hopper);
    }
}
