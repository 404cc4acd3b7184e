// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `chooseCapital`, and the draw of the first seat
contract CapitalTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    /// @dev Begins a match of three players in which this seat will move first.
    function _drawFirst(uint8 first) private {
        _fill(3, Graphs.row(12).encode());
        bytes32 seed = "first";
        while (_random(seed, FIRST_SEAT, 0) % 3 != first) seed = keccak256(abi.encode(seed));
        _expectDrawn(FIRST, seed);
        _expectPhase((first + 2) % 3, CAPITALS, NO_DRAW);
        _settle(seed);
        vm.assertEq(_board().first, first, "first seat");
    }

    // It should give a random seat the first turn
    // It should let the seats choose in reverse order, so that the first seat chooses last
    function test_Choices() public {
        for (uint8 first; first < 3; ++first) {
            _drawFirst(first);
            for (uint8 choice; choice < 3; ++choice) {
                uint8 seat = (first + 2 - choice) % 3;
                _assertTurn(seat, CAPITALS, NO_DRAW);
                _expectCommand(0, abi.encodePacked(4 * choice));
                _expectTaken(abi.encodePacked(4 * choice), NONE, seat);
                if (choice < 2) _expectPhase((seat + 2) % 3, CAPITALS, NO_DRAW);
                else _expectPhase(first, REINFORCEMENT, TURN);
                _chooseCapital(4 * choice);
                vm.assertEq(_board().capitals[seat], 4 * choice, "capital");
                vm.assertEq(_board().soldiers[4 * choice], 10, "soldiers");
                _assertLands(seat, abi.encodePacked(4 * choice));
            }
            vm.assertEq(_board().drawBlock, block.number, "block of the draw");
        }
    }

    // It should give the land and its soldiers to the seat
    // It should open the first turn, and its draw, after the last choice
    function test_TwoChoices() public {
        _fill(2, Graphs.row(8).encode());
        _settleLate();
        _expectCommand(0, hex"05");
        _expectTaken(hex"05", NONE, 1);
        _expectPhase(0, CAPITALS, NO_DRAW);
        _chooseCapital(5);
        _assertLands(1, hex"05");
        _expectCommand(0, hex"02");
        _expectTaken(hex"02", NONE, 0);
        _expectPhase(0, REINFORCEMENT, TURN);
        _chooseCapital(2);
        _assertLands(0, hex"02");
        _assertSoldiers([uint24(10), 10, 10, 10, 10, 10, 10, 10]);
    }

    // It should restart the clock
    function test_EachChoiceRestartsTheClock() public {
        _drawFirst(0);
        vm.warp(block.timestamp + CLOCK - 1);
        _chooseCapital(0);
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
    }

    // It should give seat 0 the first turn if the block's hash is no longer available
    function test_FirstSeatWithoutAHash() public {
        _fill(3, Graphs.row(12).encode());
        _expectDrawn(FIRST, 0);
        _expectPhase(2, CAPITALS, NO_DRAW);
        _settleLate();
        vm.assertEq(_board().first, 0, "first seat");
    }

    // It should revert with WrongPhase
    // It should revert with NoSuchLand
    // It should revert with NotNeutral
    function test_RevertWhen_TheLandCantBeACapital() public {
        _begin(hex"00", hex"07");
        vm.expectRevert(_wrongPhase(ACTION, CAPITALS));
        _chooseCapital(2);
        _setPhase(CAPITALS);
        vm.expectRevert(_noSuchLand(8));
        _chooseCapital(8);
        vm.expectRevert(_notNeutral(7, 1));
        _chooseCapital(7);
    }

    // It should eliminate the seat, and let the other seats choose
    function test_SeatLeavesBeforeItsChoice() public {
        for (uint8 leaver; leaver < 3; ++leaver) {
            for (uint256 way; way < 2; ++way) {
                _drawFirst(1);
                for (uint8 choice; choice < 3; ++choice) {
                    uint8 seat = (3 - choice) % 3;
                    if (seat == leaver) _leave(seat, way == 0);
                    else _chooseCapital(3 * choice);
                }
                vm.assertEq(_board().alive, 7 - (1 << leaver), "living seats");
                _assertTurn(leaver == 1 ? 2 : 1, REINFORCEMENT, TURN);
            }
        }
    }

    function _leave(uint8 seat, bool surrenders) private {
        vm.assertEq(_board().mover, seat, "mover");
        _expectCommand(surrenders ? 4 : 3, surrenders ? bytes("") : bytes(hex"02"));
        _expectOut(seat, NONE, surrenders ? IMatch.Reason.Resigned : IMatch.Reason.Timeout);
        if (surrenders) _surrender();
        else _timeout();
    }

    // It should let the other player win if there are only two
    function test_OneOfTwoLeavesBeforeTheChoice() public {
        for (uint256 way; way < 2; ++way) {
            _fill(2, Graphs.row(8).encode());
            _settleLate();
            vm.assertEq(_board().mover, 1, "mover");
            if (way == 0) _surrender();
            else _timeout();
            _assertEnded(ANNE, way == 0 ? IMatch.Reason.Resigned : IMatch.Reason.Timeout);
        }
    }

    // It should draw the first seat, and then eliminate the seat that must choose
    function test_TimeoutBeforeTheFirstSeatIsDrawn() public {
        _fill(3, Graphs.row(12).encode());
        vm.roll(_anchor() + 258);
        _expectDrawn(FIRST, 0);
        _expectPhase(2, CAPITALS, NO_DRAW);
        _timeout();
        vm.assertEq(_board().alive, 3, "living seats");
        _assertTurn(1, CAPITALS, NO_DRAW);
    }
}
