// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests `attack`, which launches attacks
contract AttackTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    function setUp() public override {
        super.setUp();
        _begin(hex"000103", hex"070406", _shore().encode());
    }

    function _badCount(uint256 count) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.BadCount.selector, count, 1, 16);
    }

    function _notEnemy(uint8 land, uint8 owner) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NotEnemy.selector, land, owner);
    }

    function _notStronger(uint256 index, uint256 attack20, uint256 needed20) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NotStronger.selector, index, attack20, needed20);
    }

    // It should store the attacks, and open the draw of their luck
    function test_Launch() public {
        _setSoldiers(3, 99);
        _expectCommand(5, hex"03040304");
        _expectPhase(0, ACTION, BATTLE);
        _attack(hex"03040304");
        vm.assertEq(_board().pairs, hex"03040304");
        vm.assertTrue(_board().attacked, "attacked");
        vm.assertEq(_board().drawBlock, block.number, "block of the draw");
        _assertLands(1, hex"070406");
    }

    // It should accept up to 16 attacks
    function test_SixteenAttacks() public {
        _setSoldiers(3, 99_999);
        bytes memory pairs;
        for (uint256 count = 1; count <= 16; ++count) {
            pairs = bytes.concat(pairs, hex"0304");
        }
        _attack(pairs);
        vm.assertEq(_board().pairs, pairs);
    }

    // It should store the attacks between any lands
    function testFuzz_Pairs(uint8 from, uint8 to) public {
        (from, to) = (from % 96, to % 96);
        vm.assume(from != to);
        _begin(2, Graphs.row(96).encode());
        _setLands(0, abi.encodePacked(from));
        _setLands(1, abi.encodePacked(to == 0 || from == 0 ? 95 : 0, to));
        vm.assume(_board().capitals[1] != from && _board().capitals[1] != to);
        _setSoldiers(from, 99);
        _setUsed(1);
        _attack(abi.encodePacked(from, to));
        vm.assertEq(_board().pairs, abi.encodePacked(from, to));
    }

    // ---- the list of attacks

    // It should revert with BadCount
    function test_RevertWhen_TheNumberOfAttacksIsOutOfRange() public {
        vm.expectRevert(_badCount(0));
        _attack("");
        vm.expectRevert(_badCount(3));
        _attack(hex"030403");
        vm.expectRevert(_badCount(17));
        _attack(new bytes(34));
        vm.expectRevert(_badCount(35));
        _attack(new bytes(35));
    }

    // It should revert with NoSuchLand
    function testFuzz_RevertWhen_TheLandDoesNotExist(uint8 land) public {
        vm.assume(land >= 8);
        vm.expectRevert(_noSuchLand(land));
        _attack(abi.encodePacked(uint8(3), land));
        vm.expectRevert(_noSuchLand(land));
        _attack(abi.encodePacked(land, uint8(4)));
        _setSoldiers(3, 99);
        vm.expectRevert(_noSuchLand(land));
        _attack(abi.encodePacked(hex"0304", uint8(3), land));
    }

    // It should revert with OncePerTurn
    function test_RevertWhen_TheSeatHasAttacked() public {
        _setUsed(3);
        _setSoldiers(3, 15);
        _attack(hex"0304");
        _settle(_seedOfLuck(80, 0));
        _assertTurn(0, ACTION, NO_DRAW);
        vm.expectRevert(_oncePerTurn(5));
        _attack(hex"0304");
        vm.expectRevert(_oncePerTurn(5));
        _capture(1, 2);
    }

    // ---- each attack

    // It should revert with NotYourLand
    // It should revert with NotEnemy
    function test_RevertWhen_TheOwnersAreWrong() public {
        _setSoldiers(3, 99);
        vm.expectRevert(_notYourLand(7, 1));
        _attack(hex"0704");
        vm.expectRevert(_notYourLand(2, NONE));
        _attack(hex"0203");
        vm.expectRevert(_notEnemy(2, NONE));
        _attack(hex"0102");
        vm.expectRevert(_notEnemy(0, 0));
        _attack(hex"0100");
        vm.expectRevert(_notEnemy(2, NONE));
        _attack(hex"03040102");
    }

    // It should revert with NotConnected
    function test_RevertWhen_TheLandsAreNotConnected() public {
        _setSoldiers([uint24(99), 99, 10, 99, 10, 10, 10, 10]);
        vm.expectRevert(_notConnected(1, 4));
        _attack(hex"0104");
        vm.expectRevert(_notConnected(0, 7));
        _attack(hex"0007");
        _setPorts(hex"07");
        vm.expectRevert(_notConnected(0, 7));
        _attack(hex"0007");
        _setPorts(hex"00");
        _attack(hex"0007");
    }

    // It should revert with NotStronger
    function testFuzz_RevertWhen_AnAttackIsNotStronger(uint24 own, uint24 other, uint8 count) public {
        (own, other, count) = (own % 100_000, other % 100_000, 1 + count % 16);
        _setSoldiers(3, own);
        _setSoldiers(4, other);
        bytes memory pairs;
        for (uint8 index; index < count; ++index) {
            pairs = bytes.concat(pairs, hex"0304");
        }
        uint256 needed20 = 20 * uint256(other) * count;
        if (20 * uint256(own) <= needed20) vm.expectRevert(_notStronger(0, 20 * uint256(own), needed20));
        _attack(pairs);
    }

    // It should revert with NotStronger
    function test_RevertWhen_TheAttackIsAsStrongAsTheDefence() public {
        vm.expectRevert(_notStronger(0, 200, 200));
        _attack(hex"0304");
        _setSoldiers(3, 11);
        _attack(hex"0304");
    }

    // It should multiply the defence by the number of attacks
    // It should name the first attack that is not stronger
    function test_SharedStrength() public {
        _setOwner(2, 1);
        _setSoldiers([uint24(10), 10, 30, 45, 9, 10, 10, 10]);
        vm.expectRevert(_notStronger(1, 900, 1200));
        _attack(hex"03040302");
        vm.expectRevert(_notStronger(0, 900, 1200));
        _attack(hex"03020304");
        _setSoldiers(3, 61);
        _attack(hex"03020304");
    }

    // It should double the defence for an attack by sea
    function test_AttackBySea() public {
        _setPorts(hex"00");
        _setSoldiers(7, 5);
        vm.expectRevert(_notStronger(0, 200, 600));
        _attack(hex"0007");
        _setSoldiers(0, 31);
        _attack(hex"0007");
    }

    // ---- item 1: a distant attack

    // It should let one attack go to any land except a capital
    function test_DistantAttack() public {
        _setUsed(1);
        _setSoldiers([uint24(99), 99, 10, 10, 10, 10, 10, 10]);
        vm.expectRevert(_notConnected(0, 7));
        _attack(hex"0007");
        vm.expectRevert(_notConnected(1, 4));
        _attack(hex"00040104");
        vm.expectRevert(_notConnected(1, 6));
        _attack(hex"00040106");
        _attack(hex"0004");
    }

    // It should not count attacks that have a connection
    function test_DistantAttackAfterANearOne() public {
        _setUsed(1);
        _setSoldiers([uint24(99), 10, 10, 99, 10, 10, 10, 10]);
        _attack(hex"03040006");
    }

    // It should not double the defence for the distance
    function test_StrengthOfADistantAttack() public {
        _setUsed(1);
        vm.expectRevert(_notStronger(0, 200, 200));
        _attack(hex"0004");
        _setSoldiers(0, 11);
        _attack(hex"0004");
    }

    // ---- item 2: full power

    // It should not multiply the defence by the number of attacks
    function test_FullPower() public {
        _setUsed(2);
        _setSoldiers(3, 11);
        _attack(hex"030403040304");
    }
}
