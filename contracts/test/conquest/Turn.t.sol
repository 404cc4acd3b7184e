// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `reinforce`, `buildPort` and `pass`
contract TurnTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    function setUp() public override {
        super.setUp();
        _begin(hex"000103", hex"070406", _shore().encode());
    }

    // ---- reinforce

    // It should add three soldiers for each land of the seat, and begin the action phase
    function test_Reinforce() public {
        _setPhase(REINFORCEMENT);
        _expectCommand(1, hex"03");
        _expectSoldiers(hex"03000013");
        _expectPhase(0, ACTION, NO_DRAW);
        _reinforce(3);
        _assertSoldiers([uint24(10), 10, 10, 19, 10, 10, 10, 10]);
    }

    // It should add three soldiers for each land of the seat, but never exceed 99,999
    function testFuzz_Reinforce(uint8 lands, uint24 before) public {
        _setPhase(REINFORCEMENT);
        before %= 100_000;
        _setSoldiers(0, before);
        uint256 count = 3;
        for (uint256 land; land < 8; ++land) {
            if (_board().owned[0] >> land & 1 == 1 || lands >> land & 1 == 0) continue;
            _setOwner(land, 0);
            ++count;
        }
        _reinforce(0);
        uint256 sum = before + 3 * count;
        vm.assertEq(_board().soldiers[0], sum < 99_999 ? sum : 99_999, "soldiers");
    }

    // It should emit no change of the soldiers if the land has 99,999 already
    function test_ReinforceAFullLand() public {
        _setPhase(REINFORCEMENT);
        _setSoldiers(0, 99_999);
        _expectCommand(1, hex"00");
        _expectPhase(0, ACTION, NO_DRAW);
        _reinforce(0);
    }

    // It should revert with NoSuchLand
    // It should revert with NotYourLand
    function test_RevertWhen_TheLandCantBeReinforced() public {
        _setPhase(REINFORCEMENT);
        vm.expectRevert(_noSuchLand(8));
        _reinforce(8);
        vm.expectRevert(_notYourLand(2, NONE));
        _reinforce(2);
        vm.expectRevert(_notYourLand(7, 1));
        _reinforce(7);
    }

    // ---- buildPort

    // It should build the port and end the action phase
    function test_BuildPort() public {
        _expectCommand(2, hex"00");
        uint32 seq = _expect();
        emit IConquest.PortBuilt(number, seq, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _buildPort(0);
        vm.assertEq(_board().ports, 1, "ports");
        vm.assertTrue(_board().built, "built");
    }

    // It should revert with NoSuchLand
    // It should revert with NotYourLand
    // It should revert with NoWater
    // It should revert with PortThere
    // It should revert with OncePerTurn
    function test_RevertWhen_ThePortCantBeBuilt() public {
        vm.expectRevert(_noSuchLand(255));
        _buildPort(255);
        vm.expectRevert(_notYourLand(7, 1));
        _buildPort(7);
        vm.expectRevert(abi.encodeWithSelector(IConquest.NoWater.selector, 1));
        _buildPort(1);
        _setPorts(hex"00");
        vm.expectRevert(abi.encodeWithSelector(IConquest.PortThere.selector, 0));
        _buildPort(0);
        _setPorts("");
        _setOwner(5, 0);
        _setUsed(3);
        _buildPort(0);
        vm.expectRevert(_oncePerTurn(2));
        _buildPort(5);
    }

    // ---- pass

    // It should end the turn in each phase, and open the draw of the next turn
    function test_PassTheTurn() public {
        for (uint8 phase; phase < 3; ++phase) {
            _setPhase(phase);
            uint8 seat = phase % 2;
            _expectCommand(3, hex"00");
            _expectPhase(1 - seat, REINFORCEMENT, TURN);
            _pass();
            vm.assertEq(_board().drawBlock, block.number, "block of the draw");
            _settle();
        }
    }

    // It should give the turn to the next living seat
    function test_TurnsGoRound() public {
        _beginOfThree(hex"00", hex"05", hex"0b");
        for (uint8 turn = 1; turn < 7; ++turn) {
            _pass();
            _assertTurn(turn % 3, REINFORCEMENT, TURN);
            _settle();
        }
        _pass();
        _settle();
        _surrender();
        _settle();
        _pass();
        _assertTurn(0, REINFORCEMENT, TURN);
        _settle();
        _pass();
        _assertTurn(2, REINFORCEMENT, TURN);
    }

    // It should forget what the mover did in this turn
    function test_NextTurn() public {
        _setUsed(3);
        _buildPort(0);
        _capture(1, 2);
        vm.assertTrue(_board().attacked && _board().built, "attacked and built");
        vm.assertEq(_board().used, 1 << 2, "items in effect");
        _pass();
        vm.assertFalse(_board().attacked || _board().built, "attacked or built");
        vm.assertEq(_board().used, 0, "items in effect");
    }

    // It should end only the action phase if `phaseOnly` is true
    function test_PassThePhase() public {
        _expectCommand(3, hex"01");
        _expectPhase(0, MOVE, NO_DRAW);
        _passPhase();
    }
}
