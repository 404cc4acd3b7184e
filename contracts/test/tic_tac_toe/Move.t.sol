// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

contract MoveTest is TicTacToeFixture {
    // It should check the match, status, player, ply, turn, coordinates and mark, in this order
    function test_ChecksOfAMoveComeInOrder() public {
        _move(4);
        vm.expectRevert(_noSuchMatch(99));
        vm.prank(CAROL);
        game.move(99, 7, 9, 9);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.move(number, 7, 9, 9);
        vm.expectRevert(_staleMove(1, 7));
        vm.prank(ANNE);
        game.move(number, 7, 9, 9);
        vm.expectRevert(_staleMove(1, 7));
        vm.prank(BOB);
        game.move(number, 7, 9, 9);
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.NotYourTurn.selector, number, ANNE, BOB));
        vm.prank(ANNE);
        game.move(number, 1, 9, 9);
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.BadCell.selector, 9, 9));
        vm.prank(BOB);
        game.move(number, 1, 9, 9);
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.CellTaken.selector, 1, 1));
        vm.prank(BOB);
        game.move(number, 1, 1, 1);

        vm.prank(BOB);
        game.resign(number);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        vm.prank(CAROL);
        game.move(number, 7, 9, 9);
    }

    // It should set the mover's mark in this row and column
    // It should give the turn to the opponent and restart the clock
    function testFuzz_Move(uint8 cell, uint16 elapsed) public {
        vm.assume(cell < 9);
        vm.warp(block.timestamp + elapsed);
        vm.expectEmit(address(game));
        emit ITicTacToe.Moved(number, 5, 0, ANNE, cell / 3, cell % 3, 1);
        _move(cell);

        ITicTacToe.BoardView memory board = _board();
        vm.assertEq(board.hostCells, 1 << cell, "the host's cells");
        vm.assertEq(board.challengerCells, 0, "the challenger's cells");
        vm.assertEq(board.ply, 1, "ply");
        vm.assertEq(board.mover, BOB);
        vm.assertEq(board.deadline, block.timestamp + CLOCK, "deadline");
    }

    // It should withdraw an offered restart
    function test_MoveWithdrawsAnOffer() public {
        vm.prank(ANNE);
        game.offerRestart(number);
        _move(8);
        vm.assertEq(_board().offeredBy, NOBODY);
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.NoOffer.selector, number));
        vm.prank(BOB);
        game.acceptRestart(number, 1);
    }

    // It should revert with BadCell
    function test_RevertWhen_TheCellIsOffTheBoard() public {
        // In rows of three cells, (0, 5) would be (1, 2). The last two overflow 16 bits.
        uint16[8] memory rows = [uint16(0), 0, 1, 3, 0, 65_535, 21_845, 21_846];
        uint16[8] memory columns = [uint16(5), 8, 3, 0, 65_535, 0, 1, 0];
        for (uint256 i; i < 8; ++i) {
            _assertBadCell(rows[i], columns[i]);
        }
    }

    // It should revert with BadCell
    function testFuzz_RevertWhen_TheCellIsOffTheBoard(uint16 row, uint16 column) public {
        vm.assume(row > 2 || column > 2);
        _assertBadCell(row, column);
    }

    function _assertBadCell(uint16 row, uint16 column) private {
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.BadCell.selector, row, column));
        vm.prank(ANNE);
        game.move(number, 0, row, column);
    }

    // It should accept the move
    function test_LateMove() public {
        vm.warp(_board().deadline + 1000);
        _move(0);
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
        vm.assertEq(_board().mover, BOB);
    }
}
