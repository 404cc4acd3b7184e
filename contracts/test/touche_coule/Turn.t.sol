// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests `turn`
contract TurnTest is ToucheCouleFixture {
    // ---- turn 0

    // It should close registration and start the match without a shot
    function test_Turn0() public {
        _open(12, 12, 2, 1);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IMatch.MatchStarted(number, seq + 1);
        vm.expectEmit(address(game));
        emit IToucheCoule.TurnPlayed(number, seq + 2, BOB, 0, 0, 0);
        vm.recordLogs();
        vm.prank(BOB);
        game.turn(number, 0);
        vm.assertEq(vm.getRecordedLogs().length, 2, "events");
        IToucheCoule.BoardView memory board = _board();
        _assertStatus(IMatch.Status.Playing);
        vm.assertEq(board.seq, seq + 2, "seq");
        vm.assertEq(board.ply, 1, "ply");
        vm.assertEq(board.anchor, block.number, "anchor");
        vm.assertEq(board.deadline, block.timestamp + 1 days, "deadline");
    }

    // It should revert with TooFewOwners
    function test_RevertWhen_OnlyOneAccountHasAShip() public {
        _open(12, 12, 2, 0);
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.TooFewOwners.selector, 1, 2));
        _start();
        _register(BOB);
        _start();
    }

    // ---- who plays a turn, and when

    // It should revert with NotAPlayer
    function testFuzz_RevertWhen_TheCallerHasNoShip(address caller) public {
        vm.assume(caller != ANNE && caller != BOB);
        _open(12, 12, 1, 1);
        for (uint32 ply; ply < 2; ++ply) {
            vm.expectRevert(_notAPlayer(number, caller));
            vm.prank(caller);
            game.turn(number, ply);
            if (ply == 0) _start();
            _rollToDraw();
        }
        vm.expectRevert(_notAPlayer(number, caller));
        vm.prank(caller);
        game.changePosition(number);
        vm.expectRevert(_notAPlayer(number, caller));
        vm.prank(caller);
        game.communicate(number);
    }

    // It should revert with NoShipAfloat
    function test_RevertWhen_TheCallersShipsAreSunk() public {
        _open(64, 64, 1, 1);
        _registerCaptain(CAROL).behave(HostileCaptain.Manner.Fires, _cell(2));
        _start();
        _turn(BOB);
        _rollToDraw();
        vm.expectRevert(_noShipAfloat(BOB));
        vm.prank(BOB);
        game.turn(number, 2);
        vm.expectRevert(_noShipAfloat(BOB));
        vm.prank(BOB);
        game.changePosition(number);
    }

    // It should accept a turn by an owner who has one ship left
    function test_OneOfTwoShipsIsSunk() public {
        for (uint16 sunk = 1; sunk < 3; ++sunk) {
            _open(64, 64, 2, 1);
            _registerCaptain(CAROL).behave(HostileCaptain.Manner.Fires, _cell(sunk));
            _start();
            _turn(ANNE);
            vm.assertFalse(_ship(sunk).afloat, "afloat");
            _turn(ANNE);
            vm.assertEq(_board().ply, 3, "ply");
        }
    }

    // It should revert with StaleMove
    function testFuzz_RevertWhen_TheTurnIsAnotherOne(uint32 turnNo) public {
        _open(12, 12, 1, 1);
        for (uint32 ply; ply < 2; ++ply) {
            if (turnNo != ply) {
                vm.expectRevert(_staleMove(ply, turnNo));
                vm.prank(ANNE);
                game.turn(number, turnNo);
            }
            if (ply == 0) _start();
            _rollToDraw();
        }
    }

    // It should continue the match
    function test_IdleOwner() public {
        _begin(64, 64, 1, 1);
        vm.warp(_board().deadline - 1);
        _turns(12);
        vm.assertEq(_board().ply, 13, "ply");
        vm.assertEq(_board().deadline, block.timestamp + 1 days, "deadline");
    }

    // ---- the volley

    // It should fire all ships afloat at once, each at a random unknown cell of its map
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_Volley(uint16 height) public {
        vm.roll(1_000 + uint256(height));
        _begin(43, 6, 2, 2);
        _rollToDraw();
        bytes32 seed = blockhash(block.number - 1);
        for (uint32 ply = 1; ply < 4 && _assertVolley(ply, seed); ++ply) {
            _rollToDraw();
            seed = blockhash(block.number - 1);
        }
    }

    /// @dev Plays a turn, and checks its events and its anchor.
    /// @return true if all ships are still afloat
    function _assertVolley(uint32 ply, bytes32 seed) private returns (bool) {
        bytes memory shots;
        bytes memory occupied = _occupied();
        bool hits;
        for (uint16 ship = 1; ship < 5; ++ship) {
            uint16 target = _expectedTarget(ship, seed);
            shots = bytes.concat(shots, _shot(ship, target));
            hits = hits || occupied[target] != 0;
        }
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IToucheCoule.Fired(number, seq + 1, shots);
        if (!hits) {
            vm.expectEmit(address(game));
            emit IToucheCoule.TurnPlayed(number, seq + 2, BOB, ply, uint40(block.number - 1), seed);
        }
        vm.prank(BOB);
        game.turn(number, ply);
        vm.assertEq(_board().anchor, block.number, "anchor");
        return !hits;
    }

    // It should draw different cells in each match and for each ship
    function test_EachShipDrawsItsOwnCells() public {
        uint16 last;
        for (uint256 i; i < 6; ++i) {
            _begin(64, 64, 2, 1);
            uint16[] memory targets = _turn(ANNE);
            vm.assertTrue(targets[1] != last, "ship 1 draws the same cell in two matches");
            vm.assertTrue(targets[1] != targets[2], "allies draw the same cell");
            vm.assertTrue(targets[1] != targets[3], "rivals draw the same cell");
            last = targets[1];
        }
    }

    // It should never fire at its own cell or its ally's cell
    function test_NoShipFiresAtItsAlly() public {
        for (uint256 i; i < 8; ++i) {
            _open(2, 2, 2, 0);
            _registerCaptain(BOB);
            _start();
            (uint16 first, uint16 second) = (_cell(1), _cell(2));
            while (_ship(3).afloat) {
                uint16[] memory targets = _turn(ANNE);
                vm.assertTrue(targets[1] != first && targets[1] != second, "ship 1 fires at its owner's ship");
                vm.assertTrue(targets[2] != first && targets[2] != second, "ship 2 fires at its owner's ship");
            }
        }
    }

    // It should fire at the cell of an ally that has sunk
    function test_CellOfASunkAlly() public {
        _open(2, 2, 2, 0);
        _put(1, 0);
        _put(2, 1);
        HostileCaptain captain = _registerCaptain(BOB);
        _put(3, 2);
        _setFired(1, 0, 1 << 2);
        captain.behave(HostileCaptain.Manner.Fires, 1);
        _setFired(2, 0, 1 << 2);
        _start();
        _turn(ANNE);
        vm.assertFalse(_ship(2).afloat, "afloat");
        _setFired(1, 0, 1 << 2 | 1 << 3);
        vm.assertEq(game.mapOf(number, 1), hex"01000202");
        vm.assertEq(_turn(ANNE)[1], 1, "target");
    }

    // It should forget only one word of a full map, and cost little gas
    function test_FullMaps() public limitsGas {
        _begin(64, 64, 2, 2);
        for (uint16 ship = 1; ship < 5; ++ship) {
            for (uint256 word; word < 16; ++word) {
                _setFired(ship, word, type(uint256).max);
            }
        }
        _rollToDraw();
        vm.prank(ANNE);
        game.turn{gas: 60_000 + 4 * 60_000 - INTRINSIC_GAS}(number, 1);
        for (uint16 ship = 1; ship < 5; ++ship) {
            bytes memory codes = game.mapOf(number, ship);
            uint256 unknown;
            for (uint256 word; word < 16; ++word) {
                uint256 free = _countFree(codes, word);
                if (free != 0) ++unknown;
                vm.assertTrue(free == 0 || free >= 253, "the ship must forget whole words");
            }
            vm.assertEq(unknown, 1, "forgotten words");
        }
    }

    // ---- hits

    // It should sink the ship after all ships have fired, and clear its cell
    // It should name the first ship that hit it
    function test_Hit() public {
        _open(64, 33, 1, 1);
        HostileCaptain[3] memory captains =
            [_registerCaptain(CAROL), _registerCaptain(CAROL), _registerCaptain(address(0xDA7))];
        _put(5, 64 * 32 + 5);
        captains[0].behave(HostileCaptain.Manner.Fires, 64 * 32 + 5);
        captains[1].behave(HostileCaptain.Manner.Fires, 64 * 32 + 5);
        captains[2].behave(HostileCaptain.Manner.Fires, _cell(4));
        _start();
        _rollToDraw();
        _assertHits();
        vm.assertFalse(_ship(4).afloat || _ship(5).afloat, "afloat");
        vm.assertTrue(_ship(1).afloat && _ship(2).afloat && _ship(3).afloat, "afloat");
        vm.assertEq(_cell(5), 64 * 32 + 5, "the last position");
        bytes memory occupied = _occupied();
        vm.assertEq(_countFree(occupied, 8), 64, "free cells in the last row");
        vm.assertTrue(occupied[_cell(4)] == 0, "occupied");
        _assertStatus(IMatch.Status.Playing);
    }

    function _assertHits() private {
        bytes32 seed = blockhash(block.number - 1);
        bytes memory shots = bytes.concat(
            _shot(1, _expectedTarget(1, seed)),
            _shot(2, _expectedTarget(2, seed)),
            _shot(3, 64 * 32 + 5),
            _shot(4, 64 * 32 + 5),
            _shot(5, _cell(4))
        );
        uint32 seq = game.seqOf(number);
        uint16 cell = _cell(4);
        vm.expectEmit(address(game));
        emit IToucheCoule.Fired(number, seq + 1, shots);
        vm.expectEmit(address(game));
        emit IToucheCoule.Touched(number, seq + 2, 4, uint8(cell % 64), uint8(cell / 64), 5);
        vm.expectEmit(address(game));
        emit IToucheCoule.Touched(number, seq + 3, 5, 5, 32, 3);
        vm.expectEmit(address(game));
        emit IToucheCoule.TurnPlayed(number, seq + 4, ANNE, 1, uint40(block.number - 1), seed);
        vm.prank(ANNE);
        game.turn(number, 1);
    }

    // It should neither fire nor be hit again
    function test_SunkShip() public {
        _open(64, 64, 1, 1);
        HostileCaptain captain = _registerCaptain(CAROL);
        uint16 target = _cell(2);
        captain.behave(HostileCaptain.Manner.Fires, target);
        _start();
        vm.assertTrue(_turn(ANNE)[2] != NO_CELL, "a ship that is hit must still fire");
        uint32 seq = game.seqOf(number);
        uint16[] memory targets = _turn(ANNE);
        vm.assertEq(targets[2], NO_CELL, "a sunk ship must not fire");
        vm.assertEq(targets[3], target, "target");
        vm.assertTrue(targets[1] != NO_CELL, "ship 1 must fire");
        vm.assertEq(game.seqOf(number), seq + 2, "a second hit would be another event");
    }
}
