// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests the checks that all commands share
contract CommandTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    uint256 private constant COMMANDS = 10;

    /// @dev The phase that each command needs. Commands with 255 are possible in each phase of a
    /// turn, and commands with 254 also during the choice of capitals.
    uint8[COMMANDS] private _needed = [CAPITALS, REINFORCEMENT, ACTION, 254, 255, 255, ACTION, ACTION, ACTION, MOVE];

    function setUp() public override {
        super.setUp();
        _begin(hex"000103", hex"070406", _shore().encode());
    }

    function _commands(uint32 ply, uint32 trail) private view returns (bytes[COMMANDS] memory calls) {
        calls[0] = abi.encodeCall(game.chooseCapital, (number, ply, trail, 2));
        calls[1] = abi.encodeCall(game.reinforce, (number, ply, trail, 0));
        calls[2] = abi.encodeCall(game.buildPort, (number, ply, trail, 0));
        calls[3] = abi.encodeCall(game.surrender, (number, ply, trail));
        calls[4] = abi.encodeCall(game.pass, (number, ply, trail, false));
        calls[5] = abi.encodeCall(game.useItem, (number, ply, trail));
        calls[6] = abi.encodeCall(game.pass, (number, ply, trail, true));
        calls[7] = abi.encodeCall(game.capture, (number, ply, trail, 1, 2));
        calls[8] = abi.encodeCall(game.attack, (number, ply, trail, hex"0304"));
        calls[9] = abi.encodeCall(game.move, (number, ply, trail, 0, 1, 4, false));
    }

    // ---- checks

    // It should check the player, the ply, the turn and the trail, in this order
    /// forge-config: default.fuzz.runs = 32
    function testFuzz_OrderOfChecks(uint32 ply, uint32 trail) public {
        vm.assume(ply != 0 && trail != 0);
        for (uint256 i; i < COMMANDS; ++i) {
            _assertReverts(CAROL, address(game), _commands(ply, trail)[i], _notAPlayer(number, CAROL));
            _assertReverts(CAROL, address(game), _commands(0, 0)[i], _notAPlayer(number, CAROL));
            _assertReverts(BOB, address(game), _commands(ply, trail)[i], _staleMove(0, ply));
            _assertReverts(BOB, address(game), _commands(0, 0)[i], _notYourTurn(BOB, ANNE));
            _assertReverts(ANNE, address(game), _commands(ply, trail)[i], _staleMove(0, ply));
            _assertReverts(ANNE, address(game), _commands(0, trail)[i], _otherPosition(0, trail));
        }
    }

    // It should revert with WrongPhase
    function test_RevertWhen_ThePhaseIsWrong() public {
        _setStored(0, 1);
        for (uint8 phase; phase < 4; ++phase) {
            _setPhase(phase);
            for (uint256 i; i < COMMANDS; ++i) {
                uint8 needed = _needed[i];
                if (needed == 254 || needed == phase || (needed == 255 && phase != CAPITALS)) continue;
                _assertReverts(ANNE, address(game), _commands(0, 0)[i], _wrongPhase(phase, needed));
            }
        }
    }

    // It should add the command to the trail, count it and restart the clock
    function test_EachCommand() public {
        _setStored(0, 1);
        _setSoldiers([uint24(10), 10, 10, 90, 10, 10, 10, 10]);
        uint8[COMMANDS] memory kinds = [0, 1, 2, 4, 3, 7, 3, 5, 5, 6];
        bytes[COMMANDS] memory data =
            [bytes(hex"02"), hex"00", hex"00", "", hex"00", "", hex"01", hex"0102", hex"0304", hex"00010400"];
        for (uint256 i; i < COMMANDS; ++i) {
            uint256 snapshot = vm.snapshotState();
            _setPhase(_needed[i] > CAPITALS ? ACTION : _needed[i]);
            _setForced(0, 2);
            vm.warp(block.timestamp + 100);
            _expectCommand(kinds[i], data[i]);
            vm.prank(ANNE);
            (bool success,) = address(game).call(_commands(0, 0)[i]);
            vm.assertTrue(success, "the command must succeed");
            vm.assertEq(_board().ply, 1, "ply");
            vm.assertEq(_board().forced[0], 0, "forced passes");
            if (kinds[i] != 4) vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
            vm.revertToState(snapshot);
        }
    }

    // It should accept a command after the deadline if nobody has claimed the timeout
    function test_LateCommand() public {
        vm.warp(_board().deadline + 1000);
        _pass();
    }

    // ---- settle and claimTimeout

    // It should revert with NothingToSettle
    function test_RevertWhen_NoDrawIsOpen() public {
        vm.expectRevert(IConquest.NothingToSettle.selector);
        game.settle(number);
    }

    // It should revert with NotExpired
    function testFuzz_RevertWhen_TheMoverHasTime(uint40 time) public {
        uint40 deadline = _board().deadline;
        time %= deadline;
        vm.warp(time);
        vm.expectRevert(abi.encodeWithSelector(IMatch.NotExpired.selector, time, deadline));
        game.claimTimeout(number);
    }

    // ---- all calls

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchHasNotStarted() public {
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, 2, new address[](0), CLOCK, 0, Graphs.row(8).encode());
        bytes[] memory calls = _calls(number);
        for (uint256 i; i < calls.length - 6; ++i) {
            _assertReverts(
                ANNE, address(game), calls[i], _wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing)
            );
        }
    }

    // It should revert with NoSuchMatch
    function test_RevertWhen_TheMatchDoesNotExist() public {
        bytes[] memory calls = _calls(9);
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(ANNE, address(game), calls[i], _noSuchMatch(9));
        }
    }

    /// @return calls all calls that concern a match. The last six don't need a match in progress
    function _calls(uint48 matchId) private view returns (bytes[] memory calls) {
        calls = new bytes[](17);
        calls[0] = abi.encodeCall(game.chooseCapital, (matchId, 0, 0, 0));
        calls[1] = abi.encodeCall(game.reinforce, (matchId, 0, 0, 0));
        calls[2] = abi.encodeCall(game.buildPort, (matchId, 0, 0, 0));
        calls[3] = abi.encodeCall(game.pass, (matchId, 0, 0, false));
        calls[4] = abi.encodeCall(game.surrender, (matchId, 0, 0));
        calls[5] = abi.encodeCall(game.useItem, (matchId, 0, 0));
        calls[6] = abi.encodeCall(game.capture, (matchId, 0, 0, 0, 1));
        calls[7] = abi.encodeCall(game.attack, (matchId, 0, 0, hex"0001"));
        calls[8] = abi.encodeCall(game.move, (matchId, 0, 0, 0, 1, 4, false));
        calls[9] = abi.encodeCall(game.settle, (matchId));
        calls[10] = abi.encodeCall(game.claimTimeout, (matchId));
        calls[11] = abi.encodeCall(game.join, (matchId));
        calls[12] = abi.encodeCall(game.leave, (matchId));
        calls[13] = abi.encodeCall(game.board, (matchId));
        calls[14] = abi.encodeCall(game.mapOf, (matchId));
        calls[15] = abi.encodeCall(game.connection, (matchId, 0, 1));
        calls[16] = abi.encodeCall(game.powers, (matchId, 0, 1));
    }
}
