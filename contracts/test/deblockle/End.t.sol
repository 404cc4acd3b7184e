// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {RandomMoves} from "./support/RandomMoves.sol";

/// @title Tests `passMove`, draws, `resign`, and `claimTimeout` without a stake
contract EndTest is RandomMoves {
    // ---- passMove

    // It should end the turn, and restart the clock
    function test_Pass() public {
        _begin(4, NEAR);
        _wait(100);
        vm.expectEmit(address(game));
        emit IDeblockle.Passed(number, 7, 0, ANNE, IDeblockle.Phase.Roll);
        vm.expectEmit(true, true, true, false, address(game));
        emit IDeblockle.TurnChanged(number, 8, BOB, 0);
        _pass();
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
        _pass();
        _move(0x35, 0x36);
        vm.expectEmit(address(game));
        emit IDeblockle.Passed(number, game.seqOf(number) + 1, 3, ANNE, IDeblockle.Phase.Hop);
        _pass();
        IDeblockle.BoardView memory board = _board();
        vm.assertEq(board.mover, BOB);
        vm.assertEq(board.hopper, NO_CUBE, "hopper");
        vm.assertEq(board.passes, 1, "passes");
        vm.assertEq(board.quiet, 4, "quiet plies");
    }

    // It should revert with MoveRequired if a roll or a hop is possible
    function test_RevertWhen_AMoveIsRequired() public {
        _begin(4, BOARD);
        bytes memory revertData = abi.encodeWithSelector(IDeblockle.MoveRequired.selector, number);
        _assertPassReverts(ANNE, 0, revertData);
        _move(0x35, 0x36);
        _assertPassReverts(ANNE, 1, revertData);
    }

    // It should let the player pass if no roll is possible
    function test_PassWithoutARoll() public {
        _begin(1, BOARD);
        // ANNE's cube is in a corner. A roll forward leads onto BOB's cube, and a roll to the right
        // would put Star on top.
        _setPosition(_cube(0x17, 2, 3), _cube(0x16, 2, 6), 0, NO_CUBE);
        vm.assertEq(_board().rolls, 0, "rolls");
        _pass();
        vm.assertEq(_board().mover, BOB);
    }

    // It should check the match, its status, the player, the ply and the turn
    function test_ChecksOfAPass() public {
        _create(NOBODY);
        _assertPassReverts(ANNE, 0, abi.encodeWithSelector(IDeblockle.NotStarted.selector, number));
        _join();
        _assertPassReverts(CAROL, 0, _notAPlayer(number, CAROL));
        _assertPassReverts(ANNE, 1, _staleMove(0, 1));
        _assertPassReverts(BOB, 1, _staleMove(0, 1));
        _assertPassReverts(BOB, 0, _notYourTurn(BOB, ANNE));
        _resign(0);
        _assertPassReverts(ANNE, 0, _wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        number = 99;
        _assertPassReverts(ANNE, 0, _noSuchMatch(99));
    }

    function _assertPassReverts(address account, uint32 ply, bytes memory revertData) private {
        vm.expectRevert(revertData);
        vm.prank(account);
        game.passMove(number, ply);
    }

    // ---- draws

    // It should end the match as a draw after six passes in a row
    function test_SixPasses() public {
        for (uint256 plies; plies < 2; ++plies) {
            _begin(1, NEAR);
            _play(1, plies);
            for (uint256 i; i < 5; ++i) {
                _pass();
                vm.assertEq(_board().passes, i + 1, "passes");
                vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
            }
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, game.seqOf(number) + 2, NOBODY, IMatch.Reason.Draw);
            _pass();
            _assertEnded(NOBODY, IMatch.Reason.Draw);
        }
    }

    // It should count passes from 0 again after a roll or a hop
    function test_PassesInARow() public {
        _begin(4, NEAR);
        _passTimes(4);
        _move(0x35, 0x36);
        vm.assertEq(_board().passes, 0, "passes after a roll");
        _move(0x36, 0x34);
        vm.assertEq(_board().passes, 0, "passes after a hop");
        vm.assertEq(_board().quiet, 6, "quiet plies");
        _passTimes(5);
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
        _pass();
        _assertEnded(NOBODY, IMatch.Reason.Draw);
    }

    // It should end the match as a draw after 100 plies without a removal
    function test_HundredPlies() public {
        _begin(4, NEAR);
        for (uint256 ply; ply < 100; ++ply) {
            vm.assertEq(_board().quiet, ply, "quiet plies");
            if (ply % 3 == 0) _moveQuietly();
            else _pass();
        }
        _assertEnded(NOBODY, IMatch.Reason.Draw);
        vm.assertEq(_board().ply, 100, "ply");
    }

    // It should count plies from 0 again after a removal
    // It should let a removal win the match even on the hundredth ply
    function test_RemovalAfterQuietPlies() public {
        for (uint256 others; others < 2; ++others) {
            _begin(1, NEAR);
            for (uint256 ply; ply < 99; ++ply) {
                if (ply % 4 == 0) _moveQuietly();
                else _pass();
            }
            vm.assertEq(_board().quiet, 99, "quiet plies");
            _assertRemoval(others);
        }
    }

    /// @dev Places a cube of the player to move next to its star square, and removes it.
    /// @param others the number of the player's other cubes
    function _assertRemoval(uint256 others) private {
        uint8 seat = _board().mover == ANNE ? 0 : 1;
        uint256 cube = _cube(seat == 0 ? 0x43 : 0x45, 2, seat == 0 ? 6 : 1);
        uint256 other = others == 0 ? REMOVED : _cube(0x17, 2, 6);
        uint256 rival = _cube(0x11, 2, 6);
        uint256[8] memory cubes = seat == 0
            ? [cube, other, REMOVED, REMOVED, rival, REMOVED, REMOVED, REMOVED]
            : [rival, REMOVED, REMOVED, REMOVED, cube, other, REMOVED, REMOVED];
        _setPosition(cubes, seat, NO_CUBE);
        _move(seat == 0 ? 0x43 : 0x45, _star(seat));
        vm.assertEq(_board().quiet, 0, "quiet plies");
        if (others == 0) _assertEnded(players[seat], IMatch.Reason.Won);
        else vm.assertEq(_board().mover, players[1 - seat]);
    }

    /// @dev Rolls or hops without removing a cube. Passes if no roll is possible.
    function _moveQuietly() private {
        IDeblockle.BoardView memory board = _board();
        if (board.phase == IDeblockle.Phase.Hop) return _moveAtRandom(0);
        uint8 seat = board.mover == ANNE ? 0 : 1;
        for (uint8 bit; bit < 16; ++bit) {
            if (board.rolls >> bit & 1 == 0) continue;
            uint8 from = _squareOf(board, 4 * seat + bit / 4);
            if (_beside(from, bit % 4) != _star(seat)) return _move(from, _beside(from, bit % 4));
        }
        _pass();
    }

    function _passTimes(uint256 times) private {
        for (uint256 i; i < times; ++i) {
            _pass();
        }
    }

    // ---- resign

    // It should let the opponent win
    function test_Resign() public {
        for (uint8 seat; seat < 2; ++seat) {
            _begin(1, NEAR);
            _play(1, 3); // ANNE is to move
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, game.seqOf(number) + 1, players[1 - seat], IMatch.Reason.Resigned);
            _resign(seat);
            _assertEnded(players[1 - seat], IMatch.Reason.Resigned);
        }
    }

    // It should revert with NotAPlayer
    function testFuzz_RevertWhen_AStrangerResigns(address stranger) public {
        vm.assume(stranger != ANNE && stranger != BOB);
        _begin(1, NEAR);
        vm.expectRevert(_notAPlayer(number, stranger));
        vm.prank(stranger);
        game.resign(number);
    }

    // ---- claimTimeout

    // It should let the waiting player win, whoever calls
    // It should revert with NotExpired
    function testFuzz_ClaimTimeout(address anybody, uint16 late, bool bobsTurn) public {
        _begin(1, NEAR);
        if (bobsTurn) _play(1, 1);
        uint40 deadline = _board().deadline;
        vm.assertEq(deadline, block.timestamp + CLOCK, "deadline");
        vm.warp(deadline - 1);
        vm.expectRevert(_notExpired(deadline));
        vm.prank(anybody);
        game.claimTimeout(number);
        vm.warp(uint256(deadline) + late);
        address winner = bobsTurn ? ANNE : BOB;
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, game.seqOf(number) + 1, winner, IMatch.Reason.Timeout);
        vm.prank(anybody);
        game.claimTimeout(number);
        _assertEnded(winner, IMatch.Reason.Timeout);
    }

    // It should revert with NoClock
    function test_RevertWhen_TheMatchHasNoClock() public {
        terms.clock = 0;
        _begin();
        _wait(365 days);
        vm.expectRevert(abi.encodeWithSelector(IDuel.NoClock.selector, number));
        game.claimTimeout(number);
        _play(1, 1);
        vm.assertEq(_board().deadline, 0, "deadline");
    }

    // ---- matches that are not in progress

    // It should revert with NotStarted before the start
    // It should revert with WrongStatus after the end
    function test_RevertWhen_TheMatchIsNotInProgress() public {
        _create(BOB);
        bytes[4] memory calls = [
            abi.encodeCall(game.makeMove, (number, 0, 4, 7, 3, 7)),
            abi.encodeCall(game.passMove, (number, 0)),
            abi.encodeCall(game.resign, (number)),
            abi.encodeCall(game.claimTimeout, (number))
        ];
        _wait(365 days);
        _assertRevert(calls, abi.encodeWithSelector(IDeblockle.NotStarted.selector, number));
        vm.prank(ANNE);
        game.cancel(number);
        _assertRevert(calls, _wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Playing));
        _create(BOB);
        _join();
        _play(1, 10);
        calls[0] = abi.encodeCall(game.makeMove, (number, 10, 5, 5, 5, 6));
        calls[1] = abi.encodeCall(game.passMove, (number, 10));
        calls[2] = abi.encodeCall(game.resign, (number));
        calls[3] = abi.encodeCall(game.claimTimeout, (number));
        _assertRevert(calls, _wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
    }

    function _assertRevert(bytes[4] memory calls, bytes memory revertData) private {
        for (uint256 i; i < 8; ++i) {
            _assertReverts(players[i % 2], address(game), calls[i / 2], revertData);
        }
    }
}
