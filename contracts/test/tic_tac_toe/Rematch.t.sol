// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

/// @title Tests `rematch`, `offerRestart` and `acceptRestart`
contract RematchTest is TicTacToeFixture {
    // ---- rematch

    // It should open a match in which the loser moves first
    // It should open a match in which the challenger moves first
    // It should start the rematch
    function test_Rematch() public {
        bytes[3] memory games = [hostWins, challengerWins, drawn];
        address[3] memory starters = [BOB, ANNE, BOB];
        for (uint256 i; i < games.length; ++i) {
            for (uint256 way; way < 4; ++way) {
                uint256 before = vm.snapshotState();
                _play(games[i]);
                _assertRematch(starters[i], way % 2 == 0 ? ANNE : BOB, way / 2 == 0);
                vm.revertToState(before);
            }
        }
    }

    /// @dev Opens and starts a rematch, and checks who moves first.
    /// @param accepts true if the opponent calls `accept`, false if the opponent calls `rematch`
    function _assertRematch(address first, address opener, bool accepts) private {
        (uint48 old, address opponent) = (number, opener == ANNE ? BOB : ANNE);
        uint32 seq = game.seqOf(old);
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(old + 1, 1, opener, opponent, CLOCK, old);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(old + 1, 2, opener, opener == first ? 0 : 1);
        vm.expectEmit(address(game));
        emit ITicTacToe.RematchOpened(old, seq + 1, opener, old + 1);
        vm.prank(opener);
        game.rematch(old);
        vm.assertEq(_board().rematch, old + 1, "rematch");

        number = old + 1;
        _assertStatus(number, IMatch.Status.Open);
        vm.assertEq(_board().host, first);
        vm.assertEq(_board().mover, NOBODY);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 3, opponent, opponent == first ? 0 : 1);
        vm.prank(opponent);
        if (accepts) game.accept(number);
        else game.rematch(old);
        _assertStatus(number, IMatch.Status.Playing);
        vm.assertEq(_board().mover, first);
        vm.assertEq(_board().clock, CLOCK, "clock");
        _move(0);
        vm.assertEq(_board().hostCells, 1, "the host's cells");
    }

    // It should open a match in which the loser moves first
    function test_RematchAfterAResignationOrATimeout() public {
        uint256 before = vm.snapshotState();
        vm.prank(BOB);
        game.resign(number);
        _assertRematch(BOB, ANNE, true);
        vm.revertToState(before);
        number = 1;
        _move(0);
        vm.warp(_board().deadline);
        game.claimTimeout(number);
        _assertRematch(BOB, ANNE, true);
    }

    // It should revert with GameExists
    function test_RevertWhen_TheLoserWouldHostTwoMatches() public {
        _play(hostWins);
        uint48 other = _create(BOB, ANNE, 0);
        vm.expectRevert(_gameExists(other));
        vm.prank(ANNE);
        game.rematch(number);
        vm.prank(BOB);
        game.close(other);

        vm.prank(ANNE);
        uint48 offered = game.rematch(number);
        vm.assertEq(game.liveMatch(BOB, ANNE), offered, "live match");
        vm.expectRevert(_gameExists(offered));
        _create(BOB, ANNE, 0);
    }

    // It should revert with RematchExists
    // It should revert with NotAPlayer
    function test_RevertWhen_TheMatchHasARematch() public {
        _play(hostWins);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.rematch(number);
        vm.prank(ANNE);
        uint48 next = game.rematch(number);
        _assertNoRematch(ANNE, next);
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(ANNE);
        game.accept(next);
        vm.expectRevert(_notInvited(next, CAROL, BOB));
        vm.prank(CAROL);
        game.accept(next);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.rematch(number);

        vm.prank(BOB);
        game.rematch(number);
        _assertNoRematch(ANNE, next);
        _assertNoRematch(BOB, next);
        vm.prank(BOB);
        game.resign(next);
        _assertNoRematch(ANNE, next);
        _assertNoRematch(BOB, next);
        vm.prank(BOB);
        _assertStatus(game.rematch(next), IMatch.Status.Open);
    }

    // It should revert with RematchExists
    function test_RevertWhen_TheRematchWasClosed() public {
        _play(hostWins);
        vm.prank(ANNE);
        uint48 next = game.rematch(number);
        vm.expectRevert(_notAPlayer(next, BOB));
        vm.prank(BOB);
        game.close(next);
        vm.prank(ANNE);
        game.close(next);
        _assertNoRematch(ANNE, next);
        _assertNoRematch(BOB, next);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchIsUnfinishedOrCancelled() public {
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Finished));
        vm.prank(ANNE);
        game.rematch(number);
        number = _create(ANNE, CAROL, 0);
        vm.prank(ANNE);
        game.close(number);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Finished));
        vm.prank(ANNE);
        game.rematch(number);
    }

    function _assertNoRematch(address account, uint48 existing) private {
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.RematchExists.selector, number, existing));
        vm.prank(account);
        game.rematch(number);
    }

    // ---- restarts

    // It should cancel the match and start its rematch with the same host
    // It should revert with AlreadyOffered
    // It should leave the clock unchanged
    // It should revert with StaleMove
    function test_Restart() public {
        address[2] memory offerers = [ANNE, BOB];
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            _assertRestart(offerers[i], offerers[1 - i]);
            vm.revertToState(before);
        }
    }

    function _assertRestart(address offerer, address opponent) private {
        _play(hex"000408");
        uint40 deadline = _board().deadline;
        vm.warp(block.timestamp + 1);
        vm.expectEmit(address(game));
        emit ITicTacToe.RestartOffered(number, 8, offerer, 3);
        vm.prank(offerer);
        game.offerRestart(number);
        vm.assertEq(_board().offeredBy, offerer);
        vm.assertEq(_board().deadline, deadline, "deadline");
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.AlreadyOffered.selector, number));
        vm.prank(opponent);
        game.offerRestart(number);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.acceptRestart(number, 9);
        vm.expectRevert(_staleMove(3, 2));
        vm.prank(opponent);
        game.acceptRestart(number, 2);

        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, 9, NOBODY, IMatch.Reason.Cancelled);
        vm.prank(opponent);
        uint48 next = game.acceptRestart(number, 3);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
        vm.assertEq(_board().rematch, next, "rematch");
        _assertNoRematch(ANNE, next);
        _assertNoRematch(BOB, next);
        ITicTacToe.BoardView memory board = game.board(next);
        _assertStatus(next, IMatch.Status.Playing);
        vm.assertEq(board.host, ANNE);
        vm.assertEq(board.mover, ANNE);
        vm.assertEq(board.hostCells | board.challengerCells, 0, "cells");
        vm.assertEq(game.liveMatch(ANNE, BOB), next, "live match");
    }

    // It should revert with NoOffer
    function test_RevertWhen_TheOpponentHasNotOffered() public {
        _play(hex"0003");
        _assertNoOffer(ANNE, 2);
        _assertNoOffer(BOB, 2);
        vm.prank(BOB);
        game.offerRestart(number);
        _assertNoOffer(BOB, 2);
        _move(1);
        _assertNoOffer(ANNE, 3);
    }

    function _assertNoOffer(address account, uint32 ply) private {
        vm.expectRevert(abi.encodeWithSelector(ITicTacToe.NoOffer.selector, number));
        vm.prank(account);
        game.acceptRestart(number, ply);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchHasEnded() public {
        _play(hex"00030104");
        vm.prank(BOB);
        game.offerRestart(number);
        _move(2);
        _assertEnded(ANNE, IMatch.Reason.Won);
        address[2] memory players = [ANNE, BOB];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
            vm.prank(players[i]);
            game.offerRestart(number);
            vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
            vm.prank(players[i]);
            game.acceptRestart(number, 5);
        }
        vm.prank(BOB);
        game.rematch(number);
        vm.assertEq(_board().winner, ANNE);
    }
}
