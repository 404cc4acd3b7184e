// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests the draw TURN, in which items appear and expire
contract TurnDrawTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    /// @dev Begins a match on a row of eight lands. Lands 2 and 3 have forts.
    function _beginWithForts(bytes memory anne, bytes memory bob) private {
        Graphs.Graph memory graph = Graphs.row(8);
        graph.forts = Graphs.setOf(hex"0203");
        _begin(anne, bob, graph.encode());
    }

    function _expectAppeared(uint8 land, bool fat) private {
        uint32 seq = _expect();
        emit IConquest.ItemAppeared(number, seq, land, fat);
    }

    // ---- items appear

    // It should let an item appear in 12 of 100 turns
    function testFuzz_Frequency(bytes32 seed) public {
        vm.assume(seed != 0);
        _begin(hex"00", hex"07");
        _pass();
        bool appears = _random(seed, ITEM_APPEARS, 0) % 100 < 12;
        bool fat = _random(seed, ITEM_IS_FAT, 0) % 100 < 5;
        uint8 land = uint8(1 + (_random(seed, ITEM_LAND, 0) % 6));
        _expectDrawn(TURN, seed);
        if (appears) _expectAppeared(land, fat);
        _settle(seed);
        IConquest.ItemView[] memory items = _board().items;
        vm.assertEq(items.length, appears ? 1 : 0, "items");
        if (!appears) return;
        vm.assertEq(items[0].land, land, "land");
        vm.assertEq(items[0].turns, 4, "turns");
        vm.assertTrue(items[0].fat == fat, "fat");
    }

    // It should choose a neutral land, or a fort with twice the chance, but no land with an item
    function test_LandOfTheItem() public {
        uint8[6] memory lands = [1, 2, 2, 3, 3, 4];
        for (uint256 place; place < 6; ++place) {
            _beginWithForts(hex"0003", hex"0706");
            _setItem(5, false);
            _pass();
            bytes32 seed = _seedOfItem(false, place, 6);
            _expectDrawn(TURN, seed);
            _expectAppeared(lands[place], false);
            if (lands[place] == 3) _expectCollected(0, 3, _typeOf(seed));
            _settle(seed);
            vm.assertEq(_board().items.length, lands[place] == 3 ? 1 : 2, "items");
        }
    }

    function _typeOf(bytes32 seed) private view returns (uint8) {
        uint256 kind = _random(seed, ITEM_KIND, 0);
        return uint8(_random(seed, ITEM_IS_BONUS, 0) % 95 < 85 ? 1 + (kind % 5) : 6 + (kind % 2));
    }

    // It should choose among any lands
    /// forge-config: default.fuzz.runs = 128
    function testFuzz_LandOfTheItem(uint96 forts, uint96 owned, bytes32 random) public {
        Graphs.Graph memory graph = Graphs.row(96);
        graph.forts = forts;
        _begin(2, graph.encode());
        _setLands(0, hex"00");
        _setLands(1, hex"5f");
        _setWorld(0, 0, 96, (uint256(owned) | 1) & ~(uint256(1) << 95));
        uint256 ours = (uint256(owned) | 1) | (uint256(1) << 95);
        uint8[] memory places = new uint8[](192);
        uint256 count;
        for (uint8 land; land < 96; ++land) {
            if (uint256(forts) >> land & 1 == 1) (places[count++], places[count++]) = (land, land);
            else if (ours >> land & 1 == 0) places[count++] = land;
        }
        _pass();
        while (_random(random, ITEM_APPEARS, 0) % 100 >= 12) random = keccak256(abi.encode(random));
        _expectDrawn(TURN, random);
        if (count != 0) {
            bool fat = _random(random, ITEM_IS_FAT, 0) % 100 < 5;
            _expectAppeared(places[_random(random, ITEM_LAND, 0) % count], fat);
        }
        _settle(random);
    }

    // It should give an item in a fort that a seat owns to this seat at once
    function test_OwnedFort() public {
        for (uint8 item = 1; item <= 7; ++item) {
            _beginWithForts(hex"00010203", hex"07060504");
            _setSoldiers([uint24(20), 20, 20, 20, 20, 20, 20, 20]);
            _pass();
            bytes32 seed = _seedOfType(item, true);
            uint8 land = uint8(2 + (_random(seed, ITEM_LAND, 0) % 4) / 2);
            _expectDrawn(TURN, seed);
            _expectAppeared(land, false);
            _expectCollected(0, land, item);
            _settle(seed);
            vm.assertEq(_board().items.length, 0, "items");
            vm.assertEq(_board().stored[0], item <= 4 ? item : 0, "stored item");
            vm.assertEq(_board().soldiers[1], item == 5 ? 22 : item == 6 ? 18 : 20, "soldiers");
            vm.assertEq(_board().soldiers[6], 20, "soldiers");
            if (item == 7) vm.assertTrue(_board().owned[0] != 15, "a land is lost");
        }
    }

    // It should give an item in a fort that a seat owns to this seat at once
    function test_FatBonusInAnOwnedFort() public {
        _beginWithForts(hex"00010203", hex"07060504");
        _setSoldiers([uint24(1), 1, 1, 1, 3, 9, 3, 50]);
        _pass();
        bytes32 seed = _seedOfItem(true, 0, 4);
        _expectDrawn(TURN, seed);
        _expectAppeared(2, true);
        _expectCollected(0, 2, 8);
        _expectTaken(hex"05", 1, 0);
        _settle(seed);
    }

    // It should let no item appear if no land is possible
    function test_NoLandIsPossible() public {
        _begin(hex"00010203", hex"07060504");
        _pass();
        bytes32 seed = _seedOfItem(false, 0, 1);
        _expectDrawn(TURN, seed);
        _settle(seed);
        vm.assertEq(_board().items.length, 0, "items");
    }

    // It should let at most four items lie on the map
    // It should show the items sorted by land
    function test_FourItems() public {
        _begin(hex"00", hex"07");
        for (uint256 turn; turn < 6; ++turn) {
            _pass();
            _settle(_seedOfItem(false, (2 * turn) % 3, 3));
            IConquest.ItemView[] memory items = _board().items;
            vm.assertEq(items.length, turn < 4 ? turn + 1 : 4, "items");
            uint256 turns = 0;
            for (uint256 i; i < items.length; ++i) {
                if (i != 0) vm.assertTrue(items[i - 1].land < items[i].land, "order of the items");
                turns |= 1 << items[i].turns;
            }
            vm.assertEq(turns, turn < 4 ? (1 << 5) - (1 << (4 - turn)) : 0x1e, "turns");
        }
    }

    // It should let no fifth item appear
    function test_NoFifthItem() public {
        _begin(hex"00", hex"07");
        for (uint256 land = 1; land <= 4; ++land) {
            _setWorld(2, 11 * (land - 1), 11, (land + 1) | (4 << 8));
        }
        _pass();
        bytes32 seed = _seedOfItem(false, 0, 1);
        _expectDrawn(TURN, seed);
        _settle(seed);
        vm.assertEq(_board().items.length, 4, "items");
    }

    // It should only let the items grow older if the block's hash is no longer available
    function test_TurnWithoutAHash() public {
        _begin(hex"00", hex"07");
        _setItem(3, true);
        _pass();
        _expectDrawn(TURN, 0);
        _settleLate();
        IConquest.ItemView[] memory items = _board().items;
        vm.assertEq(items.length, 1, "items");
        vm.assertEq(items[0].land, 3, "land");
        vm.assertEq(items[0].turns, 3, "turns");
    }

    // ---- items expire

    // It should remove an item after four turns
    function test_ItemExpires() public {
        _begin(hex"00", hex"07");
        _setItem(3, false);
        for (uint8 turns = 3; turns > 0; --turns) {
            _pass();
            _settle();
            vm.assertEq(_board().items[0].turns, turns, "turns");
        }
        _pass();
        bytes32 seed = _seedWithoutItem();
        _expectDrawn(TURN, seed);
        uint32 seq = _expect();
        emit IConquest.ItemExpired(number, seq, 3);
        _settle(seed);
        vm.assertEq(_board().items.length, 0, "items");
    }

    // It should remove only the expired items
    function test_SomeItemsExpire() public {
        _begin(hex"00", hex"07");
        for (uint256 land = 1; land <= 4; ++land) {
            _setWorld(2, 11 * (land - 1), 11, (land + 1) | (land % 2 == 0 ? 2 << 8 : 1 << 8) | (land == 4 ? 128 : 0));
        }
        _pass();
        bytes32 seed = _seedWithoutItem();
        _expectDrawn(TURN, seed);
        for (uint8 land = 1; land <= 3; land += 2) {
            uint32 seq = _expect();
            emit IConquest.ItemExpired(number, seq, land);
        }
        _settle(seed);
        IConquest.ItemView[] memory items = _board().items;
        vm.assertEq(items.length, 2, "items");
        vm.assertEq(items[0].land, 2, "land");
        vm.assertEq(items[1].land, 4, "land");
        vm.assertTrue(!items[0].fat && items[1].fat, "fat");
        vm.assertTrue(items[0].turns == 1 && items[1].turns == 1, "turns");
    }

    // It should remove a collected item from among the others
    function testFuzz_CollectOneOfFour(uint8 which) public {
        which = 1 + which % 4;
        _begin(hex"00", hex"07");
        _setUsed(1);
        for (uint256 land = 1; land <= 4; ++land) {
            _setWorld(2, 11 * (land - 1), 11, (land + 1) | (land << 8));
        }
        _capture(0, which);
        IConquest.ItemView[] memory items = _board().items;
        vm.assertEq(items.length, 3, "items");
        for (uint256 i; i < 3; ++i) {
            vm.assertEq(items[i].land, i + 1 < which ? i + 1 : i + 2, "land");
            vm.assertEq(items[i].turns, items[i].land, "turns");
        }
    }
}
