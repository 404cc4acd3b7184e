// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {History} from "../../History.sol";
import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Tests when a draw can be carried out, and which block decides it
/// @notice In most tests, seat 0 has attacked land 1. The damage is five times the luck in percent.
/// forge-config: default.fuzz.runs = 64
contract ChanceTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    error Unlucky();

    function _launch() private {
        _begin(hex"0005", hex"0701");
        _setSoldiers([uint24(1500), 1000, 0, 0, 0, 0, 0, 10]);
        _attack(hex"0001");
    }

    /// @dev Installs the history contract, in which the deciding block has this hash.
    function _remember(bytes32 hash) private {
        History.install();
        History.record(_anchor() + 1, hash);
    }

    function _assertLuck(uint256 luck) private view {
        vm.assertEq(_board().soldiers[1], 1000 - 5 * luck, "soldiers");
    }

    function _luckOf(bytes32 seed) private view returns (uint256) {
        return 80 + (_random(seed, LUCK, 0) % 41);
    }

    // ---- the block of the draw

    // It should revert with TooSoon until the second block after the draw was opened
    function test_RevertWhen_TheDecidingBlockIsUnknown() public {
        _launch();
        vm.warp(_board().deadline);
        for (uint256 waited; waited < 2; ++waited) {
            vm.roll(_anchor() + waited);
            bytes memory revertData = _tooSoon(_anchor() + waited, _anchor() + 2);
            vm.expectRevert(revertData);
            game.settle(number);
            vm.expectRevert(revertData);
            game.claimTimeout(number);
            vm.expectRevert(revertData);
            _surrender();
        }
    }

    // It should revert with TooSoon until the second block after the draw was opened
    function test_RevertWhen_TheFirstSeatIsNotDrawn() public {
        _fill(2, Graphs.row(8).encode());
        vm.expectRevert(_staleMove(0, 1));
        vm.prank(ANNE);
        game.chooseCapital(number, 1, 0, 0);
        vm.expectRevert(_tooSoon(_anchor(), _anchor() + 2));
        vm.prank(ANNE);
        game.chooseCapital(number, 0, 0, 0);
    }

    // It should let the block after the command decide
    function testFuzz_DecidingBlock(bytes32 before, bytes32 deciding, bytes32 later) public {
        vm.assume(deciding != 0);
        _launch();
        uint256 anchor = _anchor();
        vm.roll(anchor + 3);
        vm.setBlockhash(anchor - 1, before);
        vm.setBlockhash(anchor, before);
        vm.setBlockhash(anchor + 1, deciding);
        vm.setBlockhash(anchor + 2, later);
        uint256 luck = _luckOf(deciding);
        _expectDrawn(BATTLE, deciding);
        game.settle(number);
        _assertLuck(luck);
    }

    // It should give the same result for every call and in every block
    function testFuzz_EachWay(bytes32 seed, uint8 blocks, uint8 way) public {
        vm.assume(seed != 0);
        _launch();
        uint256 luck = _luckOf(seed);
        vm.roll(_anchor() + 2 + blocks % 255);
        vm.setBlockhash(_anchor() + 1, seed);
        _expectDrawn(BATTLE, seed);
        if (way % 4 < 2) {
            vm.prank(players[way % 4]);
            game.settle(number);
        } else if (way % 4 == 2) {
            _timeout();
        } else {
            uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(_trail(), seed))));
            vm.prank(ANNE);
            game.pass(number, 1, trail, false);
        }
        _assertLuck(luck);
    }

    // It should draw the same result again if a caller reverts the first one
    function testFuzz_RevertedResults(bytes32 seed) public {
        _launch();
        _decide(seed);
        uint256 luck = seed == 0 ? 80 : _luckOf(seed);
        for (uint256 blocks; blocks < 5; ++blocks) {
            vm.expectRevert(Unlucky.selector);
            this.settleAndRevert();
            vm.roll(block.number + 1);
        }
        game.settle(number);
        _assertLuck(luck);
    }

    function settleAndRevert() external {
        game.settle(number);
        revert Unlucky();
    }

    // It should not restart the clock
    function test_SettlementAndClock() public {
        _launch();
        uint40 deadline = _board().deadline;
        vm.warp(deadline - 5);
        _settle();
        vm.assertEq(_board().deadline, deadline, "deadline");
    }

    // ---- the trail

    // It should revert with OtherPosition unless the command names the trail after the draw
    function testFuzz_RevertWhen_TheTrailIsOfAnotherBlock(bytes32 seed, bytes32 lost) public {
        vm.assume(seed != 0 && lost != 0);
        _launch();
        uint32 before = _trail();
        uint32 current = uint32(bytes4(keccak256(abi.encodePacked(before, seed))));
        uint32 other = uint32(bytes4(keccak256(abi.encodePacked(before, lost))));
        vm.assume(current != other && current != before);
        _decide(seed);
        vm.expectRevert(_otherPosition(current, before));
        vm.prank(ANNE);
        game.surrender(number, 1, before);
        vm.expectRevert(_otherPosition(current, other));
        vm.prank(ANNE);
        game.surrender(number, 1, other);
        vm.prank(ANNE);
        game.surrender(number, 1, current);
    }

    // It should check the turn before it carries out the draw
    function test_RevertWhen_AnotherPlayerCommands() public {
        _launch();
        vm.expectRevert(_notYourTurn(BOB, ANNE));
        vm.prank(BOB);
        game.pass(number, 1, 0, false);
    }

    // It should draw the first seat with the first command
    function test_FirstCommand() public {
        _fill(2, Graphs.row(8).encode());
        vm.roll(_anchor() + 258);
        uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(uint32(0), bytes32(0)))));
        vm.expectRevert(_notYourTurn(ANNE, BOB));
        vm.prank(ANNE);
        game.chooseCapital(number, 0, trail, 0);
        vm.expectRevert(_notAPlayer(number, CAROL));
        vm.prank(CAROL);
        game.chooseCapital(number, 0, trail, 0);
        _expectDrawn(FIRST, 0);
        _expectPhase(1, CAPITALS, NO_DRAW);
        vm.prank(BOB);
        game.chooseCapital(number, 0, trail, 3);
        vm.assertEq(_board().capitals[1], 3, "capital");
    }

    // ---- old blocks

    // It should use the hash for 256 blocks if the chain has no history contract
    function testFuzz_BlocksWithoutHistory(bytes32 seed, bool known) public {
        vm.assume(seed != 0);
        _launch();
        _decide(seed);
        uint256 luck = known ? _luckOf(seed) : 80;
        vm.roll(_anchor() + 1 + (known ? 256 : 257));
        _expectDrawn(BATTLE, known ? seed : bytes32(0));
        game.settle(number);
        _assertLuck(luck);
    }

    // It should use the hash for 8,191 blocks if the chain has the history contract
    function testFuzz_BlocksWithHistory(bytes32 seed, uint16 age) public {
        vm.assume(seed != 0);
        age = age % 4 == 0 ? 8191 + age % 8 / 4 : 257 + age % 9000;
        _launch();
        _remember(seed);
        uint256 luck = age <= History.WINDOW ? _luckOf(seed) : 80;
        vm.roll(_anchor() + 1 + age);
        _expectDrawn(BATTLE, age <= History.WINDOW ? seed : bytes32(0));
        game.settle(number);
        _assertLuck(luck);
    }

    // It should use the hash or revert, whatever the gas limit is
    function testFuzz_LittleGas(uint256 limit) public {
        bytes32 seed = keccak256("history");
        _launch();
        _remember(seed);
        uint256 luck = _luckOf(seed);
        vm.roll(_anchor() + 300);
        limit = 30_000 + limit % 100_000;
        (bool success,) = address(game).call{gas: limit}(abi.encodeCall(game.settle, (number)));
        if (!success) {
            vm.assertEq(_board().draw, BATTLE, "draw");
            game.settle(number);
        }
        _assertLuck(luck);
    }
}
