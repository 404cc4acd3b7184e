// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests how the draw BATTLE resolves attacks
contract BattleTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    // ---- damage

    // It should multiply the surplus by a random luck of 80 to 120 percent
    // It should subtract the damage from the soldiers, and end the action phase
    function testFuzz_Luck(bytes32 seed) public {
        vm.assume(seed != 0);
        _begin(hex"0005", hex"0701");
        _setSoldiers([uint24(1500), 1000, 0, 0, 0, 0, 0, 10]);
        _attack(hex"0001");
        uint256 luck = 80 + (_random(seed, LUCK, 0) % 41);
        uint24 damage = uint24(5 * luck);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0001", 30_000, 20_000, uint8(luck), damage, false);
        _expectSoldiers(abi.encodePacked(uint8(1), 1000 - damage));
        _expectPhase(0, MOVE, NO_DRAW);
        _settle(seed);
        _assertSoldiers([uint24(1500), 1000 - damage, 0, 0, 0, 0, 0, 10]);
        vm.assertEq(_board().pairs, "");
    }

    // It should round the damage down
    function test_NoDamage() public {
        for (uint8 luck = 99; luck <= 100; ++luck) {
            _begin(hex"00", hex"0701");
            _setSoldiers([uint24(41), 40, 0, 0, 0, 0, 0, 10]);
            _attack(hex"0001");
            bytes32 seed = _seedOfLuck(luck, 0);
            _expectDrawn(BATTLE, seed);
            _expectBattle(hex"0001", 820, 800, luck, luck / 100, false);
            if (luck == 100) _expectSoldiers(hex"01000027");
            _expectPhase(0, MOVE, NO_DRAW);
            _settle(seed);
        }
    }

    // It should draw the luck of each attack
    // It should divide the surplus by the number of attacks
    function testFuzz_LuckOfEachAttack(bytes32 seed) public {
        vm.assume(seed != 0);
        _begin(hex"0003", hex"070102");
        _setSoldiers([uint24(9000), 1000, 1000, 9000, 0, 0, 0, 10]);
        _attack(hex"00010302");
        uint256[2] memory lucks = [80 + (_random(seed, LUCK, 0) % 41), 80 + (_random(seed, LUCK, 1) % 41)];
        uint256[2] memory damages;
        damages[0] = (180_000 - 80_000) * lucks[0] / 4000;
        bool won = damages[0] >= 1000;
        uint256 needed = won ? 40_000 : 2 * 20 * (2000 - damages[0]);
        damages[1] = (180_000 - needed) * lucks[1] / 4000;
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0001", 180_000, 80_000, uint8(lucks[0]), uint32(damages[0]), won);
        _settle(seed);
        vm.assertEq(_board().soldiers[2], damages[1] >= 1000 ? 0 : 1000 - damages[1], "soldiers");
    }

    // It should use a luck of 80 percent if the block's hash is no longer available
    function test_LuckWithoutAHash() public {
        _begin(hex"00", hex"0701");
        _setSoldiers([uint24(150), 100, 0, 0, 0, 0, 0, 10]);
        _attack(hex"0001");
        _expectDrawn(BATTLE, 0);
        _expectBattle(hex"0001", 3000, 2000, 80, 40, false);
        _settleLate();
    }

    // It should not divide the surplus with item 2
    function test_FullPower() public {
        _begin(hex"01", hex"020007");
        _setUsed(2);
        _setSoldiers([uint24(9), 45, 30, 0, 0, 0, 0, 9]);
        _attack(hex"01000102");
        bytes32 seed = _seedOfLuck(100, 0);
        uint8 luck = uint8(80 + (_random(seed, LUCK, 1) % 41));
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0100", 900, 180, 100, 36, true);
        _expectSoldiers(hex"00000000");
        _expectTaken(hex"00", 1, 0);
        _expectBattle(hex"0102", 900, 600, luck, uint32(300 * uint256(luck) / 2000), false);
        _settle(seed);
    }

    // It should divide the surplus of an attack by sea by two
    function test_FullPowerBySea() public {
        _begin(hex"0001", hex"0605", _shore().encode());
        _setUsed(2);
        _setPorts(hex"00");
        _setSoldiers([uint24(100), 0, 0, 0, 0, 20, 0, 0]);
        _attack(hex"00050005");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0005", 2000, 800, 100, 30, true);
        _settle(seed);
    }

    // ---- conquests

    // It should leave no soldiers on a conquered land
    function test_Conquest() public {
        for (uint24 soldiers = 49; soldiers <= 50; ++soldiers) {
            _begin(hex"00", hex"0701");
            _setSoldiers([50 + soldiers, soldiers, 0, 0, 0, 0, 0, 10]);
            _attack(hex"0001");
            bytes32 seed = _seedOfLuck(soldiers == 49 ? 98 : 100, 0);
            _expectDrawn(BATTLE, seed);
            _expectBattle(hex"0001", 20 * (50 + soldiers), 20 * soldiers, soldiers == 49 ? 98 : 100, soldiers, true);
            _expectSoldiers(hex"01000000");
            _expectTaken(hex"01", 1, 0);
            _expectPhase(0, MOVE, NO_DRAW);
            _settle(seed);
            _assertLands(0, hex"0001");
        }
    }

    // It should resolve up to 16 attacks
    function test_SixteenConquests() public {
        Graphs.Graph memory graph = Graphs.row(20);
        bytes memory pairs;
        for (uint8 land = 1; land <= 16; ++land) {
            graph.connect(0, land);
            pairs = bytes.concat(pairs, abi.encodePacked(uint8(0), land));
        }
        _begin(2, graph.encode());
        _setLands(0, hex"00");
        _setLands(1, hex"130102030405060708090a0b0c0d0e0f10");
        _setSoldiers(0, 99_999);
        _attack(pairs);
        _settle();
        _assertLands(0, hex"000102030405060708090a0b0c0d0e0f10");
    }

    // It should give the seat its hero
    function test_HeroOfTheConqueror() public {
        Graphs.Graph memory graph = Graphs.row(8);
        (graph.types[0], graph.types[1], graph.types[2], graph.types[3]) = (1, 2, 3, 4);
        _begin(hex"000102", hex"0703", graph.encode());
        _setSoldiers(2, 99);
        _attack(hex"0203");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0203", 1980, 200, 100, 89, true);
        _expectSoldiers(hex"03000000");
        _expectTaken(hex"03", 1, 0);
        _expectHeroAt(0, 0);
        _expectPhase(0, MOVE, NO_DRAW);
        _settle(seed);
    }

    // It should skip an attack on a land that the same launch has conquered
    function test_SkippedAttack() public {
        _begin(hex"0103", hex"070200");
        _setSoldiers([uint24(1), 50, 1, 41, 0, 0, 0, 0]);
        _attack(hex"01020302");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0102", 1000, 40, 100, 24, true);
        _expectSoldiers(hex"02000000");
        _expectTaken(hex"02", 1, 0);
        _expectBattle(hex"0302", 0, 0, 0, 0, false);
        _expectPhase(0, MOVE, NO_DRAW);
        _settle(seed);
        _assertSoldiers([uint24(1), 50, 0, 41, 0, 0, 0, 0]);
    }

    // It should resolve a distant attack
    function test_DistantConquest() public {
        _begin(hex"00", hex"070402");
        _setUsed(1);
        _setSoldiers([uint24(90), 0, 0, 0, 5, 0, 0, 9]);
        _attack(hex"0004");
        bytes32 seed = _seedOfLuck(100, 0);
        _expectDrawn(BATTLE, seed);
        _expectBattle(hex"0004", 1800, 100, 100, 85, true);
        _settle(seed);
        _assertLands(0, hex"0004");
    }

    // ---- item 3: an attack and a port

    // It should continue the action phase until the seat has attacked and built a port
    function test_AttackAndPort() public {
        for (uint256 order; order < 2; ++order) {
            _begin(hex"0005", hex"0701", _shore().encode());
            _setUsed(3);
            _setSoldiers([uint24(90), 9, 0, 0, 0, 0, 0, 9]);
            if (order == 0) {
                _buildPort(0);
                _assertTurn(0, ACTION, NO_DRAW);
            }
            _attack(hex"0001");
            _settle();
            _assertTurn(0, order == 0 ? MOVE : ACTION, NO_DRAW);
            if (order == 1) {
                _buildPort(0);
                _assertTurn(0, MOVE, NO_DRAW);
            }
        }
    }
}
