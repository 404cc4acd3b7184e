// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShip} from "../../src/games/touche_coule/IShip.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Vm, vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests that captains harm only their owners
contract CaptainsTest is ToucheCouleFixture {
    /// @dev The gas that the game's rules promise for a turn with four ships.
    uint256 private constant TURN_GAS = 60_000 + 4 * 60_000 - INTRINSIC_GAS;

    HostileCaptain private _captain;

    /// @dev Opens a match in which ship 3 has a captain, and the other three ships are built in.
    function setUp() public override {
        super.setUp();
        _open(64, 64, 1, 1);
        _captain = _registerCaptain(CAROL);
        _register(ANNE);
    }

    // ---- orders

    // It should give the captain orders with the ship's place and a seed of its own
    // It should give each captain 40,000 gas
    // It should fire at the cell that the captain returns
    function test_Orders() public {
        HostileCaptain second = _registerCaptain(CAROL);
        _captain.behave(HostileCaptain.Manner.Remembers, 77);
        second.behave(HostileCaptain.Manner.Remembers, 88);
        _start();
        _rollToDraw();
        bytes32 seed = blockhash(block.number - 1);
        (uint16 a, uint16 b) = (_cell(3), _cell(5));
        bytes32[3] memory seeds = [_shipSeed(3, seed), _shipSeed(5, seed), _shipSeed(1, seed)];
        uint16[] memory targets = _turn(ANNE);
        vm.assertEq(targets[3], 77, "target");
        vm.assertEq(targets[5], 88, "target");
        vm.assertLe(_captain.given(), 40_000, "gas");
        _assertReceived(_captain, IShip.Orders(number, 3, CAROL, 1, 64, 64, a, b, seeds[0]));
        _assertReceived(second, IShip.Orders(number, 5, CAROL, 1, 64, 64, b, a, seeds[1]));
    }

    // It should give the captain orders with the ship's place and a seed of its own
    function test_OrdersWithoutAnAlly() public {
        _open(7, 4, 1, 0);
        _captain = _registerCaptain(BOB);
        _captain.behave(HostileCaptain.Manner.Remembers, NO_CELL);
        _setFired(1, 0, 1 << _cell(2));
        _start();
        _rollToDraw();
        IShip.Orders memory orders =
            IShip.Orders(number, 2, BOB, 1, 7, 4, _cell(2), NO_CELL, _shipSeed(2, blockhash(block.number - 1)));
        _turn(ANNE);
        _assertReceived(_captain, orders);
    }

    function _assertReceived(HostileCaptain captain, IShip.Orders memory orders) private view {
        vm.assertEq(captain.received(), keccak256(abi.encodeCall(IShip.fire, (orders))));
    }

    // ---- bad captains

    // It should miss, and all other ships should fire
    function test_BadCaptains() public limitsGas {
        HostileCaptain.Manner[9] memory manners = [
            HostileCaptain.Manner.Reverts,
            HostileCaptain.Manner.RevertsHuge,
            HostileCaptain.Manner.ReturnsHuge,
            HostileCaptain.Manner.Loops,
            HostileCaptain.Manner.Invalid,
            HostileCaptain.Manner.ReturnsNothing,
            HostileCaptain.Manner.ReturnsShort,
            HostileCaptain.Manner.ReturnsLong,
            HostileCaptain.Manner.ReturnsTwo
        ];
        _start();
        for (uint256 i; i < manners.length; ++i) {
            _captain.behave(manners[i], 5);
            _assertOnlyTheCaptainMisses();
        }
    }

    // It should miss, and all other ships should fire
    function test_CaptainsThatDestroyThemselvesOrLoseTheirCode() public limitsGas {
        _start();
        vm.etch(address(_captain), hex"33ff"); // selfdestruct(caller)
        _assertOnlyTheCaptainMisses();
        vm.etch(address(_captain), "");
        _assertOnlyTheCaptainMisses();
    }

    // It should miss if the cell is not on the board
    function testFuzz_CellOutsideTheBoard(uint256 target) public limitsGas {
        vm.assume(target > 4095);
        _start();
        _captain.behave(HostileCaptain.Manner.Fires, target);
        _assertOnlyTheCaptainMisses();
    }

    // It should miss if the cell is not on the board
    function test_CellsNextToTheBoard() public limitsGas {
        _start();
        uint256[4] memory targets = [uint256(4096), NO_CELL, 1 << 16 | 5, type(uint256).max];
        for (uint256 i; i < targets.length; ++i) {
            _captain.behave(HostileCaptain.Manner.Fires, targets[i]);
            _assertOnlyTheCaptainMisses();
        }
        _captain.behave(HostileCaptain.Manner.Fires, 4095);
        vm.assertEq(_turn(ANNE)[3], 4095, "the last cell");
    }

    /// @dev Plays a turn in which only the captain's ship doesn't fire. The game emits `Fired` and
    /// `TurnPlayed`, and perhaps `Touched`.
    function _assertOnlyTheCaptainMisses() private {
        IToucheCoule.BoardView memory board = _board();
        _rollToDraw();
        vm.recordLogs();
        vm.prank(ANNE);
        game.turn{gas: TURN_GAS}(number, board.ply);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint16[] memory targets = _targets(logs);
        for (uint16 ship = 1; ship < 5; ++ship) {
            bool fires = board.ships[ship - 1].afloat && ship != 3;
            vm.assertTrue((targets[ship] != NO_CELL) == fires, "all other ships afloat must fire");
        }
        vm.assertEq(game.seqOf(number), board.seq + logs.length, "seq");
    }

    // It should miss if the cell is the ship's own or its ally's
    function test_CaptainsAimAtTheirOwnShips() public {
        HostileCaptain second = _registerCaptain(CAROL);
        uint16[3] memory cells = [_cell(3), _cell(5), _cell(4)];
        _start();
        for (uint256 i; i < 3; ++i) {
            _captain.behave(HostileCaptain.Manner.Fires, cells[i]);
            second.behave(HostileCaptain.Manner.Fires, cells[i]);
            uint16[] memory targets = _turn(ANNE);
            vm.assertEq(targets[3], i < 2 ? NO_CELL : cells[i], "target");
            vm.assertEq(targets[5], i < 2 ? NO_CELL : cells[i], "target");
        }
        vm.assertFalse(_ship(4).afloat, "afloat");
    }

    // It should miss if the captain is the contract of a built-in ship
    function test_RivalsShipAsCaptain() public {
        _open(12, 12, 1, 0);
        _register(BOB, game.shipAddress(number, 1));
        _start();
        uint16[] memory targets = _turn(ANNE);
        vm.assertEq(targets[2], NO_CELL, "the captain must miss");
        vm.assertTrue(targets[1] != NO_CELL, "ship 1 must fire");
        vm.assertEq(_countFree(game.mapOf(number, 1), 0), 142, "ship 1 must fire only once");
    }

    // ---- calls by a captain

    // It should revert calls that change the game with ReentrancyGuardReentrantCall
    function test_CaptainThatCallsTheGame() public {
        bytes[7] memory calls = [
            abi.encodeCall(game.create, (12, 12, true)),
            abi.encodeWithSignature("register(uint48)", number),
            abi.encodeWithSignature("register(uint48,address)", number, address(_captain)),
            abi.encodeCall(game.turn, (number, 1)),
            abi.encodeCall(game.changePosition, (number)),
            abi.encodeCall(game.communicate, (number)),
            abi.encodeCall(game.expire, (number))
        ];
        _start();
        (, uint48 next) = game.matchRange();
        _captain.behave(HostileCaptain.Manner.Fires, 5);
        for (uint256 i; i < calls.length; ++i) {
            uint256 before = vm.snapshotState();
            _captain.prepare(address(game), calls[i]);
            uint32 seq = game.seqOf(number);
            vm.assertEq(_turn(ANNE)[3], 5, "the captain must fire");
            vm.assertFalse(_captain.done(), "the captain's call succeeded");
            vm.assertEq(_captain.answer(), bytes4(keccak256("ReentrancyGuardReentrantCall()")));
            vm.assertEq(game.seqOf(number), seq + 2, "seq");
            (, uint48 after_) = game.matchRange();
            vm.assertEq(after_, next, "the next match");
            vm.revertToState(before);
        }
    }

    // It should let the captain read the game
    function test_CaptainThatReadsTheGame() public {
        _captain.prepare(address(game), abi.encodeCall(game.occupied, (number, 0)));
        _start();
        _turn(ANNE);
        vm.assertTrue(_captain.done(), "the captain's call failed");
    }

    // ---- gas

    // It should revert with NotEnoughGas if too little gas is left for the next captain
    // It should give each captain 40,000 gas
    function test_LittleGasHarmsNoCaptain() public limitsGas {
        _open(64, 64, 1, 0);
        HostileCaptain[3] memory captains = [_registerCaptain(BOB), _registerCaptain(BOB), _registerCaptain(CAROL)];
        for (uint256 i; i < 3; ++i) {
            captains[i].behave(HostileCaptain.Manner.NeedsGas, 1);
        }
        _start();
        _rollToDraw();
        (uint256 played, uint256 rejected) = (0, 0);
        for (uint256 gas_ = 20_000; gas_ < 400_000; gas_ += 1_000) {
            uint256 before = vm.snapshotState();
            vm.recordLogs();
            vm.prank(ANNE);
            (bool success, bytes memory result) = address(game).call{gas: gas_}(abi.encodeCall(game.turn, (number, 1)));
            if (success) {
                ++played;
                _assertAllFired(vm.getRecordedLogs());
            } else if (result.length != 0) {
                ++rejected;
                _assertNotEnoughGas(result);
            }
            vm.revertToState(before);
        }
        vm.assertTrue(played != 0 && rejected != 0, "no call succeeded, or no call was rejected");
    }

    function _assertAllFired(Vm.Log[] memory logs) private view {
        uint16[] memory targets = _targets(logs);
        for (uint256 ship = 2; ship < 5; ++ship) {
            vm.assertEq(targets[ship], 1, "a captain had too little gas");
        }
    }

    function _assertNotEnoughGas(bytes memory result) private pure {
        vm.assertEq(bytes4(result), IToucheCoule.NotEnoughGas.selector);
        vm.assertEq(result.length, 68, "length");
        (uint256 left, uint256 needed) = (_word(result, 4), _word(result, 36));
        vm.assertEq(needed, 48_000, "needed");
        vm.assertTrue(left < needed, "enough gas was left");
    }

    function _word(bytes memory data, uint256 start) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), start))
        }
    }
}
