// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests `withdraw`, and `claimTimeout` with a stake
contract WithdrawTest is DeblockleFixture {
    // ---- withdraw

    // It should pay what has streamed back, and pay it once
    function test_WithdrawDuringTheMatch() public {
        _beginWithStake();
        _assertNothingDue(0);
        _assertNothingDue(1);
        _wait(10);
        _assertPaid(1, 20);
        _assertNothingDue(1);
        _assertNothingDue(0);
        _wait(5);
        _assertPaid(1, 10);
        _wait(5);
        _play(1, 1);
        _assertPaid(1, 10);
        _assertNothingDue(1);
        _wait(30);
        _assertPaid(0, 60);
        _wait(1);
        _resign(1);
        _assertPaid(0, 2 * STAKE - 40 - 60);
        _assertNothingDue(1);
        vm.assertEq(_board().withdrawn[0], 2 * STAKE - 40, "withdrawn by ANNE");
        vm.assertEq(_board().withdrawn[1], 40, "withdrawn by BOB");
        vm.assertEq(address(game).balance, 0, "the contract's balance");
    }

    // It should let the loser keep what has streamed back
    // It should pay the rest of both deposits to the winner
    function test_Resign() public {
        for (uint8 loser; loser < 2; ++loser) {
            _beginWithStake();
            _wait(100);
            _play(1, 1);
            _wait(30);
            _resign(loser);
            uint256 kept = loser == 0 ? 60 : 200;
            _assertPaid(loser, kept);
            _assertPaid(1 - loser, 2 * STAKE - kept);
        }
    }

    // It should pay each player's own deposit back after a draw
    function test_Draw() public {
        _beginWithStake();
        for (uint256 i; i < 6; ++i) {
            _wait(10);
            _pass();
            if (i == 2) _assertPaid(1, 40); // ANNE has thought for 20 seconds
        }
        _assertEnded(NOBODY, IMatch.Reason.Draw);
        _assertDue(STAKE, STAKE - 40);
        _assertPaid(0, STAKE);
        _assertPaid(1, STAKE - 40);
        _assertNothingDue(0);
        _assertNothingDue(1);
    }

    // It should pay nothing if the match has no stake
    function test_MatchWithoutAStake() public {
        terms.token = address(game);
        vm.expectEmit(address(game));
        emit IDeblockle.GameCreated(1, 3, 1, IDeblockle.Ruleset.Near, NOBODY, 0, 0);
        vm.prank(ANNE);
        number = game.create(NOBODY, 1, NEAR, address(game), 0, 0, CLOCK, 0);
        vm.assertEq(_board().token, NOBODY);
        terms.token = NOBODY;
        _join();
        _wait(10);
        uint32 seq = game.seqOf(number);
        _play(1, 1);
        vm.assertEq(game.seqOf(number), seq + 2, "Rolled and TurnChanged, but not Streamed");
        _assertStreamed(0, 0);
        _play(2, 10);
        _assertNothingDue(0);
        _assertNothingDue(1);
    }

    // It should revert with NotAPlayer
    function testFuzz_RevertWhen_AStrangerWithdraws(address stranger) public {
        vm.assume(stranger != ANNE && stranger != BOB);
        _beginWithStake();
        _wait(10);
        vm.expectRevert(_notAPlayer(number, stranger));
        vm.prank(stranger);
        game.withdraw(number);
    }

    // It should keep the deposits of other matches
    function test_TwoMatches() public {
        _beginWithStake();
        uint48 first = number;
        terms.stake = 10 * STAKE;
        _begin();
        uint48 second = number;
        number = first;
        _resign(0);
        _assertNothingDue(0);
        _assertPaid(1, 2 * STAKE);
        _assertNothingDue(1);
        number = second;
        _resign(1);
        _assertDue(20 * STAKE, 0);
        _assertPaid(0, 20 * STAKE);
    }

    // ---- claimTimeout

    // It should let the waiting player win when the deposit has streamed back
    // It should revert with NotExpired
    function test_DepositRunsOut() public {
        _beginWithStake();
        uint256 deadline = block.timestamp + DURATION;
        vm.assertEq(_board().deadline, deadline, "deadline");
        vm.warp(deadline - 1);
        vm.expectRevert(_notExpired(deadline));
        game.claimTimeout(number);
        vm.warp(deadline);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IDeblockle.Streamed(number, seq + 1, BOB, uint32(DURATION));
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, seq + 2, BOB, IMatch.Reason.Timeout);
        vm.prank(CAROL);
        game.claimTimeout(number);
        _assertEnded(BOB, IMatch.Reason.Timeout);
        _assertNothingDue(0);
        _assertPaid(1, 2 * STAKE);
    }

    // It should also count the seconds of earlier turns
    function test_DepositRunsOutOverSeveralTurns() public {
        _beginWithStake();
        _wait(300);
        _play(1, 1);
        vm.assertEq(_board().deadline, block.timestamp + DURATION, "BOB's deadline");
        _wait(10);
        _play(2, 2);
        vm.assertEq(_board().deadline, block.timestamp + DURATION - 300, "ANNE's deadline");
        _wait(199);
        vm.expectRevert(_notExpired(block.timestamp + 1));
        game.claimTimeout(number);
        _wait(1);
        game.claimTimeout(number);
        _assertEnded(BOB, IMatch.Reason.Timeout);
        _assertSeconds(10, 500);
        _assertPaid(0, 20);
        _assertPaid(1, 2 * STAKE - 20);
    }

    // It should let the waiting player win when the clock runs out first
    // It should revert with NotExpired
    function test_ClockRunsOut() public {
        terms.clock = 60;
        _beginWithStake();
        uint256 deadline = block.timestamp + 60;
        vm.assertEq(_board().deadline, deadline, "deadline");
        vm.warp(deadline - 1);
        vm.expectRevert(_notExpired(deadline));
        game.claimTimeout(number);
        vm.warp(deadline + 10);
        game.claimTimeout(number);
        _assertEnded(BOB, IMatch.Reason.Timeout);
        _assertSeconds(0, 70);
        _assertStreamed(0, 140);
        _assertPaid(1, 2 * STAKE);
    }

    // It should give the player no time in later turns
    function test_LateMove() public {
        _beginWithStake();
        _wait(DURATION + 50);
        _play(1, 1);
        _assertSeconds(0, DURATION + 50);
        _assertStreamed(0, STAKE);
        _wait(1);
        _play(2, 2);
        vm.assertEq(_board().deadline, block.timestamp, "deadline");
        game.claimTimeout(number);
        _assertEnded(BOB, IMatch.Reason.Timeout);
        _assertPaid(1, 2 * STAKE - 2);
        _assertPaid(0, 2);
    }
}
