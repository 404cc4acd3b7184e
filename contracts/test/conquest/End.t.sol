// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";

/// @title Tests `surrender`, `claimTimeout` and the limit of plies
contract EndTest is ConquestFixture {
    uint32 private constant MAX_PLIES = 5000;

    function _claimTimeoutAs(address account) private {
        vm.warp(_board().deadline);
        vm.prank(account);
        game.claimTimeout(number);
    }

    // ---- surrender

    // It should eliminate the seat and make its lands neutral, with their soldiers
    // It should end the match as resigned if only one seat is left
    function test_SurrenderOfOneOfTwo() public {
        for (uint8 phase; phase < 3; ++phase) {
            _begin(hex"0001", hex"07");
            _setPhase(phase);
            _setHero(0, 1);
            _expectCommand(4, "");
            _expectOut(0, NONE, IMatch.Reason.Resigned);
            _expectTaken(hex"0001", 0, NONE);
            _expectEnd(BOB, IMatch.Reason.Resigned);
            _surrender();
            _assertSoldiers([uint24(10), 10, 10, 10, 10, 10, 10, 10]);
            _assertEnded(BOB, IMatch.Reason.Resigned);
        }
    }

    // It should give the turn to the next seat if several seats are left
    function test_SurrenderOfOneOfThree() public {
        _beginOfThree(hex"0001", hex"0506", hex"0b");
        _setStored(0, 3);
        _setForced(0, 1);
        _setHero(0, 1);
        _expectCommand(4, "");
        _expectOut(0, NONE, IMatch.Reason.Resigned);
        _expectTaken(hex"0001", 0, NONE);
        _expectPhase(1, REINFORCEMENT, TURN);
        _surrender();
        IConquest.BoardView memory board = _board();
        vm.assertEq(board.alive, 6, "living seats");
        vm.assertEq(board.capitals[0], NONE, "capital");
        vm.assertEq(board.heroes[0], NONE, "hero");
        vm.assertEq(board.stored[0], 0, "stored item");
        vm.assertEq(board.forced[0], 0, "forced passes");
        _assertLands(0, "");
        _settle();
        vm.expectRevert(_notYourTurn(ANNE, BOB));
        vm.prank(ANNE);
        game.surrender(number, 1, 0);
    }

    // ---- claimTimeout

    // It should force a pass, whoever calls, and restart the clock
    function test_ForcedPass() public {
        address[3] memory callers = [ANNE, BOB, CAROL];
        for (uint256 i; i < callers.length; ++i) {
            _begin(hex"00", hex"07");
            _expectCommand(3, hex"02");
            _expectPhase(1, REINFORCEMENT, TURN);
            _claimTimeoutAs(callers[i]);
            vm.assertEq(_board().forced[0], 1, "forced passes");
            vm.assertEq(_board().ply, 1, "ply");
            vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
        }
    }

    // It should carry out the open draw before it forces the pass
    function test_ForcedPassAfterADraw() public {
        _begin(hex"00", hex"07");
        _pass();
        bytes32 seed = _seedWithoutItem();
        _decide(seed);
        _expectDrawn(TURN, seed);
        _timeout();
        _assertTurn(0, REINFORCEMENT, TURN);
        vm.assertEq(_board().forced[1], 1, "forced passes");
    }

    // It should eliminate the seat at the third forced pass in a row
    function test_ThirdForcedPass() public {
        _begin(hex"0001", hex"07");
        for (uint8 passes = 1; passes < 3; ++passes) {
            _timeout();
            vm.assertEq(_board().forced[0], passes, "forced passes");
            _settle();
            _pass();
            _settle();
        }
        _expectCommand(3, hex"02");
        _expectOut(0, NONE, IMatch.Reason.Timeout);
        _expectTaken(hex"0001", 0, NONE);
        _expectEnd(BOB, IMatch.Reason.Timeout);
        _timeout();
        _assertEnded(BOB, IMatch.Reason.Timeout);
    }

    // It should count only forced passes without a command between them
    function test_CommandBetweenForcedPasses() public {
        _begin(hex"0001", hex"07");
        for (uint256 turn; turn < 4; ++turn) {
            for (uint256 passes; passes < 2; ++passes) {
                _timeout();
                _settle();
                _pass();
                _settle();
            }
            _reinforce(0);
            vm.assertEq(_board().forced[0], 0, "forced passes");
        }
    }

    // It should count the forced passes of each seat
    function test_IdleSeats() public {
        _beginOfThree(hex"00", hex"05", hex"0b");
        for (uint256 calls; calls < 8; ++calls) {
            vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
            _timeout();
            if (calls < 7) _settle();
        }
        _assertEnded(CAROL, IMatch.Reason.Timeout);
    }

    // It should continue the match without the seat if several seats are left
    // It should end the match with the reason for which the last seat left
    function test_LastSeatToLeave() public {
        for (uint256 order; order < 2; ++order) {
            _beginOfThree(hex"00", hex"0506", hex"0b");
            _setForced(0, 2);
            _setForced(1, 2);
            if (order == 0) _surrender();
            else _timeout();
            _assertTurn(1, REINFORCEMENT, TURN);
            vm.assertEq(_board().alive, 6, "living seats");
            _settle();
            if (order == 0) _timeout();
            else _surrender();
            _assertEnded(CAROL, order == 0 ? IMatch.Reason.Timeout : IMatch.Reason.Resigned);
        }
    }

    // ---- the limit of plies

    // It should end the match as a draw when a turn ends at ply 5,000 or later
    function test_DrawAtPly5000() public {
        for (uint256 way; way < 4; ++way) {
            _beginOfThree(hex"0001", hex"05", hex"0b");
            _setHead(PLY, 32, MAX_PLIES - 1);
            _setPhase(MOVE);
            if (way == 0) _pass();
            else if (way == 1) _move(0, 1, 4, false);
            else if (way == 2) _timeout();
            else _surrender();
            vm.assertEq(_board().ply, MAX_PLIES, "ply");
            _assertEnded(NOBODY, IMatch.Reason.Draw);
        }
    }

    // It should emit the end of the match without a winner
    function testFuzz_DrawAfterPly5000(uint32 ply) public {
        ply = MAX_PLIES - 1 + ply % 100_000;
        _begin(hex"00", hex"07");
        _setHead(PLY, 32, ply);
        _expectCommand(3, hex"00");
        _expectEnd(NOBODY, IMatch.Reason.Draw);
        _pass();
    }

    // It should continue the match before ply 5,000 and within a turn
    function test_BeforeTheLimitOfPlies() public {
        _begin(hex"0001", hex"07");
        _setHead(PLY, 32, MAX_PLIES - 2);
        _pass();
        _assertTurn(1, REINFORCEMENT, TURN);
        _settle();
        _reinforce(7);
        _passPhase();
        _assertTurn(1, MOVE, NO_DRAW);
        vm.assertEq(_board().ply, MAX_PLIES + 1, "ply");
        _pass();
        _assertEnded(NOBODY, IMatch.Reason.Draw);
    }

    // It should let the last seat win, even after ply 5,000
    function test_WinAfterPly5000() public {
        _begin(hex"00", hex"07");
        _setHead(PLY, 32, MAX_PLIES);
        _surrender();
        _assertEnded(BOB, IMatch.Reason.Resigned);
    }
}
