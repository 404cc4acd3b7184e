// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Ship} from "../../src/games/touche_coule/Ship.sol";
import {vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests `changePosition`
contract ChangePositionTest is ToucheCouleFixture {
    /// @dev Starts the match, and goes to the first block in which turn 5 is possible.
    function _rest() private {
        _start();
        _turns(4);
        _rollToDraw();
    }

    // It should move both ships, each to a random free cell
    // It should make the ships rest for five turns
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_ChangePosition(uint16 height) public {
        vm.roll(1_000 + uint256(height));
        _open(43, 6, 0, 0);
        for (uint256 i; i < 3; ++i) {
            _registerCaptain(i < 2 ? ANNE : BOB);
        }
        _rest();
        uint32 seq = game.seqOf(number);
        for (uint16 ship = 1; ship < 3; ++ship) {
            _expectMoved(ship, seq + ship);
        }
        vm.prank(ANNE);
        game.changePosition(number);
        vm.assertEq(_board().seq, seq + 2, "seq");
        vm.assertEq(_board().anchor, block.number, "anchor");
        vm.assertEq(_ship(1).readyAt, 10, "readyAt");
        vm.assertEq(_ship(2).readyAt, 10, "readyAt");
        vm.assertEq(_ship(3).readyAt, 5, "readyAt");
    }

    /// @dev Expects the next move of this ship. The second ship can't move to the first ship's new
    /// cell, but it can move to the first ship's old cell.
    function _expectMoved(uint16 ship, uint32 seq) private {
        uint40 entropyBlock = uint40(block.number - 1);
        bytes32 seed = blockhash(entropyBlock);
        bytes memory occupied = _occupied();
        if (ship == 2) {
            uint16 first = _draw(occupied, keccak256(abi.encode(seed, number, uint16(1))));
            (occupied[_cell(1)], occupied[first]) = (0x00, 0x01);
        }
        (uint16 from, uint16 to) = (_cell(ship), _draw(occupied, keccak256(abi.encode(seed, number, ship))));
        vm.expectEmit(address(game));
        emit IToucheCoule.Moved(
            number,
            seq,
            ship,
            ANNE,
            uint8(from % 43),
            uint8(from / 43),
            uint8(to % 43),
            uint8(to / 43),
            entropyBlock,
            seed
        );
    }

    // It should occupy the new cell instead of the old cell, and show it in the maps
    function test_MapsShowTheNewCells() public {
        _open(43, 6, 2, 1);
        _rest();
        uint16[3] memory old = [0, _cell(1), _cell(2)];
        for (uint16 ship = 1; ship < 3; ++ship) {
            _setFired(ship, 0, type(uint256).max);
            _setFired(ship, 1, 3);
        }
        vm.prank(ANNE);
        game.changePosition(number);
        bytes memory occupied = _occupied();
        vm.assertEq(_countFree(occupied, 0) + _countFree(occupied, 1), 255, "free cells");
        for (uint16 ship = 1; ship < 3; ++ship) {
            vm.assertTrue(occupied[_cell(ship)] == 0x01 && _cell(ship) != old[ship], "the ship must move");
            bytes memory codes = game.mapOf(number, ship);
            for (uint16 cell; cell < codes.length; ++cell) {
                uint8 expected = cell == _cell(ship) ? 1 : cell == _cell(3 - ship) ? 3 : 2;
                vm.assertEq(uint8(codes[cell]), expected, "code");
            }
            uint256[] memory words = Ship(game.shipAddress(number, ship)).fired(2);
            vm.assertEq(words[_cell(ship) / 256] >> (_cell(ship) % 256) & 1, 0, "the shot at the new cell");
        }
    }

    // It should move the ship of a captain, too
    function test_ShipOfACaptain() public {
        _open(12, 12, 0, 1);
        HostileCaptain captain = _registerCaptain(ANNE);
        captain.behave(HostileCaptain.Manner.Loops, 0);
        _start();
        for (uint256 i; i < 4; ++i) {
            _turn(BOB);
        }
        _rollToDraw();
        uint16 from = _cell(2);
        vm.prank(ANNE);
        game.changePosition{gas: 200_000}(number);
        vm.assertTrue(_cell(2) != from, "the ship must move");
        vm.assertEq(_ship(2).captain, address(captain));
    }

    // It should revert with NotReady
    function test_RevertWhen_TheShipsRest() public {
        _begin(64, 64, 2, 1);
        for (uint32 ply = 1; ply < 10; ++ply) {
            _rollToDraw();
            uint32 readyAt = ply < 5 ? 5 : 10;
            if (ply == 5) {
                vm.prank(ANNE);
                game.changePosition(number);
                _rollToDraw();
            }
            vm.expectRevert(_notReady(ply, readyAt));
            vm.prank(ANNE);
            game.changePosition(number);
            _turn(ANNE);
        }
        _rollToDraw();
        vm.prank(ANNE);
        game.changePosition(number);
    }

    // It should move only this ship
    // It should revert with NotReady
    function test_OnlyOneShipIsReady() public {
        for (uint16 ship = 1; ship < 3; ++ship) {
            uint16 other = 3 - ship;
            _open(64, 64, 2, 1);
            _rest();
            _setReadyAt(ship, 6);
            _setReadyAt(other, 8);
            vm.expectRevert(_notReady(5, 6));
            vm.prank(ANNE);
            game.changePosition(number);
            _turn(ANNE);
            _rollToDraw();
            (uint16 from, uint16 stays) = (_cell(ship), _cell(other));
            vm.prank(ANNE);
            game.changePosition(number);
            vm.assertTrue(_cell(ship) != from, "the ready ship must move");
            vm.assertEq(_cell(other), stays, "the other ship must not move");
        }
    }

    // It should move only this ship
    function test_OnlyOneShipIsAfloat() public {
        for (uint16 sunk = 1; sunk < 3; ++sunk) {
            _open(64, 64, 2, 1);
            _registerCaptain(CAROL).behave(HostileCaptain.Manner.Fires, _cell(sunk));
            _start();
            _turn(ANNE);
            _rollToDraw();
            vm.expectRevert(_notReady(2, 5));
            vm.prank(ANNE);
            game.changePosition(number);
            _turns(3);
            _rollToDraw();
            (uint16 from, uint16 stays) = (_cell(3 - sunk), _cell(sunk));
            vm.prank(ANNE);
            game.changePosition(number);
            vm.assertTrue(_cell(3 - sunk) != from, "the ship must move");
            vm.assertEq(_cell(sunk), stays, "the sunk ship must not move");
        }
    }

    // It should revert with NoFreeCell
    function test_RevertWhen_TheBoardIsFull() public {
        _open(2, 2, 0, 0);
        for (uint160 i; i < 4; ++i) {
            _registerCaptain(i < 2 ? ANNE : BOB);
        }
        _rest();
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.NoFreeCell.selector, 4));
        vm.prank(ANNE);
        game.changePosition(number);
    }

    function _notReady(uint32 ply, uint32 readyAt) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IToucheCoule.NotReady.selector, ply, readyAt);
    }

    // It should free the cell for other ships
    function test_CellOfASunkShipIsFree() public {
        _open(2, 2, 0, 0);
        HostileCaptain[4] memory captains =
            [_registerCaptain(ANNE), _registerCaptain(ANNE), _registerCaptain(BOB), _registerCaptain(CAROL)];
        _start();
        _turns(4);
        uint16 target = _cell(4);
        captains[0].behave(HostileCaptain.Manner.Fires, target);
        _turn(ANNE);
        captains[0].behave(HostileCaptain.Manner.Fires, NO_CELL);
        _rollToDraw();
        vm.prank(BOB);
        game.changePosition(number);
        vm.assertEq(_cell(3), target, "the only free cell");
    }
}
