// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {Vm, vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests `makeMove`: its events and the course of a turn
contract MoveTest is DeblockleFixture {
    // ---- the samples in the game's rules

    // It should turn the cube, and publish its faces and the squares that it can hop to
    // It should move the cube without turning it
    // It should end the match as won
    function test_ExampleMatch() public {
        _begin();
        _assertRoll(1, hex"060305", 0);
        _assertRoll(2, hex"060305", 0);
        _assertRoll(3, hex"040605", _mask(hex"2635373366151755572444"));
        _assertHop(4);
        _assertRoll(5, hex"030105", _mask(hex"5153545556571222326272"));
        _assertHop(6);
        vm.assertEq(_squareOf(_board(), 0), 0x44, "ANNE's cube");
        vm.assertEq(_squareOf(_board(), 4), 0x56, "BOB's cube");
        _assertRoll(7, hex"020604", _mask(hex"43634565"));
        _assertHop(8);
        _assertRoll(9, hex"060305", 0);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IDeblockle.Removed(number, seq + 2, ANNE, 0, 0);
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, seq + 3, ANNE, IMatch.Reason.Won);
        _assertRoll(10, hex"010204", 0);
        _assertEnded(ANNE, IMatch.Reason.Won);
        vm.assertEq(game.seqOf(number), seq + 3, "seq");
        vm.assertEq(_board().ply, 10, "ply");
        vm.assertEq(_board().left.length, 1, "cubes on the board");
        (, uint8 winner,) = game.gameState(number);
        vm.assertEq(winner, 0, "the winner's seat");
    }

    /// @dev Plays a roll of the example match, and checks its event.
    function _assertRoll(uint256 ply, bytes memory faces, uint64 hops) private {
        uint256[11] memory data;
        _describe(data, ply);
        (data[7], data[8], data[9]) = (uint8(faces[0]), uint8(faces[1]), uint8(faces[2]));
        data[10] = hops;
        _assertEvent(ply, IDeblockle.Rolled.selector, abi.encode(data));
        if (hops == 0) return;
        vm.assertEq(_board().hops, hops, "hops");
        vm.assertEq(_board().rolls, 0, "rolls");
        vm.assertEq(_board().hopper, data[2], "hopper");
    }

    /// @dev Plays a hop of the example match, and checks its event.
    function _assertHop(uint256 ply) private {
        uint256[11] memory data;
        _describe(data, ply);
        bytes memory encoded = abi.encode(data);
        assembly ("memory-safe") {
            mstore(encoded, 224) // seven words
        }
        _assertEvent(ply, IDeblockle.Hopped.selector, encoded);
        vm.assertEq(_board().hopper, NO_CUBE, "hopper");
    }

    /// @dev Fills in the values that rolls and hops have in common.
    function _describe(uint256[11] memory data, uint256 ply) private view {
        (uint8 from, uint8 to) = (uint8(EXAMPLE[2 * ply - 2]), uint8(EXAMPLE[2 * ply - 1]));
        (data[0], data[1], data[2]) = (game.seqOf(number) + 1, ply - 1, _board().mover == ANNE ? 0 : 4);
        (data[3], data[4], data[5], data[6]) = (from >> 4, from & 15, to >> 4, to & 15);
    }

    function _assertEvent(uint256 ply, bytes32 topic, bytes memory data) private {
        address mover = _board().mover;
        vm.recordLogs();
        _play(ply, ply);
        Vm.Log memory log = vm.getRecordedLogs()[0];
        vm.assertEq(log.topics[0], topic);
        vm.assertEq(log.topics[1], bytes32(uint256(number)));
        vm.assertEq(log.topics[2], bytes32(uint256(uint160(mover))));
        vm.assertEq(log.data, data);
    }

    // It should end the turn at once if stoP is on top
    function test_SampleWithThreeCubes() public {
        _begin(3, NEAR);
        _move(0x45, 0x44);
        vm.assertEq(_board().mover, BOB);
        (, IDeblockle.Cube memory cube,) = game.cubeState(number, 4, 4);
        vm.assertEq(abi.encode(cube), abi.encode(IDeblockle.Cube(2, 4, 4, 6, 4, 2)));
        bytes memory left = abi.encode(_board().left);
        _pass();
        vm.assertEq(_board().mover, ANNE);
        vm.assertEq(abi.encode(_board().left), left);
    }

    // It should leave each player exactly one first roll if each has one cube
    function test_ForcedOpening() public {
        for (uint8 ruleset; ruleset < 2; ++ruleset) {
            _begin(1, ruleset);
            vm.assertEq(_board().rolls, 1 << 3, "ANNE's rolls");
            _move(0x47, 0x37);
            vm.assertEq(_board().mover, BOB);
            vm.assertEq(_board().rolls, 1 << 1, "BOB's rolls");
        }
    }

    // ---- a turn

    // It should let the same player hop, and not restart the clock
    // It should give the turn to the opponent after the hop, and restart the clock
    function test_RollAndHop() public {
        _begin(4, NEAR);
        uint40 deadline = _board().deadline;
        _wait(100);
        _move(0x35, 0x36);
        IDeblockle.BoardView memory board = _board();
        vm.assertEq(board.mover, ANNE);
        vm.assertEq(uint8(board.phase), uint8(IDeblockle.Phase.Hop), "phase");
        vm.assertEq(board.hopper, 0, "hopper");
        vm.assertEq(board.deadline, deadline, "deadline");
        vm.assertEq(board.ply, 1, "ply");

        _wait(100);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IDeblockle.Hopped(number, seq + 1, 1, ANNE, 0, 3, 6, 3, 4);
        vm.expectEmit(true, true, true, false, address(game));
        emit IDeblockle.TurnChanged(number, seq + 2, BOB, 0);
        _move(0x36, 0x34);
        board = _board();
        vm.assertEq(board.mover, BOB);
        vm.assertEq(uint8(board.phase), uint8(IDeblockle.Phase.Roll), "phase");
        vm.assertEq(board.hopper, NO_CUBE, "hopper");
        vm.assertEq(board.deadline, block.timestamp + CLOCK, "deadline");
        vm.assertEq(board.ply, 2, "ply");
        vm.assertEq(board.quiet, 2, "quiet plies");
        vm.assertEq(game.seqOf(number), seq + 2, "seq");
    }

    // It should accept the move
    function test_LateMove() public {
        _begin(1, NEAR);
        vm.warp(_board().deadline + 1000);
        _move(0x47, 0x37);
        vm.assertEq(_board().mover, BOB);
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
    }

    // It should end the turn at once if no hop is possible
    function test_BlockedHop() public {
        _begin(1, NEAR);
        // In the corner (1, 7), X-hop is on top. BOB's cube is on the only diagonal neighbour.
        _setPosition(_cube(0x16, 3, 2), _cube(0x26, 2, 6), 0, NO_CUBE);
        _move(0x16, 0x17);
        vm.assertEq(_board().mover, BOB);
        vm.assertEq(_board().hopper, NO_CUBE, "hopper");
        (, IDeblockle.Cube memory cube,) = game.cubeState(number, 1, 7);
        vm.assertEq(cube.up, 2, "the top face");
    }

    // It should remove the cube
    // It should give the turn to the opponent if cubes are left
    function test_Removal() public {
        _begin(4, NEAR);
        uint256[8] memory cubes;
        (cubes[0], cubes[1], cubes[2], cubes[3]) = (REMOVED, _cube(0x43, 2, 6), REMOVED, _cube(0x77, 2, 6));
        (cubes[4], cubes[5], cubes[6], cubes[7]) = (_cube(0x11, 2, 6), REMOVED, REMOVED, REMOVED);
        _setPosition(cubes, 0, NO_CUBE);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IDeblockle.Removed(number, seq + 2, ANNE, 1, 1);
        vm.expectEmit(true, true, true, false, address(game));
        emit IDeblockle.TurnChanged(number, seq + 3, BOB, 0);
        _move(0x43, 0x42);
        IDeblockle.BoardView memory board = _board();
        vm.assertEq(uint8(board.status), uint8(IMatch.Status.Playing), "status");
        vm.assertEq(board.mover, BOB);
        vm.assertEq(board.left.length, 2, "cubes on the board");
        vm.assertEq(_squareOf(board, 1), 0, "the removed cube");
        vm.assertEq(board.hopper, NO_CUBE, "hopper");
        vm.assertEq(board.quiet, 0, "quiet plies");
        vm.assertEq(board.ply, 1, "ply");
    }

    // It should let either player win
    function test_Win() public {
        for (uint8 seat; seat < 2; ++seat) {
            _begin(1, NEAR);
            // A roll forward by ANNE, or backward by BOB, puts Star on top.
            uint256 annes = _cube(seat == 0 ? 0x43 : 0x77, 2, 6);
            uint256 bobs = _cube(seat == 1 ? 0x45 : 0x11, 2, 1);
            _setPosition(annes, bobs, seat, NO_CUBE);
            _move(seat == 0 ? 0x43 : 0x45, _star(seat));
            _assertEnded(players[seat], IMatch.Reason.Won);
        }
    }

    // It should let a cube block its own star square
    function test_HopToTheOwnStarSquare() public {
        _begin(4, NEAR);
        _move(0x35, 0x34);
        vm.assertEq(_board().hops & _mask(hex"42"), _mask(hex"42"), "the star square");
        _move(0x34, 0x42);
        vm.assertEq(_board().left.length, 8, "cubes on the board");
        (uint8 seat, IDeblockle.Cube memory cube,) = game.cubeState(number, 4, 2);
        vm.assertEq(seat, 0, "seat");
        vm.assertEq(cube.id, 0, "cube");
    }
}
