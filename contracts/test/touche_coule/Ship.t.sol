// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShip} from "../../src/games/touche_coule/IShip.sol";
import {Ship} from "../../src/games/touche_coule/Ship.sol";
import {vm} from "../Vm.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests the built-in ship, in calls that the test makes in the game's name
contract ShipTest is ToucheCouleFixture {
    uint256 private constant ALL = type(uint256).max;

    Ship private _built;

    function setUp() public override {
        super.setUp();
        _open(43, 6, 2, 1);
        _built = Ship(game.shipAddress(number, 1));
    }

    // It should fire at a cell that is unknown, and remember it
    function testFuzz_Fire(uint256 fired, uint16 ally, bytes32 seed) public {
        ally = ally % 2 == 0 ? NO_CELL : ally % 258;
        _setFired(1, 0, fired);
        _setFired(1, 1, fired & 3);
        bytes memory codes = new bytes(258);
        for (uint256 cell; cell < 258; ++cell) {
            if (fired >> (cell % 256) & 1 == 1) codes[cell] = 0x02;
        }
        codes[7] = 0x01;
        if (ally != NO_CELL) codes[ally] = 0x03;
        uint16 expected = _draw(codes, seed);
        vm.assume(expected != NO_CELL);

        vm.assertEq(_fire(7, ally, seed), expected, "target");
        uint256[] memory words = _built.fired(2);
        vm.assertEq(words[0], expected < 256 ? fired | 1 << expected : fired, "word 0");
        vm.assertEq(words[1], expected < 256 ? fired & 3 : fired & 3 | 1 << (expected - 256), "word 1");
    }

    // It should forget one word when it has fired at all cells, and fire there
    function testFuzz_FireWithAFullMap(uint16 own, uint16 ally, bytes32 seed) public {
        (own, ally) = (own % 258, ally % 258);
        _setFired(1, 0, ALL);
        _setFired(1, 1, ALL);
        uint16 target = _fire(own, ally, seed);
        vm.assertTrue(target != own && target != ally && target < 258, "the ship must not fire there");
        uint256 word = uint256(seed) % 258 / 256;
        // Word 1 has two cells. If the ship and its ally are there, the ship forgets word 0.
        if (own != ally && own > 255 && ally > 255) word = 0;
        uint256[] memory words = _built.fired(2);
        vm.assertEq(target / 256, word, "word");
        vm.assertEq(words[word], uint256(1) << (target % 256), "the word with the shot");
        vm.assertEq(words[1 - word], ALL, "the other word");
    }

    // It should forget one word when it has fired at all cells, and fire there
    function test_FireWhereOnlyTheShipsAre() public {
        _setFired(1, 0, ALL);
        _setFired(1, 1, ALL);
        bytes32 seed = bytes32(uint256(256));
        vm.assertEq(_fire(256, 257, seed), 0, "the first cell of word 0");
        vm.assertEq(_built.fired(2)[0], 1, "word 0");
        _setFired(1, 0, ALL);
        vm.assertEq(_fire(256, 0, seed), 257, "the free cell of word 1");
    }

    // It should revert with NotMyOrders
    function testFuzz_RevertWhen_TheOrdersAreForAnotherShip(uint48 matchId, uint16 ship) public {
        vm.assume(matchId != number || ship != 1);
        IShip.Orders memory orders = _orders(0, NO_CELL, 0);
        (orders.matchId, orders.ship) = (matchId, ship);
        vm.expectRevert(abi.encodeWithSelector(Ship.NotMyOrders.selector, matchId, ship));
        vm.prank(address(game));
        _built.fire(orders);
    }

    // It should revert with NotTheGame
    function testFuzz_RevertWhen_TheCallerIsNotTheGame(address caller) public {
        vm.assume(caller != address(game));
        IShip.Orders memory orders = _orders(0, NO_CELL, 0);
        address[3] memory callers = [caller, ANNE, address(_built)];
        bytes[3] memory calls = [
            abi.encodeCall(_built.fire, (orders)),
            abi.encodeCall(_built.moved, (5)),
            abi.encodeCall(_built.learn, (new uint256[](2), 0))
        ];
        for (uint256 i; i < 9; ++i) {
            vm.prank(callers[i / 3]);
            (bool success, bytes memory result) = address(_built).call(calls[i % 3]);
            vm.assertFalse(success, "the call must revert");
            vm.assertEq(result, abi.encodeWithSelector(Ship.NotTheGame.selector, callers[i / 3]));
        }
    }

    // It should forget its shot at the new cell
    function testFuzz_Moved(uint16 cell, uint256[2] memory fired) public {
        cell %= 258;
        _setFired(1, 0, fired[0]);
        _setFired(1, 1, fired[1]);
        vm.prank(address(game));
        _built.moved(cell);
        for (uint256 word; word < 2; ++word) {
            uint256 forgotten = cell / 256 == word ? uint256(1) << (cell % 256) : 0;
            vm.assertEq(_built.fired(2)[word], fired[word] & ~forgotten, "word");
        }
    }

    // It should add the ally's shots except at its own cell, and return true if it has learned any
    function testFuzz_Learn(uint16 own, uint256[2] memory mine, uint256[2] memory theirs) public {
        own %= 258;
        bool learns;
        uint256[] memory told = new uint256[](2);
        uint256[2] memory expected;
        for (uint256 word; word < 2; ++word) {
            _setFired(1, word, mine[word]);
            // In about half of the runs, the ship knows all shots.
            if (own % 2 == 0) theirs[word] &= mine[word];
            told[word] = theirs[word];
            expected[word] = mine[word] | theirs[word];
            if (own / 256 == word) expected[word] &= ~(uint256(1) << (own % 256));
            learns = learns || expected[word] != mine[word];
        }
        vm.prank(address(game));
        vm.assertTrue(_built.learn(told, own) == learns, "learned");
        vm.assertEq(_built.fired(2)[0], expected[0], "word 0");
        vm.assertEq(_built.fired(2)[1], expected[1], "word 1");
    }

    // It should belong to the game, and be a contract of its own
    function test_EachShipIsAContract() public view {
        for (uint16 ship = 1; ship <= 3; ++ship) {
            address built = game.shipAddress(number, ship);
            vm.assertTrue(built.code.length != 0, "code");
            vm.assertEq(Ship(built).GAME(), address(game));
            vm.assertTrue(ship == 1 || built != address(_built), "the ships share a contract");
        }
    }

    function _fire(uint16 cell, uint16 ally, bytes32 seed) private returns (uint16) {
        IShip.Orders memory orders = _orders(cell, ally, seed);
        vm.prank(address(game));
        return _built.fire{gas: 200_000}(orders);
    }

    function _orders(uint16 cell, uint16 ally, bytes32 seed) private view returns (IShip.Orders memory) {
        return IShip.Orders(number, 1, ANNE, 1, 43, 6, cell, ally, seed);
    }
}
