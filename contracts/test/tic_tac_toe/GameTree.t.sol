// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

/// @title Plays each move in each position that a game can reach
contract GameTreeTest is TicTacToeFixture {
    uint16 private constant ALL_CELLS = 0x1ff;

    mapping(uint256 position => bool seen) private _seen;
    address private _host = ANNE;
    uint256 private _positions;
    uint256 private _won;
    uint256 private _drawn;

    // It should end the match as won, and name all cells of the lines
    // It should end the match as a draw
    function test_EveryMoveInEveryPosition() public {
        _visit("", 0, 0);
        vm.assertEq(_positions, 5_478, "positions");
        vm.assertEq(_won, 626 + 316, "positions with a line");
        vm.assertEq(_drawn, 16, "drawn positions");
    }

    /// @dev Plays all moves in a position, and visits the next positions.
    /// @param path the moves that lead to the position
    /// @param own the cells of the player to move
    /// @param other the cells of the opponent
    function _visit(bytes memory path, uint16 own, uint16 other) private {
        uint256 position = path.length % 2 == 0 ? own | (uint256(other) << 9) : other | (uint256(own) << 9);
        if (_seen[position]) return;
        _seen[position] = true;
        ++_positions;
        if (_lines(other) != 0) ++_won;
        else if (own | other == ALL_CELLS) ++_drawn;

        // The external calls free their memory when they return.
        this.checkIllegalMoves(path, own, other);
        if (_lines(other) != 0) return;
        for (uint8 cell; cell < 9; ++cell) {
            if ((own | other) >> cell & 1 == 1) continue;
            this.checkMove(path, own, other, cell);
            _visit(bytes.concat(path, bytes1(cell)), other, own | uint16(1 << cell));
        }
    }

    function checkIllegalMoves(bytes calldata path, uint16 own, uint16 other) external {
        _replay(path);
        bool ended = _lines(other) != 0 || own | other == ALL_CELLS;
        for (uint16 cell; cell < 9; ++cell) {
            if (ended) {
                vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
            } else if ((own | other) >> cell & 1 == 1) {
                vm.expectRevert(abi.encodeWithSelector(ITicTacToe.CellTaken.selector, cell / 3, cell % 3));
            } else {
                continue;
            }
            _send(uint32(path.length), cell);
        }
    }

    function checkMove(bytes calldata path, uint16 own, uint16 other, uint8 cell) external {
        _replay(path);
        _checkMove(own, other, uint32(path.length), cell);
    }

    /// @dev Plays a path in a new match. The host is a new account, because two accounts can have
    /// only one unfinished match with the same host.
    function _replay(bytes calldata path) private {
        _host = address(uint160(_host) + 1);
        number = _begin(_host, BOB, CLOCK);
        for (uint32 ply; ply < path.length; ++ply) {
            _send(ply, uint8(path[ply]));
        }
    }

    /// @dev Makes a move, and checks the board and the events after it.
    function _checkMove(uint16 own, uint16 other, uint32 ply, uint16 cell) private {
        address mover = ply % 2 == 0 ? _host : BOB;
        uint16 line = _lines(own | uint16(1 << cell));
        bool full = own | other | uint16(1 << cell) == ALL_CELLS;
        uint32 seq = ply + 5;

        vm.expectEmit(address(game));
        emit ITicTacToe.Moved(number, seq, ply, mover, uint8(cell / 3), uint8(cell % 3), uint8(ply % 2) + 1);
        if (line != 0) {
            vm.expectEmit(address(game));
            emit ITicTacToe.GameWon(number, seq + 1, mover, line);
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, seq + 2, mover, IMatch.Reason.Won);
        } else if (full) {
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, seq + 1, NOBODY, IMatch.Reason.Draw);
        }
        vm.recordLogs();
        _send(ply, cell);
        vm.assertEq(vm.getRecordedLogs().length, line != 0 ? 3 : full ? 2 : 1, "events");

        ITicTacToe.BoardView memory board = _board();
        (uint16 host, uint16 challenger) = ply % 2 == 0 ? (own, other) : (other, own);
        vm.assertEq(board.hostCells, ply % 2 == 0 ? host | (1 << cell) : host, "the host's cells");
        vm.assertEq(
            board.challengerCells, ply % 2 == 0 ? challenger : challenger | (1 << cell), "the challenger's cells"
        );
        vm.assertEq(board.ply, ply + 1, "ply");
        if (line != 0) _assertEnded(mover, IMatch.Reason.Won);
        else if (full) _assertEnded(NOBODY, IMatch.Reason.Draw);
        else _assertStatus(number, IMatch.Status.Playing);
    }

    function _send(uint32 ply, uint16 cell) private {
        vm.prank(ply % 2 == 0 ? _host : BOB);
        game.move(number, ply, cell / 3, cell % 3);
    }

    /// @dev Returns the cells of all complete lines. This is a second implementation of the rule:
    /// it computes the lines from rows and columns, while the contract stores them as bitmaps.
    function _lines(uint16 cells) private pure returns (uint16 complete) {
        for (uint16 i; i < 3; ++i) {
            complete |= _ifComplete(cells, 3 * i, 1);
            complete |= _ifComplete(cells, i, 3);
        }
        complete |= _ifComplete(cells, 0, 4) | _ifComplete(cells, 2, 2);
    }

    /// @dev Returns the line of three cells that begins at `first`, or 0 if it is not complete.
    function _ifComplete(uint16 cells, uint16 first, uint16 step) private pure returns (uint16) {
        uint16 line = uint16((1 << first) | (1 << (first + step)) | (1 << (first + 2 * step)));
        return cells & line == line ? line : 0;
    }
}
