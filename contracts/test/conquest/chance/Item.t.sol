// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests the effects of collected items
contract ItemTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    /// @dev Captures land 1, and expects that seat 0 collects this item there. The tests then
    /// expect the item's effects, and carry out the draw with the returned seed.
    function _collect(uint8 item) private returns (bytes32 seed) {
        _setItem(1, false);
        _capture(0, 1);
        seed = _seedOfType(item, false);
        _expectDrawn(COLLECT, seed);
        _expectCollected(0, 1, item);
    }

    // ---- items 1 to 4

    // It should store the item instead of the one before
    function test_StoredItems() public {
        for (uint8 item = 1; item <= 4; ++item) {
            _begin(hex"00", hex"07");
            _setStored(0, 1 + item % 4);
            _settle(_collect(item));
            vm.assertEq(_board().stored[0], item, "stored item");
            vm.assertEq(_board().used, 0, "items in effect");
            _assertTurn(0, MOVE, NO_DRAW);
            vm.assertEq(_board().pairs, "");
        }
    }

    // It should choose one of five bonuses in 85 of 95 cases, otherwise one of two penalties
    function testFuzz_Type(bytes32 seed) public {
        vm.assume(seed != 0);
        _begin(hex"00", hex"07");
        _setItem(1, false);
        _capture(0, 1);
        bool bonus = _random(seed, ITEM_IS_BONUS, 0) % 95 < 85;
        uint256 kind = _random(seed, ITEM_KIND, 0);
        _expectDrawn(COLLECT, seed);
        _expectCollected(0, 1, uint8(bonus ? 1 + (kind % 5) : 6 + (kind % 2)));
        _settle(seed);
    }

    // It should give nothing if the block's hash is no longer available
    function test_ItemWithoutAHash() public {
        _begin(hex"00", hex"07");
        _setItem(1, false);
        _setStored(0, 4);
        _capture(0, 1);
        _expectDrawn(COLLECT, 0);
        _expectCollected(0, 1, 0);
        _settleLate();
        vm.assertEq(_board().stored[0], 4, "stored item");
        _assertSoldiers([uint24(10), 10, 10, 10, 10, 10, 10, 10]);
    }

    // ---- items 5 and 6

    // It should add or remove a tenth of the soldiers on each land of the seat, rounded down
    function test_MoreAndFewerSoldiers() public {
        for (uint8 item = 5; item <= 6; ++item) {
            _begin(hex"0003", hex"07");
            _setSoldiers([uint24(19), 20, 9, 99_999, 5, 5, 5, 30]);
            bytes32 seed = _collect(item);
            if (item == 5) _expectSoldiers(hex"00000014" hex"01000016");
            else _expectSoldiers(hex"00000012" hex"01000012" hex"03015f90");
            _settle(seed);
            if (item == 5) _assertSoldiers([uint24(20), 22, 9, 99_999, 5, 5, 5, 30]);
            else _assertSoldiers([uint24(18), 18, 9, 90_000, 5, 5, 5, 30]);
        }
    }

    // It should add a tenth, but never exceed 99,999
    function testFuzz_MoreSoldiers(uint24 soldiers) public {
        soldiers %= 100_000;
        _begin(hex"00", hex"07");
        _setSoldiers(0, soldiers);
        _settle(_collect(5));
        uint256 more = uint256(soldiers) + soldiers / 10;
        vm.assertEq(_board().soldiers[0], more < 99_999 ? more : 99_999, "soldiers");
    }

    // ---- item 7

    // It should make a random land neutral, but not the capital or the land with the most soldiers
    function testFuzz_LostLand(bytes32 random) public {
        _begin(hex"000203", hex"07");
        _setSoldiers([uint24(5), 6, 8, 8, 2, 0, 0, 0]);
        _setItem(1, false);
        _capture(0, 1);
        while (!_isLostLand(random)) random = keccak256(abi.encode(random));
        _expectDrawn(COLLECT, random);
        _expectCollected(0, 1, 7);
        _expectTaken(_random(random, LOST_LAND, 0) % 2 == 0 ? bytes(hex"01") : bytes(hex"03"), 0, NONE);
        _settle(random);
        _assertSoldiers([uint24(5), 6, 8, 8, 2, 0, 0, 0]);
    }

    function _isLostLand(bytes32 seed) private view returns (bool) {
        return _random(seed, ITEM_IS_BONUS, 0) % 95 >= 85 && _random(seed, ITEM_KIND, 0) % 2 == 1;
    }

    // It should kill the hero on the lost land, and halve all soldiers of its seat
    function test_LostLandWithTheHero() public {
        _begin(hex"0002", hex"07");
        _setSoldiers([uint24(40), 60, 31, 0, 0, 0, 0, 0]);
        _setHero(0, 2);
        bytes32 seed = _collect(7);
        _expectHeroDied(0, 2);
        _expectSoldiers(hex"00000014" hex"0100001e" hex"0200000f");
        _expectTaken(hex"02", 0, NONE);
        _settle(seed);
        _assertSoldiers([uint24(20), 30, 15, 0, 0, 0, 0, 0]);
        vm.assertEq(_board().heroes[0], NONE, "hero");
    }

    // It should have no effect on a seat without another land
    function test_NoLandToLose() public {
        _begin(hex"00", hex"07");
        _setSoldiers([uint24(1), 6, 0, 0, 0, 0, 0, 0]);
        _settle(_collect(7));
        _assertLands(0, hex"0001");
    }

    // ---- item 8, the fat bonus

    /// @dev Begins a match of four, in which seat 0 collects the fat bonus on land 1. Land 8 and
    /// the lands after it are neutral.
    function _collectFat(uint24[8] memory soldiers, bytes memory givers) private {
        _begin(4, Graphs.row(16).encode());
        _setLands(0, hex"00");
        _setLands(1, hex"0706");
        _setLands(2, hex"0504");
        _setLands(3, hex"0302");
        _setSoldiers(soldiers);
        _setItem(1, true);
        _expectCommand(5, hex"0001");
        _expectTaken(hex"01", NONE, 0);
        _expectCollected(0, 1, 8);
        for (uint256 i; i < givers.length; ++i) {
            uint8 giver = uint8(givers[i]);
            _expectTaken(abi.encodePacked(8 - 2 * giver), giver, 0);
        }
        _expectPhase(0, MOVE, NO_DRAW);
        _capture(0, 1);
        vm.assertEq(_board().items.length, 0, "items");
    }

    // It should take the largest land of each of the two strongest seats except the collector
    function test_FatBonus() public {
        _collectFat([uint24(999), 0, 8, 2, 4, 50, 7, 60], hex"01");
        _collectFat([uint24(60), 0, 8, 2, 4, 50, 7, 60], hex"01");
        _collectFat([uint24(20), 0, 8, 2, 4, 50, 7, 60], hex"0102");
        _collectFat([uint24(1), 0, 8, 2, 4, 50, 7, 60], hex"0102");
        _collectFat([uint24(1), 0, 80, 2, 4, 50, 7, 60], hex"0301");
    }

    // It should prefer the lower seat if two seats are equally strong
    function test_FatBonusOnATie() public {
        _collectFat([uint24(54), 0, 8, 2, 4, 50, 7, 60], hex"01");
        _collectFat([uint24(10), 0, 5, 5, 5, 5, 5, 5], hex"01");
        _collectFat([uint24(1), 0, 5, 5, 5, 5, 5, 5], hex"0102");
    }

    // It should take the lower land if two lands are equally large
    function test_FatBonusOfTwoLands() public {
        _begin(hex"00", hex"07060504");
        _setSoldiers([uint24(1), 1, 0, 0, 3, 9, 9, 99]);
        _setItem(1, true);
        _capture(0, 1);
        _assertLands(0, hex"000105");
    }

    // It should take nothing from a seat that has only its capital
    function test_FatBonusOfACapital() public {
        _begin(hex"00", hex"07");
        _setItem(1, true);
        _capture(0, 1);
        _assertLands(0, hex"0001");
        _assertLands(1, hex"07");
        _assertTurn(0, MOVE, NO_DRAW);
    }

    // It should kill the hero on the taken land, and halve all soldiers of its seat
    function test_FatBonusWithTheHero() public {
        _begin(hex"00", hex"0706");
        _setSoldiers([uint24(1), 1, 0, 0, 0, 0, 31, 60]);
        _setHero(1, 6);
        _setItem(1, true);
        _expectCommand(5, hex"0001");
        _expectTaken(hex"01", NONE, 0);
        _expectCollected(0, 1, 8);
        _expectHeroDied(1, 6);
        _expectSoldiers(hex"0600000f" hex"0700001e");
        _expectTaken(hex"06", 1, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _capture(0, 1);
        _assertSoldiers([uint24(1), 1, 0, 0, 0, 0, 15, 30]);
        vm.assertEq(_board().heroes[1], NONE, "hero");
    }

    // It should give the collector its hero
    function test_HeroOfTheCollector() public {
        Graphs.Graph memory graph = Graphs.row(8);
        (graph.types[0], graph.types[1], graph.types[2], graph.types[4]) = (1, 2, 3, 4);
        _begin(hex"0002", hex"0704", graph.encode());
        _setItem(1, true);
        _capture(0, 1);
        vm.assertEq(_board().heroes[0], 0, "hero");
        vm.assertEq(_board().hadHero, 1, "seats that had their hero");
    }
}
