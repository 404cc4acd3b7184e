// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `move`
contract MoveTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    function _beginMove() private {
        _begin(hex"000103", hex"070406", _shore().encode());
        _setPhase(MOVE);
    }

    function _nothingToMove(uint8 land) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NothingToMove.selector, land);
    }

    // It should move a quarter to four quarters of the soldiers, rounded down, and end the turn
    function test_Move() public {
        uint24[4] memory moved = [uint24(2), 5, 8, 11];
        for (uint8 quarters = 1; quarters <= 4; ++quarters) {
            _beginMove();
            _setSoldiers(0, 11);
            uint24 count = moved[quarters - 1];
            _expectCommand(6, abi.encodePacked(hex"0001", quarters, hex"00"));
            _expectSoldiers(abi.encodePacked(uint8(0), 11 - count, uint8(1), 10 + count));
            _expectPhase(1, REINFORCEMENT, TURN);
            _move(0, 1, quarters, false);
        }
    }

    // It should move a quarter to four quarters of the soldiers, but not more than fit on the land
    /// forge-config: default.fuzz.runs = 128
    function testFuzz_Move(uint8 from, bool up, uint8 quarters, uint24 own, uint24 other) public {
        (from, quarters, own, other) = (1 + from % 94, 1 + quarters % 4, own % 100_000, other % 100_000);
        uint8 to = up ? from + 1 : from - 1;
        _begin(2, Graphs.row(96).encode());
        _setLands(0, abi.encodePacked(from, to));
        _setLands(1, abi.encodePacked(from < 48 ? 95 : 0));
        _setSoldiers(from, own);
        _setSoldiers(to, other);
        _setPhase(MOVE);
        uint256 count = uint256(own) * quarters / 4;
        if (count > 99_999 - other) count = 99_999 - other;
        if (count == 0) vm.expectRevert(_nothingToMove(from));
        _move(from, to, quarters, false);
        uint32[] memory soldiers = _board().soldiers;
        for (uint8 land; land < 96; ++land) {
            uint256 expected = land == from ? own - count : land == to ? other + count : 10;
            vm.assertEq(soldiers[land], expected, "soldiers");
        }
    }

    // It should move the hero, with or without soldiers
    function test_MoveTheHero() public {
        for (uint24 soldiers; soldiers <= 10; soldiers += 10) {
            _beginMove();
            _setSoldiers(0, soldiers);
            _setHero(0, 0);
            _expectCommand(6, hex"00010401");
            if (soldiers != 0) _expectSoldiers(hex"00000000" hex"01000014");
            _expectHeroAt(0, 1);
            _expectPhase(1, REINFORCEMENT, TURN);
            _move(0, 1, 4, true);
            vm.assertEq(_board().heroes[0], 1, "hero");
        }
    }

    // It should move across the water from a land with a port
    function test_MoveBySea() public {
        _beginMove();
        _setOwner(5, 0);
        vm.expectRevert(_notConnected(0, 5));
        _move(0, 5, 4, false);
        _setPorts(hex"00");
        _move(0, 5, 4, false);
        _assertSoldiers([uint24(0), 10, 10, 10, 10, 20, 10, 10]);
    }

    // It should revert with NoSuchLand
    // It should revert with NotYourLand
    // It should revert with NotConnected
    // It should revert with NoHero
    // It should revert with NothingToMove
    function test_RevertWhen_TheMoveIsImpossible() public {
        _beginMove();
        vm.expectRevert(_noSuchLand(8));
        _move(8, 1, 2, false);
        vm.expectRevert(_noSuchLand(9));
        _move(0, 9, 2, false);
        vm.expectRevert(_notYourLand(7, 1));
        _move(7, 1, 2, false);
        vm.expectRevert(_notYourLand(2, NONE));
        _move(1, 2, 2, false);
        vm.expectRevert(_notConnected(0, 0));
        _move(0, 0, 1, false);
        vm.expectRevert(_notConnected(0, 3));
        _move(0, 3, 1, false);
        vm.expectRevert(abi.encodeWithSelector(IConquest.NoHero.selector, 0));
        _move(0, 1, 1, true);
        _setHero(0, 1);
        vm.expectRevert(abi.encodeWithSelector(IConquest.NoHero.selector, 0));
        _move(0, 1, 1, true);
        _setSoldiers(0, 3);
        vm.expectRevert(_nothingToMove(0));
        _move(0, 1, 1, false);
        _setSoldiers(1, 99_999);
        vm.expectRevert(_nothingToMove(0));
        _move(0, 1, 4, false);
    }

    // It should revert with BadRatio
    function testFuzz_RevertWhen_TheRatioIsOutOfRange(uint8 quarters) public {
        vm.assume(quarters == 0 || quarters > 4);
        _beginMove();
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadRatio.selector, quarters));
        _move(0, 1, quarters, false);
    }
}
