// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests `move` and the clock of the shooting
contract MoveTest is BattleshipFixture {
    /// @dev BOB has hit tile 12, ANNE has missed at tile 1, and ANNE must answer the shot at tile
    /// 13.
    function setUp() public override {
        super.setUp();
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(12);
        _move(1);
        _move(13);
        vm.assertEq(_board().pending, 13, "pending shot");
    }

    // It should record the answer, fire the next shot and restart the clock
    function test_Move() public {
        vm.warp(block.timestamp + 90);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IBattleship.Answered(number, seq + 1, 3, ANNE, 13, true);
        vm.expectEmit(address(game));
        emit IBattleship.Shot(number, seq + 2, 3, ANNE, 2);
        _move(2);
        IBattleship.BoardView memory board = _board();
        vm.assertEq(board.shots[1], (1 << 12) | (1 << 13), "BOB's shots");
        vm.assertEq(board.hits[1], (1 << 12) | (1 << 13), "BOB's hits");
        vm.assertEq(board.shots[0], 1 << 1, "ANNE's shots");
        vm.assertEq(board.hits[0], 0, "ANNE's hits");
        vm.assertEq(board.pending, 2, "pending shot");
        vm.assertEq(board.mover, BOB);
        vm.assertEq(board.deadline, block.timestamp + CLOCK, "deadline");
    }

    // It should accept the move
    function test_LateMove() public {
        vm.warp(_board().deadline + 1000);
        _move(5);
        vm.assertEq(_board().mover, BOB);
    }

    // It should revert with TileTaken
    function test_RevertWhen_TheTileIsTaken() public {
        vm.expectRevert(abi.encodeWithSelector(IBattleship.TileTaken.selector, 1));
        _send(ANNE, 3, 13, 1);
        _move(2);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.TileTaken.selector, 12));
        _send(BOB, 4, 2, 12);
    }

    // It should revert with BadTile
    function testFuzz_RevertWhen_TheTileIsOffTheGrid(uint8 tile) public {
        vm.assume(tile > 98);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.BadTile.selector, tile));
        _send(ANNE, 3, 13, tile);
    }

    // It should revert with NotYourTurn
    // It should revert with NotAPlayer
    function test_RevertWhen_TheCallerIsNotToMove() public {
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.NotYourTurn.selector, number, BOB, ANNE));
        _send(BOB, 3, 13, 2);
        vm.expectRevert(_notAPlayer(number, CAROL));
        _send(CAROL, 3, 13, 2);
        vm.expectRevert(_staleMove(3, 4));
        _send(BOB, 4, 13, 2);
    }

    // It should revert with StaleMove
    function testFuzz_RevertWhen_ThePlyIsStale(uint32 ply) public {
        vm.assume(ply != 3);
        vm.expectRevert(_staleMove(3, ply));
        _send(ANNE, ply, 13, 2);
    }

    // It should revert with StaleMove
    function testFuzz_RevertWhen_TheAnswerIsToAnotherShot(uint8 answered) public {
        vm.assume(answered != 13);
        vm.expectRevert(_staleMove(13, answered));
        _send(ANNE, 3, answered, 2);
    }

    // It should revert with NoSuchMatch
    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchIsNotInProgress() public {
        vm.expectRevert(_noSuchMatch(99));
        vm.prank(ANNE);
        game.move(99, 3, 13, true, 2);
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        _send(ANNE, 0, NO_TILE, 2);
    }

    // It should revert with WrongPhase
    function test_RevertWhen_TheShootingIsOver() public {
        _surrender(1);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.WrongPhase.selector, number, true));
        _send(ANNE, 3, 13, 2);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.WrongPhase.selector, number, true));
        _surrender(0);
    }

    // It should end the shooting without another shot
    function test_LastHit() public {
        for (uint8 loser; loser < 2; ++loser) {
            _invite(NOBODY, CLOCK, NOBODY, 0);
            vm.recordLogs();
            _sink(loser);
            IBattleship.BoardView memory board = _board();
            vm.assertTrue(board.revealing, "revealing");
            vm.assertEq(board.loser, players[loser]);
            vm.assertEq(uint8(board.cause), uint8(IMatch.Reason.Won), "cause");
            vm.assertEq(board.pending, NO_TILE, "pending shot");
            vm.assertEq(board.mover, NOBODY);
            vm.assertEq(board.deadline, block.timestamp + 1 days, "deadline");
            uint256 hits;
            for (uint256 tile; tile < 99; ++tile) {
                hits += (board.hits[1 - loser] >> tile) & 1;
            }
            vm.assertEq(hits, 17, "hits");
        }
    }

    // It should end the match, and let the shooter win
    function test_ImpossibleAnswer() public {
        for (uint256 hits; hits < 17; hits += 8) {
            _invite(NOBODY, CLOCK, NOBODY, STAKE);
            _accept(0);
            for (uint8 shot; shot < 82 + hits; ++shot) {
                _move(shot < hits, shot);
                _move(shot < hits, shot + 1);
            }
            _assertPlaying();
            uint32 seq = game.seqOf(number);
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, seq + 2, BOB, IMatch.Reason.CheatingProved);
            _move(false, NO_TILE);
            _assertEnded(BOB, IMatch.Reason.CheatingProved);
            vm.assertEq(_board().loser, NOBODY);
            vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
            _reveal(0);
            vm.expectRevert(_nothingDue(ANNE));
            _withdraw(0);
            _withdraw(1);
        }
        vm.assertEq(address(game).balance, 0, "the contract's balance");
    }

    function _assertPlaying() private view {
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
    }

    function _send(address sender, uint32 ply, uint8 answered, uint8 tile) private {
        vm.prank(sender);
        game.move(number, ply, answered, true, tile);
    }
}
