// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IShip} from "../../src/games/touche_coule/IShip.sol";
import {vm} from "../Vm.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests the captains that everybody can use: AimCaptain and SweepCaptain
contract ReadyCaptainsTest is ToucheCouleFixture {
    address private _aim;
    address private _sweep;

    function setUp() public override {
        super.setUp();
        _aim = _deploy("AimCaptain", "");
        _sweep = _deploy("SweepCaptain", "");
    }

    /// @dev Opens a match in which ANNE has two ships and BOB one or two, with the same captain.
    function _openWith(address captain, uint8 width, uint8 height, uint256 bobs) private {
        _open(width, height, 0, 0);
        for (uint256 i; i < 2 + bobs; ++i) {
            _register(i < 2 ? ANNE : BOB, captain);
        }
    }

    // ---- AimCaptain

    // It should fire at a rival's ship, never at its ally
    function testFuzz_AimCaptain(uint16 height) public limitsGas {
        vm.roll(1_000 + uint256(height));
        _openWith(_aim, 50, 40, 2);
        uint16[5] memory cells = [0, _cell(1), _cell(2), _cell(3), _cell(4)];
        _start();
        uint16[] memory targets = _turn(ANNE);
        for (uint16 ship = 1; ship < 5; ++ship) {
            (uint16 a, uint16 b) = ship < 3 ? (cells[3], cells[4]) : (cells[1], cells[2]);
            vm.assertTrue(targets[ship] == a || targets[ship] == b, "the captain must fire at a rival's ship");
        }
    }

    // It should fire at a rival's ship, never at its ally
    function test_AimCaptainSearchesAllWordsOfTheBoard() public {
        _openWith(_aim, 43, 6, 1);
        _put(1, 256);
        _put(2, 257);
        _put(3, 7);
        IShip.Orders memory orders = _orders(43, 6, 256, 257, bytes32(uint256(256)));
        vm.prank(address(game));
        vm.assertEq(IShip(_aim).fire(orders), 7, "the rival's ship in word 0");
        orders = _orders(43, 6, 7, NO_CELL, bytes32(uint256(1 << 128)));
        vm.prank(address(game));
        vm.assertEq(IShip(_aim).fire(orders), 257, "the second ship in word 1");
        orders = _orders(43, 6, 7, 257, bytes32(uint256(1 << 128)));
        vm.prank(address(game));
        vm.assertEq(IShip(_aim).fire(orders), 256, "the only ship of a rival in word 1");
    }

    // It should miss if it finds no ship in eight words
    function test_AimCaptainFindsNoShip() public limitsGas {
        _openWith(_aim, 64, 64, 1);
        _put(1, 0);
        _put(2, 1);
        _put(3, 9 * 256 - 1);
        for (uint256 word; word < 16; ++word) {
            // The target is in word 8, and the captain also looks into the seven words that follow.
            bool finds = word > 0 && word < 9;
            IShip.Orders memory orders = _orders(64, 64, 0, 1, bytes32(256 * word));
            vm.prank(address(game));
            vm.assertEq(IShip(_aim).fire{gas: 40_000}(orders), finds ? 9 * 256 - 1 : NO_CELL, "target");
        }
    }

    // It should miss if it finds no ship in eight words
    function test_AimCaptainIsAlone() public {
        _openWith(_aim, 16, 16, 0);
        IShip.Orders memory orders = _orders(16, 16, _cell(1), _cell(2), 0);
        vm.prank(address(game));
        vm.assertEq(IShip(_aim).fire(orders), NO_CELL, "target");
    }

    // ---- SweepCaptain

    // It should never fire twice at a cell for an owner, whose ships share a map
    function test_SweepCaptain() public limitsGas {
        _openWith(_sweep, 64, 64, 1);
        _start();
        uint16[60] memory fired;
        for (uint256 i; i < 20; ++i) {
            uint16[] memory targets = _turn(ANNE);
            for (uint256 ship = 1; ship < 4; ++ship) {
                fired[20 * (ship - 1) + i] = targets[ship];
            }
        }
        _assertDistinct(fired, 0, 40);
        _assertDistinct(fired, 40, 60);
    }

    function _assertDistinct(uint16[60] memory cells, uint256 from, uint256 until) private pure {
        for (uint256 i = from; i < until; ++i) {
            vm.assertTrue(cells[i] != NO_CELL, "the captain must fire");
            for (uint256 j = from; j < i; ++j) {
                vm.assertTrue(cells[i] != cells[j], "the captain fires twice at a cell");
            }
        }
    }

    // It should keep a map for each game, match and owner
    function test_SweepCaptainKeepsSeparateMaps() public {
        IShip.Orders memory orders = _orders(2, 2, 0, NO_CELL, 0);
        vm.assertEq(IShip(_sweep).fire(orders), 1, "the first shot");
        vm.assertEq(IShip(_sweep).fire(orders), 2, "the second shot");
        vm.prank(address(game));
        vm.assertEq(IShip(_sweep).fire(orders), 1, "the first shot in another game");
        orders.matchId = number + 1;
        vm.assertEq(IShip(_sweep).fire(orders), 1, "the first shot in another match");
        (orders.matchId, orders.owner) = (number, BOB);
        vm.assertEq(IShip(_sweep).fire(orders), 1, "the first shot of another owner");
        (orders.ship, orders.owner) = (2, ANNE);
        vm.assertEq(IShip(_sweep).fire(orders), 3, "the third shot, of the owner's other ship");
    }

    // It should clear a word and fire there when all cells are swept
    function testFuzz_SweepCaptainBeginsAgain(bytes32 seed) public {
        bytes memory codes = hex"01000000";
        for (uint256 i; i < 7; ++i) {
            seed = keccak256(abi.encode(seed));
            if (i % 3 == 0) codes = hex"01000000";
            uint16 target = IShip(_sweep).fire(_orders(2, 2, 0, NO_CELL, seed));
            vm.assertEq(target, _draw(codes, seed), "target");
            codes[target] = 0x02;
        }
    }

    // It should miss if the cleared word contains only its own ships
    function test_SweepCaptainHasNoCellInTheClearedWord() public {
        for (uint256 i; i < 256; ++i) {
            vm.assertTrue(_sweepWordOfItsOwn() < 256, "cell of word 0");
        }
        vm.assertEq(_sweepWordOfItsOwn(), NO_CELL, "target");
        vm.assertTrue(IShip(_sweep).fire(_orders(43, 6, 256, 257, 0)) < 256, "cell of word 0");
    }

    /// @dev Fires as a ship on cell 256 with an ally on cell 257. These are the only cells of word
    /// 1, where the captain looks first.
    function _sweepWordOfItsOwn() private returns (uint16) {
        return IShip(_sweep).fire(_orders(43, 6, 256, 257, bytes32(uint256(256))));
    }

    function _orders(uint8 width, uint8 height, uint16 cell, uint16 ally, bytes32 seed)
        private
        view
        returns (IShip.Orders memory)
    {
        return IShip.Orders(number, 1, ANNE, 1, width, height, cell, ally, seed);
    }
}
