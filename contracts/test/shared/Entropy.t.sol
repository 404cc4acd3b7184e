// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Entropy} from "../../src/Entropy.sol";
import {History} from "../History.sol";
import {vm} from "../Vm.sol";

/// @title Makes the functions of the library callable
contract Drawer {
    function seedSince(uint256 first) external view returns (uint40, bytes32) {
        return Entropy.seedSince(first);
    }

    function hashOf(uint256 height) external view returns (bytes32) {
        return Entropy.hashOf(height);
    }
}

/// @dev `Draw.t.sol` of Touché Coulé shows that little gas never changes the deciding block.
contract EntropyTest {
    bytes32 private constant HASH = keccak256("the hash of the deciding block");

    Drawer private _drawer;

    function setUp() public {
        _drawer = new Drawer();
        History.install();
    }

    // ---- seedSince

    // It should choose the newest block at a multiple of 8,191 blocks from the first
    // It should return the hash that the history contract has
    function testFuzz_HistoryDecides(uint32 first, uint16 spans, uint16 past) public {
        uint256 number = uint256(first) + 8191 * uint256(spans);
        vm.roll(number + 1 + past % 8191);
        History.record(number, HASH);
        _assertDrawn(first, number, HASH);
    }

    // It should choose the newest block at a multiple of 8,191 blocks from the first
    function test_LastBlockOfASpan() public {
        History.record(100, HASH);
        vm.roll(101);
        _assertDrawn(100, 100, HASH);
        vm.roll(100 + 8191);
        _assertDrawn(100, 100, HASH);
        vm.roll(100 + 8191 + 1);
        bytes32 next = keccak256("the hash of the next deciding block");
        History.record(100 + 8191, next);
        _assertDrawn(100, 100 + 8191, next);
        vm.roll(100 + 2 * 8191);
        _assertDrawn(100, 100 + 8191, next);
    }

    // It should choose the newest block at a multiple of 256 blocks from the first
    // It should return the hash of BLOCKHASH
    function testFuzz_BlockhashDecides(uint32 first, uint16 spans, uint8 past) public {
        uint256 number = uint256(first) + 256 * uint256(spans);
        vm.roll(number + 1 + past);
        bytes32 seed = blockhash(number);
        vm.assertTrue(seed != 0, "the hash must be available");
        // The history contract is missing, reverts, uses up all gas, or returns nothing, zero, 31
        // bytes or (twice) 64 bytes.
        bytes[8] memory codes = [
            bytes(""),
            hex"5f5ffd",
            hex"fe",
            hex"00",
            hex"60205ff3",
            hex"60055f52601f5ff3",
            hex"60055f5260405ff3",
            hex"60ff5f5260ff60205260405ff3"
        ];
        for (uint256 i; i < codes.length; ++i) {
            vm.etch(History.ADDRESS, codes[i]);
            _assertDrawn(first, number, seed);
        }
    }

    // It should choose the newest block at a multiple of 256 blocks from the first
    function testFuzz_HistoryThatNobodyWrites(uint32 first, uint16 past) public {
        vm.roll(uint256(first) + 1 + past);
        uint256 number = uint256(first) + uint256(past) / 256 * 256;
        _assertDrawn(first, number, blockhash(number));
    }

    // It should choose by spans of 256 blocks until 8,191 blocks have passed
    function test_HistoryThatBeginsLater() public {
        uint256 first = 1_000;
        for (uint256 height = first + 200; height < first + 300; ++height) {
            History.record(height, HASH);
        }
        uint16[6] memory waited = [uint16(1), 256, 257, 300, 5_000, 8_191];
        uint16[6] memory spans = [uint16(0), 0, 1, 1, 19, 31];
        for (uint256 i; i < waited.length; ++i) {
            vm.roll(first + waited[i]);
            uint256 number = first + 256 * uint256(spans[i]);
            _assertDrawn(first, number, blockhash(number));
        }
        vm.roll(first + 8_192);
        History.record(first + 8_191, HASH);
        _assertDrawn(first, first + 8_191, HASH);
        vm.roll(first + 8_492);
        _assertDrawn(first, first + 8_191, HASH);
    }

    // It should revert
    function testFuzz_RevertWhen_TheFirstBlockDoesNotExist(uint32 height, uint32 ahead) public {
        vm.roll(1 + uint256(height));
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        _drawer.seedSince(block.number + ahead);
    }

    function _assertDrawn(uint256 first, uint256 number, bytes32 seed) private view {
        (uint40 drawn, bytes32 hash) = _drawer.seedSince{gas: 10_000_000}(first);
        vm.assertEq(drawn, number, "the deciding block");
        vm.assertEq(hash, seed);
    }

    // ---- hashOf

    // It should return the hash that the history contract has
    // It should return the hash of BLOCKHASH
    function testFuzz_HashOf(uint32 number, uint8 past) public {
        vm.roll(uint256(number) + 1 + past);
        vm.assertEq(_drawer.hashOf(number), blockhash(number));
        History.record(number, HASH);
        vm.assertEq(_drawer.hashOf(number), HASH);
        vm.etch(History.ADDRESS, "");
        vm.assertEq(_drawer.hashOf(number), blockhash(number));
        vm.etch(History.ADDRESS, hex"5f5ffd");
        vm.assertEq(_drawer.hashOf(number), blockhash(number));
    }

    // It should return the hash that the history contract has
    function testFuzz_HashOfABlockThatBlockhashHasLost(uint32 number, uint16 past) public {
        vm.roll(uint256(number) + 257 + past % 7935);
        vm.assertEq(_drawer.hashOf(number), 0);
        History.record(number, HASH);
        vm.assertEq(_drawer.hashOf(number), HASH);
    }

    // It should return 0
    function testFuzz_HashOfABlockThatIsOutOfReach(uint32 height, uint64 number) public {
        vm.roll(1 + uint256(height));
        vm.assume(number > height || uint256(number) + 8191 < block.number);
        History.record(number, HASH);
        vm.assertEq(_drawer.hashOf(number), 0);
    }
}
