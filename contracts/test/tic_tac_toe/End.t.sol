// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

/// @title Tests `resign`, `claimTimeout` and the accounts in a result
contract EndTest is TicTacToeFixture {
    // It should let the opponent win
    function test_Resign() public {
        address[2] memory players = [ANNE, BOB];
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            _play(hex"00030104");
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, 9, players[1 - i], IMatch.Reason.Resigned);
            vm.prank(players[i]);
            game.resign(number);
            _assertEnded(players[1 - i], IMatch.Reason.Resigned);
            vm.revertToState(before);
        }
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.resign(number);
    }

    // It should let the waiting player win, whoever calls
    // It should revert with NotExpired
    // It should revert with WrongStatus
    function testFuzz_ClaimTimeout(address anybody, uint16 late) public {
        _play(hex"0004");
        uint40 deadline = _board().deadline;
        vm.warp(deadline - 1);
        vm.expectRevert(abi.encodeWithSelector(IMatch.NotExpired.selector, deadline - 1, deadline));
        vm.prank(anybody);
        game.claimTimeout(number);

        vm.warp(uint256(deadline) + late);
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, 7, BOB, IMatch.Reason.Timeout);
        vm.prank(anybody);
        game.claimTimeout(number);
        _assertEnded(BOB, IMatch.Reason.Timeout);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        vm.prank(anybody);
        game.claimTimeout(number);
    }

    // It should revert with NoClock
    function test_RevertWhen_TheMatchHasNoClock() public {
        number = _begin(ANNE, CAROL, 0);
        vm.assertEq(_board().deadline, 0, "deadline");
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(abi.encodeWithSelector(IDuel.NoClock.selector, number));
        vm.prank(CAROL);
        game.claimTimeout(number);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchIsOpen() public {
        number = _create(ANNE, CAROL, CLOCK);
        vm.warp(block.timestamp + 30 days);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        vm.prank(CAROL);
        game.claimTimeout(number);
    }

    // It should end the match as a draw
    // It should end the match as won, and name all cells of the lines
    /// @dev The published contract stored the literals "none" and "draw" in place of the winner's
    /// address. In our contract, accounts with these addresses play like all others.
    function test_NoAccountIsAResult() public {
        address[2] memory named = [address(uint160(bytes20("none"))), address(uint160(bytes20("draw")))];
        for (uint256 i; i < 2; ++i) {
            number = _begin(named[i], named[1 - i], 0);
            _play(drawn);
            _assertEnded(NOBODY, IMatch.Reason.Draw);
            number = _begin(named[i], named[1 - i], 0);
            vm.assertEq(_board().winner, NOBODY);
            _play(hostWins);
            _assertEnded(named[i], IMatch.Reason.Won);
        }
    }
}
