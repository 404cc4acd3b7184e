// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests `board`, `connection` and `powers`
contract ViewsTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    uint256 private constant SHORES_0 = 0xa1; // lands 0, 5 and 7
    uint256 private constant SHORES_1 = 0x4c; // lands 2, 3 and 6

    uint8[8] private _owners;
    uint24[8] private _soldiers;
    uint256 private _ports;
    uint8[2] private _heroes;

    /// @dev Begins a match in a random position on a row of eight lands, with two bodies of water.
    function _beginAtRandom(bytes32 random) private {
        Graphs.Graph memory graph = _shore();
        graph.addWater(hex"020306");
        _begin(2, graph.encode());
        (_ports, _heroes) = (uint8(random[0]), [NONE, NONE]);
        _setWorld(1, 96, 96, _ports);
        for (uint8 land; land < 8; ++land) {
            uint256 number_ = uint256(keccak256(abi.encode(random, land)));
            _owners[land] = [NONE, 0, 1][number_ % 3];
            _soldiers[land] = uint24((number_ >> 8) % 100_000);
            _setOwner(land, _owners[land]);
            _setSoldiers(land, _soldiers[land]);
            if (_owners[land] == NONE || (number_ >> 32) % 3 != 0) continue;
            _heroes[_owners[land]] = land;
            _setHero(_owners[land], land);
        }
    }

    // ---- board

    // It should show the values of each seat
    function test_Seats() public {
        _begin(6, Graphs.row(96).encode());
        for (uint8 seat; seat < 6; ++seat) {
            _setLands(seat, abi.encodePacked(95 - seat, 10 + seat));
            _setHero(seat, 10 + seat);
            _setStored(seat, 1 + seat % 4);
            _setForced(seat, seat % 3);
        }
        IConquest.BoardView memory board = _board();
        vm.assertEq(board.hadHero, 63, "seats that had their hero");
        vm.assertEq(board.alive, 63, "living seats");
        for (uint8 seat; seat < 6; ++seat) {
            vm.assertEq(board.players[seat], players[seat]);
            vm.assertEq(board.invited[seat], NOBODY);
            vm.assertEq(board.capitals[seat], 95 - seat, "capital");
            vm.assertEq(board.heroes[seat], 10 + seat, "hero");
            vm.assertEq(board.stored[seat], 1 + seat % 4, "stored item");
            vm.assertEq(board.forced[seat], seat % 3, "forced passes");
            _assertLands(seat, abi.encodePacked(95 - seat, 10 + seat));
        }
    }

    // It should keep all players on the board, including those who are out
    function test_PlayersAfterTheMatch() public {
        _begin(hex"00", hex"07");
        _surrender();
        vm.assertEq(_board().players[0], ANNE);
        vm.assertEq(_board().players[1], BOB);
        vm.assertEq(_board().alive, 2, "living seats");
        vm.assertEq(_board().first, 0, "first seat");
    }

    // ---- connection

    // It should return 2 for a border, 1 for a port on a common body of water, and 0 otherwise
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_Connection(bytes32 random) public {
        _beginAtRandom(random);
        for (uint8 from; from < 8; ++from) {
            for (uint8 to; to < 8; ++to) {
                bool border = from == to + 1 || to == from + 1;
                bool water = from != to && _ports >> from & 1 == 1 && _shareWater(from, to);
                vm.assertEq(game.connection(number, from, to), border ? 2 : water ? 1 : 0, "connection");
            }
        }
    }

    function _shareWater(uint8 one, uint8 other) private pure returns (bool) {
        uint256 both = (1 << one) | (1 << other);
        return SHORES_0 & both == both || SHORES_1 & both == both;
    }

    // ---- powers

    // It should add the soldiers of neighbours, and half of those of ports on the same water
    function testFuzz_Powers(bytes32 random) public {
        _beginAtRandom(random);
        for (uint8 land; land < 8; ++land) {
            (uint256 attack20, uint256 defence20) = game.powers(number, land, land);
            vm.assertEq(attack20, _attackStrength(land), "attack strength");
            vm.assertEq(defence20, _defenceStrength(land), "defence strength");
        }
    }

    function _attackStrength(uint8 land) private view returns (uint256 strength) {
        uint8 owner = _owners[land];
        strength = 20 * uint256(_soldiers[land]);
        if (owner != NONE && _heroes[owner] == land) strength += 4 * _total(owner);
    }

    function _defenceStrength(uint8 land) private view returns (uint256 strength) {
        uint8 owner = _owners[land];
        if (owner == NONE) return 20 * uint256(_soldiers[land]);
        for (uint8 each; each < 8; ++each) {
            if (_owners[each] != owner) continue;
            bool near = each == land || each == land + 1 || land == each + 1;
            if (!near && (_ports >> each & 1 == 0 || !_shareWater(land, each))) continue;
            strength += (near ? 20 : 10) * uint256(_soldiers[each]);
            if (_heroes[owner] == each) strength += (near ? 4 : 2) * _total(owner);
        }
    }

    function _total(uint8 seat) private view returns (uint256 total) {
        for (uint8 land; land < 8; ++land) {
            if (_owners[land] == seat) total += _soldiers[land];
        }
    }

    // It should add a fifth of the seat's soldiers for its hero, or a tenth for support by sea
    function test_PowerOfTheHero() public {
        _begin(hex"000102", hex"0706", _shore().encode());
        _setHero(0, 0);
        _setOwner(5, 0);
        _setPorts(hex"00");
        uint24[3] memory attacks = [uint24(200 + 160), 200, 200];
        uint24[3] memory defences = [uint24(400 + 160), 600 + 160, 200 + 100 + 80];
        uint8[3] memory lands = [0, 1, 5];
        for (uint256 i; i < 3; ++i) {
            (uint256 attack20, uint256 defence20) = game.powers(number, lands[i], lands[i]);
            vm.assertEq(attack20, attacks[i], "attack strength");
            vm.assertEq(defence20, defences[i], "defence strength");
        }
    }

    // It should compute the strengths of all lands of the largest map
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_PowersOnTheLargestMap(bytes32 random) public {
        Graphs.Graph memory graph = Graphs.row(96);
        for (uint256 body; body < 8; ++body) {
            graph.addWater("");
            graph.waters[body] = type(uint96).max;
        }
        _begin(2, graph.encode());
        (uint256 owned, uint256 total, uint256 others) = (uint96(uint256(random)) | 7, 0, 0);
        for (uint8 land; land < 96; ++land) {
            uint256 soldiers = uint256(keccak256(abi.encode(random, land))) % 100_000;
            _setSoldiers(land, soldiers);
            if (owned >> land & 1 == 0) continue;
            _setOwner(land, 1);
            total += soldiers;
            if (land > 2) others += soldiers;
        }
        _setHero(1, 1);
        _setWorld(1, 96, 96, type(uint96).max);
        (uint256 attack20, uint256 defence20) = game.powers(number, 1, 1);
        vm.assertEq(attack20, 20 * uint256(_board().soldiers[1]) + 4 * total, "attack strength");
        vm.assertEq(defence20, 20 * (total - others) + 10 * others + 4 * total, "defence strength");
    }

    // It should revert with NoSuchLand
    function testFuzz_RevertWhen_TheLandDoesNotExist(uint8 land) public {
        vm.assume(land >= 8);
        _begin(hex"00", hex"07");
        vm.expectRevert(_noSuchLand(land));
        game.connection(number, land, 0);
        vm.expectRevert(_noSuchLand(land));
        game.connection(number, 0, land);
        vm.expectRevert(_noSuchLand(land));
        game.powers(number, land, 0);
        vm.expectRevert(_noSuchLand(land));
        game.powers(number, 0, land);
    }
}
