// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CellSet} from "../../src/games/touche_coule/CellSet.sol";
import {ShipMap} from "../../src/games/touche_coule/ShipMap.sol";
import {vm} from "../Vm.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests the sets of cells and the map of ships, which all calls use
contract CellsTest is ToucheCouleFixture {
    using CellSet for CellSet.Set;
    using ShipMap for uint256[];

    CellSet.Set private _set;

    function setUp() public override {}

    // It should contain exactly the added cells
    function testFuzz_AddAndRemove(uint16[20] memory cells) public {
        uint256[16] memory expected;
        for (uint256 i; i < cells.length; ++i) {
            uint256 cell = cells[i] % 4096;
            uint256 bit = 1 << (cell % 256);
            if (cells[i] < 40_000) {
                expected[cell / 256] |= bit;
                _set.add(cell);
            } else {
                expected[cell / 256] &= ~bit;
                _set.remove(cell);
            }
        }
        for (uint256 word; word < 16; ++word) {
            vm.assertEq(_set.words[word], expected[word], "word");
        }
    }

    // It should write nothing when it removes a cell that is missing
    function testFuzz_RemoveAMissingCell(uint16 cell) public {
        _set.add((uint256(cell) + 1) % 4096);
        vm.record();
        _set.remove(cell % 4096);
        (, bytes32[] memory writes) = vm.accesses(address(this));
        vm.assertEq(writes.length, 0, "writes");
    }

    // It should draw the same cell as an implementation that goes through all cells
    function testFuzz_Draw(uint256[16] memory words, uint8 width, uint8 height, uint16 a, uint16 b, bytes32 seed)
        public
    {
        bytes memory codes = new bytes((2 + uint256(width) % 63) * (2 + uint256(height) % 63));
        // A board with few free cells has full words.
        for (uint256 i; i < 16; ++i) {
            uint256 kind = words[i] % 4;
            _set.words[i] = kind == 0 ? type(uint256).max : kind == 1 ? 0 : words[i];
        }
        for (uint256 cell; cell < codes.length; ++cell) {
            if (_set.words[cell / 256] >> (cell % 256) & 1 == 1) codes[cell] = 0x02;
        }
        if (a < codes.length) codes[a] = 0x01;
        if (b < codes.length) codes[b] = 0x03;
        vm.assertEq(_set.draw(codes.length, a, b, seed), _draw(codes, seed), "cell");
    }

    // It should draw no cell from a full board
    function testFuzz_DrawFromAFullBoard(uint8 width, uint8 height, bytes32 seed) public {
        uint256 cells = (2 + uint256(width) % 63) * (2 + uint256(height) % 63);
        for (uint256 i; i < 16; ++i) {
            _set.words[i] = type(uint256).max;
        }
        _set.words[0] -= 6;
        vm.assertEq(_set.draw(cells, 1, 2, seed), NO_CELL, "cell");
        vm.assertTrue(_set.draw(cells, 1, NO_CELL, seed) == 2, "the only free cell");
    }

    // It should find each set bit of a word by its place
    function testFuzz_CountAndSelect(uint256 bits, uint256 mask) public pure {
        _assertBits(bits);
        _assertBits(bits & mask);
        _assertBits(uint256(1) << (mask & 255));
        _assertBits(type(uint256).max >> (mask & 255));
        _assertBits(type(uint256).max << (mask & 255));
    }

    function _assertBits(uint256 bits) private pure {
        uint256 count;
        for (uint256 i; i < 256; ++i) {
            if (bits >> i & 1 == 0) continue;
            if (CellSet.select(bits, count) != i) vm.assertEq(CellSet.select(bits, count), i, "select");
            ++count;
        }
        vm.assertEq(CellSet.count(bits), count, "count");
    }

    // It should return the ship of each cell
    function testFuzz_ShipMap(uint16 cells, uint16[10] memory places, uint16[10] memory ships) public pure {
        uint256 length = 4 + uint256(cells) % 4093;
        uint256[] memory map = ShipMap.make(length);
        uint16[] memory expected = new uint16[](length);
        for (uint256 i; i < places.length; ++i) {
            uint256 cell = places[i] % length;
            if (expected[cell] != 0) continue;
            expected[cell] = ships[i];
            map.put(cell, ships[i]);
        }
        for (uint256 cell; cell < length; ++cell) {
            if (map.shipOn(cell) != expected[cell]) vm.assertEq(map.shipOn(cell), expected[cell], "ship");
        }
    }
}
