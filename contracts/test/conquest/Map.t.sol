// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @dev The functions of ConquestMapStore that the tests call.
interface IMapStore {
    error NotTheGame();

    function keep(bytes calldata graph, uint256 players) external;
}

/// @title Tests which maps `create` accepts, and how the contract stores them
contract MapTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    bytes32 private constant NEXT_MATCH_SLOT = 0;

    function _create(bytes memory graph, uint8 seats) private {
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, seats, new address[](0), CLOCK, 0, graph);
    }

    function _assertStored(bytes memory graph) private {
        _create(graph, 2);
        vm.assertEq(game.mapOf(number), graph);
    }

    function _assertFault(Graphs.Graph memory graph, uint8 fault, uint256 place) private {
        _assertFault(graph.encode(), fault, place);
    }

    function _assertFault(bytes memory graph, uint8 fault, uint256 place) private {
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadMap.selector, fault, place));
        _create(graph, 2);
    }

    function _store() private view returns (IMapStore) {
        (bool success, bytes memory answer) = address(game).staticcall(abi.encodeWithSignature("MAPS()"));
        vm.assertTrue(success, "the map store");
        return abi.decode(answer, (IMapStore));
    }

    // ---- faults

    // It should revert with BadMap and fault 1
    function test_RevertWhen_TheSizeIsWrong() public {
        _assertFault(bytes(""), 1, 0);
        _assertFault(hex"08", 1, 1);
        bytes memory graph = _shore().encode();
        _assertFault(bytes.concat(graph, hex"00"), 1, graph.length + 1);
        assembly ("memory-safe") {
            mstore(graph, sub(mload(graph), 1))
        }
        _assertFault(graph, 1, graph.length);
    }

    // It should revert with BadMap and fault 2
    function testFuzz_RevertWhen_TheNumberOfLandsIsWrong(uint8 lands, uint8 seats) public {
        seats = 2 + seats % 5;
        vm.assume(lands < 4 * seats || lands > 96);
        vm.expectRevert(abi.encodeWithSelector(IConquest.BadMap.selector, 2, lands));
        _create(abi.encodePacked(lands, uint8(0), new bytes(300)), seats);
    }

    // It should accept maps with four lands for each player, and with up to 96 lands
    function test_NumberOfLands() public {
        for (uint8 seats = 2; seats <= 6; ++seats) {
            bytes memory graph = Graphs.row(4 * seats).encode();
            _create(graph, seats);
            vm.assertEq(game.mapOf(number), graph);
        }
        _create(Graphs.row(96).encode(), 6);
        vm.assertEq(_board().soldiers.length, 96, "lands");
    }

    // It should revert with BadMap and fault 3
    function test_RevertWhen_ThereAreMoreThanEightBodiesOfWater() public {
        Graphs.Graph memory graph = Graphs.row(8);
        for (uint256 body; body < 8; ++body) {
            graph.addWater(hex"0001");
        }
        _assertStored(graph.encode());
        graph.addWater(hex"0001");
        _assertFault(graph, 3, 9);
    }

    // It should revert with BadMap and fault 4
    function testFuzz_RevertWhen_ARowHasABitBeyondTheLands(uint8 row, uint8 bit) public {
        (row, bit) = (row % 13, 8 + bit % 88);
        bytes memory graph = _shore().encode();
        uint256 index = 2 + 12 * uint256(row) + 11 - bit / 8;
        graph[index] |= bytes1(uint8(1 << (bit % 8)));
        _assertFault(graph, 4, row);
    }

    // It should revert with BadMap and fault 5
    function testFuzz_RevertWhen_ALandBordersItself(uint8 land) public {
        land %= 96;
        Graphs.Graph memory graph = Graphs.row(96);
        graph.borders[land] |= 1 << land;
        graph.borders[95] |= 1;
        _assertFault(graph, 5, land);
    }

    // It should revert with BadMap and fault 6
    function testFuzz_RevertWhen_ABorderIsOneSided(uint8 one, uint8 other) public {
        (one, other) = (one % 12, other % 12);
        vm.assume(one != other);
        Graphs.Graph memory graph = Graphs.row(12);
        bool removed = graph.borders[one] >> other & 1 == 1;
        graph.borders[one] ^= 1 << other;
        _assertFault(graph, 6, removed ? other : one);
    }

    // It should revert with BadMap and fault 6
    function test_RevertWhen_TwoBordersAreOneSided() public {
        Graphs.Graph memory graph = Graphs.row(8);
        graph.borders[2] |= 1 << 5;
        graph.borders[6] |= 1 << 4;
        _assertFault(graph, 6, 2);
        graph = Graphs.row(8);
        graph.borders[3] |= 1 << 6;
        graph.borders[2] &= ~uint256(1 << 1);
        _assertFault(graph, 6, 1);
    }

    // It should revert with BadMap and fault 7
    function test_RevertWhen_ABodyOfWaterTouchesNoLand() public {
        Graphs.Graph memory graph = _shore();
        graph.addWater("");
        _assertFault(graph, 7, 1);
    }

    // It should revert with BadMap and fault 8
    function testFuzz_RevertWhen_ATypeDoesNotExist(uint8 land, uint8 kind) public {
        (land, kind) = (land % 95, kind % 3);
        Graphs.Graph memory graph = Graphs.row(96);
        graph.types[95] = 0;
        graph.types[land] = kind == 0 ? 0 : 5 + kind;
        _assertFault(graph, 8, land);
    }

    // It should revert with BadMap and fault 9
    function testFuzz_RevertWhen_ALandHasTooManySoldiers(uint8 lands, uint8 land, uint8 soldiers) public {
        lands = 8 + lands % 89;
        land %= lands;
        vm.assume(soldiers > 100);
        Graphs.Graph memory graph = Graphs.row(lands);
        for (uint256 each; each < lands; ++each) {
            graph.soldiers[each] = each < land ? 100 : each == land ? soldiers : 255;
        }
        _assertFault(graph, 9, land);
    }

    // It should revert with BadMap and fault 10
    function testFuzz_RevertWhen_ALandCantBeReached(uint8 gap) public {
        gap = 1 + gap % 11;
        Graphs.Graph memory graph = Graphs.row(12);
        graph.disconnect(gap - 1, gap);
        _assertFault(graph, 10, gap);
        graph.addWater(gap == 11 ? bytes(hex"0b") : bytes(hex"0a0b"));
        if (gap < 11) _assertFault(graph, 10, gap);
    }

    // It should accept lands that only water connects
    function testFuzz_IslandsAreConnectedByWater(uint8 gap) public {
        gap = 1 + gap % 11;
        Graphs.Graph memory graph = Graphs.row(12);
        graph.disconnect(gap - 1, gap);
        graph.addWater(abi.encodePacked(gap - 1, uint8(11)));
        _assertStored(graph.encode());
    }

    // ---- storage

    // It should store the map, and put the map's soldiers on the lands
    function testFuzz_Soldiers(uint8 lands, bytes32 random) public {
        lands = 8 + lands % 89;
        Graphs.Graph memory graph = Graphs.row(lands);
        for (uint256 land; land < lands; ++land) {
            graph.soldiers[land] = uint8(uint256(keccak256(abi.encode(random, land))) % 101);
        }
        _assertStored(graph.encode());
        uint32[] memory soldiers = _board().soldiers;
        vm.assertEq(soldiers.length, lands, "lands");
        for (uint256 land; land < lands; ++land) {
            vm.assertEq(soldiers[land], graph.soldiers[land], "soldiers");
        }
    }

    // It should store the maps of other implementations unchanged
    function test_MapsOfTheVectors() public {
        string memory vectors = vm.readFile("../tests/fixtures/vectors/conquest.json");
        uint256 index;
        for (; vm.keyExistsJson(vectors, _path(index)); ++index) {
            _assertStored(vm.parseBytes(vm.parseJsonString(vectors, _path(index))));
        }
        vm.assertEq(index, 5, "maps");
    }

    function _path(uint256 index) private pure returns (string memory) {
        return string.concat(".maps[", vm.toString(index), "].graph");
    }

    // It should store the map as code that does nothing
    function test_NobodyCanRunAMap() public {
        Graphs.Graph memory graph = Graphs.row(96);
        for (uint256 body; body < 8; ++body) {
            graph.addWater("");
            graph.waters[body] = type(uint96).max;
        }
        bytes memory data = graph.encode();
        _create(data, 2);
        address map = address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", _store(), hex"01")))));
        vm.assertEq(map.code, bytes.concat(hex"00", data));
        (bool success, bytes memory answer) = map.call{gas: 10_000}(hex"12345678");
        vm.assertTrue(success, "the call must succeed");
        vm.assertEq(answer, "");
        vm.assertEq(map.code, bytes.concat(hex"00", data));
    }

    // It should revert with NotTheGame
    function test_RevertWhen_AnybodyElseStoresAMap() public {
        IMapStore store = _store();
        bytes memory graph = Graphs.row(8).encode();
        vm.expectRevert(IMapStore.NotTheGame.selector);
        vm.prank(ANNE);
        store.keep(graph, 2);
        _assertStored(graph);
    }

    // It should revert without data if the gas is too little to store the map
    function test_RevertWhen_TheGasRunsOut() public {
        IMapStore store = _store();
        bytes memory keep = abi.encodeCall(store.keep, (Graphs.row(96).encode(), 2));
        (bool success, bytes memory answer) = (false, bytes(""));
        uint256 limit = 250_000;
        for (; !success; limit += 5_000) {
            vm.assertEq(vm.getNonce(address(store)), 1, "nonce");
            vm.prank(address(game));
            (success, answer) = address(store).call{gas: limit}(keep);
            vm.assertEq(answer, "");
            vm.assertTrue(limit < 3_000_000, "the call failed in spite of enough gas");
        }
        vm.assertTrue(limit > 260_000, "the first gas limits were enough");
        vm.assertEq(vm.getNonce(address(store)), 2, "nonce");
    }

    // It should find each match's map, whatever the match's number is
    function test_MatchNumbers() public {
        uint48[13] memory numbers = [
            1,
            0x7f,
            0x80,
            0xff,
            0x100,
            0xffff,
            0x10000,
            0xffffff,
            0x1000000,
            0xffffffff,
            0x100000000,
            0xffffffffff,
            0x10000000000
        ];
        for (uint256 i; i < numbers.length; ++i) {
            vm.store(address(game), NEXT_MATCH_SLOT, bytes32(uint256(numbers[i])));
            if (i != 0) vm.setNonce(address(_store()), uint64(numbers[i]));
            _create(Graphs.row(8 + i).encode(), 2);
            vm.assertEq(number, numbers[i], "number");
        }
        for (uint256 i; i < numbers.length; ++i) {
            vm.assertEq(game.mapOf(numbers[i]), Graphs.row(8 + i).encode());
        }
    }

    // It should find each match's map, whatever the first match's number is
    /// forge-config: default.fuzz.runs = 16
    function testFuzz_FirstMatch(uint40 first) public {
        vm.assume(first != 0);
        game = IConquest(_deploy("Conquest", abi.encode(sessions, uint48(first))));
        for (uint48 i; i < 2; ++i) {
            _create(Graphs.row(9 + i).encode(), 2);
            vm.assertEq(number, first + i, "number");
        }
        vm.assertEq(game.mapOf(first), Graphs.row(9).encode());
        vm.assertEq(game.mapOf(uint48(first) + 1), Graphs.row(10).encode());
    }
}
