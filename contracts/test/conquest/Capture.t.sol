// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `capture`
contract CaptureTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    // It should give the land and its soldiers to the seat, and end the action phase
    // It should need no superiority
    function testFuzz_Capture(uint24 own, uint24 neutral) public {
        (own, neutral) = (own % 100_000, neutral % 100_000);
        _begin(hex"00", hex"07");
        _setSoldiers([own, neutral, 10, 10, 10, 10, 10, 10]);
        _expectCommand(5, hex"0001");
        _expectTaken(hex"01", NONE, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _capture(0, 1);
        _assertLands(0, hex"0001");
        _assertSoldiers([own, neutral, 10, 10, 10, 10, 10, 10]);
        vm.assertTrue(_board().attacked, "attacked");
    }

    // It should give a land to any seat
    function test_EachSeat() public {
        _begin(6, Graphs.row(24).encode());
        for (uint8 seat; seat < 6; ++seat) {
            _setLands(seat, abi.encodePacked(4 * seat));
        }
        for (uint8 seat; seat < 6; ++seat) {
            _setPhase(ACTION);
            _capture(4 * seat, 4 * seat + 1);
            _assertLands(seat, abi.encodePacked(4 * seat, 4 * seat + 1));
            _pass();
            _settle();
        }
        for (uint8 seat; seat < 6; ++seat) {
            _assertLands(seat, abi.encodePacked(4 * seat, 4 * seat + 1));
        }
    }

    // It should capture across the water from a land with a port
    function test_CaptureBySea() public {
        _begin(hex"00", hex"07", _shore().encode());
        vm.expectRevert(_notConnected(0, 5));
        _capture(0, 5);
        _setPorts(hex"05");
        vm.expectRevert(_notConnected(0, 5));
        _capture(0, 5);
        _setPorts(hex"00");
        _capture(0, 5);
        _assertLands(0, hex"0005");
    }

    // It should revert with NoSuchLand
    // It should revert with NotYourLand
    // It should revert with NotNeutral
    // It should revert with NotConnected
    function test_RevertWhen_TheLandCantBeCaptured() public {
        _begin(hex"000103", hex"070406", _shore().encode());
        vm.expectRevert(_noSuchLand(8));
        _capture(8, 2);
        vm.expectRevert(_noSuchLand(99));
        _capture(1, 99);
        vm.expectRevert(_notYourLand(7, 1));
        _capture(7, 2);
        vm.expectRevert(_notNeutral(4, 1));
        _capture(3, 4);
        vm.expectRevert(_notNeutral(1, 0));
        _capture(1, 1);
        vm.expectRevert(_notConnected(0, 2));
        _capture(0, 2);
    }

    // It should revert with OncePerTurn
    function test_RevertWhen_TheSeatHasCaptured() public {
        _begin(hex"00", hex"07");
        _setUsed(3);
        _capture(0, 1);
        _assertTurn(0, ACTION, NO_DRAW);
        vm.expectRevert(_oncePerTurn(5));
        _capture(1, 2);
        vm.expectRevert(_oncePerTurn(5));
        _attack(hex"0102");
    }

    // ---- the hero

    /// @dev Begins a match in which seat 0 owns lands of three types, and land 3 has a fourth type.
    function _beginBeforeTheHero() private {
        Graphs.Graph memory graph = Graphs.row(8);
        graph.types = _types();
        _begin(hex"000102", hex"07", graph.encode());
    }

    function _types() private pure returns (uint8[] memory types) {
        types = new uint8[](8);
        for (uint8 land; land < 8; ++land) {
            types[land] = 1 + land % 5;
        }
    }

    // It should put the hero on the capital when the seat owns lands of four types
    function test_Hero() public {
        _beginBeforeTheHero();
        _setCapital(0, 1);
        _expectCommand(5, hex"0203");
        _expectTaken(hex"03", NONE, 0);
        _expectHeroAt(0, 1);
        _expectPhase(0, MOVE, NO_DRAW);
        _capture(2, 3);
        vm.assertEq(_board().heroes[0], 1, "hero");
        vm.assertEq(_board().hadHero, 1, "seats that had their hero");
    }

    // It should give a seat one hero at most
    function test_OneHero() public {
        _beginBeforeTheHero();
        _setHero(0, 2);
        _expectCommand(5, hex"0203");
        _expectTaken(hex"03", NONE, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _capture(2, 3);
        vm.assertEq(_board().heroes[0], 2, "hero");
    }

    // It should give no hero for lands of three types
    function testFuzz_NoHero(uint8 kind) public {
        kind = 1 + kind % 3;
        Graphs.Graph memory graph = Graphs.row(8);
        graph.types = _types();
        graph.types[3] = kind;
        _begin(hex"000102", hex"07", graph.encode());
        _capture(2, 3);
        vm.assertEq(_board().heroes[0], NONE, "hero");
        vm.assertEq(_board().hadHero, 0, "seats that had their hero");
    }

    // ---- an item

    // It should open the draw of the item's type
    function test_Item() public {
        _begin(hex"00", hex"07");
        _setItem(1, false);
        _expectCommand(5, hex"0001");
        _expectTaken(hex"01", NONE, 0);
        _expectPhase(0, MOVE, COLLECT);
        _capture(0, 1);
        vm.assertEq(_board().items.length, 0, "items");
        vm.assertEq(_board().pairs, hex"01");
        vm.assertEq(_board().drawBlock, block.number, "block of the draw");
    }

    // It should leave the items on other lands
    function test_ItemElsewhere() public {
        _begin(hex"00", hex"07");
        _setItem(2, true);
        _capture(0, 1);
        _assertTurn(0, MOVE, NO_DRAW);
        vm.assertEq(_board().items.length, 1, "items");
        vm.assertEq(_board().items[0].land, 2, "land of the item");
        vm.assertTrue(_board().items[0].fat, "fat");
    }
}
