// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

/// @title Tests `create`, `accept` and `close`
contract StartTest is TicTacToeFixture {
    // ---- create

    // It should revert with SamePlayer
    function test_RevertWhen_TheCallerInvitesItself() public {
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(ANNE);
        game.create(ANNE, 0);
    }

    // It should revert with BadClock
    function testFuzz_RevertWhen_TheClockIsOutOfRange(uint24 clock) public {
        vm.assume(clock != 0 && (clock < 30 || clock > 30 days));
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.BadClock.selector, clock, 30, 30 days));
        vm.prank(ANNE);
        game.create(CAROL, clock);
    }

    // It should open a match with this clock
    function test_ClocksInRange() public {
        uint24[3] memory clocks = [uint24(0), 30, 30 days];
        for (uint160 i; i < clocks.length; ++i) {
            uint48 matchId = _begin(ANNE, address(uint160(CAROL) + i), clocks[i]);
            vm.assertEq(game.board(matchId).clock, clocks[i], "clock");
        }
    }

    // It should revert with GameExists
    function test_RevertWhen_TheyHaveAnUnfinishedMatchWithTheSameHost() public {
        vm.assertEq(game.liveMatch(ANNE, BOB), number, "live match");
        vm.expectRevert(_gameExists(number));
        _create(ANNE, BOB, CLOCK);
        _play(hostWins);
        vm.assertEq(game.liveMatch(ANNE, BOB), 0, "live match");
        uint48 open = _create(ANNE, BOB, CLOCK);
        vm.expectRevert(_gameExists(open));
        _create(ANNE, BOB, CLOCK);
    }

    // It should open a match
    function test_SwappedRolesOrAnotherChallenger() public {
        uint48 swapped = _begin(BOB, ANNE, 0);
        uint48 third = _begin(ANNE, CAROL, 0);
        _assertStatus(number, IMatch.Status.Playing);
        _assertStatus(swapped, IMatch.Status.Playing);
        _assertStatus(third, IMatch.Status.Playing);
        vm.assertEq(game.liveMatch(BOB, ANNE), swapped, "live match");
    }

    // ---- accept

    // It should revert with NotInvited for all other accounts
    // It should give the host the turn and start the host's clock
    function test_AcceptAsTheNamedChallenger() public {
        number = _create(ANNE, CAROL, CLOCK);
        vm.assertEq(_board().mover, NOBODY);
        vm.assertEq(_board().challenger, CAROL);
        vm.expectRevert(_notInvited(number, BOB, CAROL));
        vm.prank(BOB);
        game.accept(number);

        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 3, CAROL, 1);
        vm.expectEmit(address(game));
        emit IMatch.MatchStarted(number, 4);
        vm.prank(CAROL);
        game.accept(number);
        _assertStatus(number, IMatch.Status.Playing);
        vm.assertEq(_board().mover, ANNE);
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(BOB);
        game.accept(number);
    }

    // It should let any account join except the host
    function test_AcceptAMatchThatIsOpenToAnyone() public {
        number = _create(ANNE, NOBODY, 0);
        vm.assertEq(game.liveMatch(ANNE, NOBODY), 0, "live match");
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(ANNE);
        game.accept(number);
        vm.prank(CAROL);
        game.accept(number);
        vm.assertEq(_board().challenger, CAROL);
    }

    // It should revert with GameExists if they have an unfinished match with the same host
    function test_RevertWhen_TheyPlayAnotherMatchWithTheSameHost() public {
        uint48 first = _create(ANNE, NOBODY, 0);
        uint48 second = _create(ANNE, NOBODY, 0);
        vm.expectRevert(_gameExists(number));
        vm.prank(BOB);
        game.accept(first);
        vm.prank(ANNE);
        game.resign(number);
        vm.prank(BOB);
        game.accept(first);
        vm.expectRevert(_gameExists(first));
        vm.prank(BOB);
        game.accept(second);
        vm.prank(CAROL);
        game.accept(second);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheHostMovesBeforeTheChallengerAccepts() public {
        number = _create(ANNE, CAROL, CLOCK);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing));
        vm.prank(ANNE);
        game.move(number, 0, 0, 0);
    }

    // ---- close

    // It should cancel the match
    // It should revert with NotAPlayer
    // It should revert with WrongStatus
    function test_Close() public {
        number = _create(ANNE, CAROL, CLOCK);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.close(number);
        vm.expectRevert(_notAPlayer(number, BOB));
        vm.prank(BOB);
        game.close(number);

        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, 3, NOBODY, IMatch.Reason.Cancelled);
        vm.prank(ANNE);
        game.close(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
        vm.assertEq(game.liveMatch(ANNE, CAROL), 0, "live match");
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Open));
        vm.prank(CAROL);
        game.accept(number);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Open));
        vm.prank(ANNE);
        game.close(number);
        _create(ANNE, CAROL, CLOCK);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchHasBegunOrEnded() public {
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(ANNE);
        game.close(number);
        _play(challengerWins);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Open));
        vm.prank(ANNE);
        game.close(number);
        _assertEnded(BOB, IMatch.Reason.Won);
    }
}
