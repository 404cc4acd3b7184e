// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {History} from "../History.sol";
import {Vm, vm} from "../Vm.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title A player that reverts a turn after it has seen the volley
contract PickyPlayer {
    IToucheCoule private immutable _GAME;

    constructor(IToucheCoule game) {
        _GAME = game;
    }

    function register(uint48 matchId) external {
        _GAME.register(matchId);
    }

    function playAndRevert(uint48 matchId, uint32 turnNo) external {
        _GAME.turn(matchId, turnNo);
        revert();
    }
}

/// @title Tests that players can't choose between several random draws
contract DrawTest is ToucheCouleFixture {
    bytes32 private constant HASH = keccak256("the hash of the deciding block");

    /// @dev The number of the first block that can decide the next draw.
    uint256 private _first;

    /// @dev Plays until all ships can move, and installs the history contract.
    function setUp() public override {
        super.setUp();
        _begin(64, 64, 1, 1);
        _turns(4);
        History.install();
        _first = block.number + 1;
        History.record(_first, HASH);
    }

    // It should revert with TooSoon in the anchor's block and in the next block
    function test_RevertWhen_TheDecidingBlockDoesNotExist() public {
        uint40 anchor = _board().anchor;
        vm.assertEq(anchor, block.number, "anchor");
        for (uint40 height = anchor; height < anchor + 2; ++height) {
            vm.roll(height);
            vm.expectRevert(_tooSoon(height, anchor + 2));
            vm.prank(ANNE);
            game.turn(number, 5);
            vm.expectRevert(_tooSoon(height, anchor + 2));
            vm.prank(ANNE);
            game.changePosition(number);
        }
    }

    // It should draw the same volley for 8,191 blocks
    function testFuzz_SameVolley(uint16 waited) public {
        uint256 before = vm.snapshotState();
        bytes32 foreseen = _volleyAfter(1, ANNE, HASH);
        vm.revertToState(before);
        vm.assertEq(_volleyAfter(1 + waited % 8191, BOB, HASH), foreseen);
    }

    // It should draw the same new position for 8,191 blocks
    function testFuzz_SameNewPosition(uint16 waited) public {
        vm.roll(_first + 1 + waited % 8191);
        uint16 to = _draw(_occupied(), keccak256(abi.encode(HASH, number, uint16(1))));
        vm.prank(ANNE);
        game.changePosition(number);
        vm.assertEq(_cell(1), to, "cell");
    }

    // It should draw another volley afterwards
    function test_AnotherVolleyAfter8191Blocks() public {
        uint256 before = vm.snapshotState();
        bytes32 foreseen = _volleyAfter(8191, ANNE, HASH);
        vm.revertToState(before);
        bytes32 later = keccak256("the hash of a later block");
        History.record(_first + 8191, later);
        vm.assertTrue(_volleyAfter(8192, ANNE, later) != foreseen, "the volley must change");
    }

    // It should draw from BLOCKHASH, and another volley after every 256 blocks
    function test_WithoutAHistory() public {
        vm.etch(History.ADDRESS, "");
        bytes32[2] memory volleys;
        for (uint256 i; i < 2; ++i) {
            uint256 before = vm.snapshotState();
            vm.roll(_first + 256 * i + 1);
            bytes32 seed = blockhash(_first + 256 * i);
            volleys[i] = _volleyAfter(256 * i + 1, ANNE, seed);
            vm.revertToState(before);
            vm.assertEq(_volleyAfter(256 * i + 256, BOB, seed), volleys[i]);
            vm.revertToState(before);
        }
        vm.assertTrue(volleys[0] != volleys[1], "the volley must change");
    }

    // It should draw the volley again, with the same result
    function test_RevertedVolley() public {
        _open(6, 6, 0, 2);
        PickyPlayer picky = new PickyPlayer(game);
        picky.register(number);
        vm.prank(BOB);
        game.turn(number, 0);
        _first = block.number + 1;
        History.record(_first, HASH);
        vm.roll(_first + 1);
        bytes32 foreseen;
        for (uint256 i; i < 5; ++i) {
            (bool success,) = address(picky).call(abi.encodeCall(picky.playAndRevert, (number, 1)));
            vm.assertFalse(success, "the player must revert");
            uint256 before = vm.snapshotState();
            bytes32 volley = _volleyAfter(1 + i, BOB, HASH);
            vm.assertTrue(i == 0 || volley == foreseen, "the volley must not change");
            foreseen = volley;
            vm.revertToState(before);
        }
    }

    // It should make its block the anchor, and draw the next volley from a later block
    function test_ChangeOfPositionRedrawsTheVolley() public {
        vm.roll(_first + 1);
        uint256 before = vm.snapshotState();
        uint16 foreseen = _turn(ANNE)[2];
        vm.revertToState(before);
        vm.prank(ANNE);
        game.changePosition(number);
        uint40 anchor = uint40(block.number);
        vm.assertEq(_board().anchor, anchor, "anchor");
        vm.expectRevert(_tooSoon(anchor, anchor + 2));
        vm.prank(BOB);
        game.turn(number, 5);
        bytes32 seed = keccak256("the hash of a later block");
        History.record(anchor + 1, seed);
        _first = anchor + 1;
        uint16 expected = _expectedTarget(2, seed);
        vm.assertTrue(expected != foreseen, "the volley must change");
        _volleyAfter(1, BOB, seed);
        vm.assertTrue(uint8(game.mapOf(number, 2)[expected]) == 2, "the ship must fire there");
    }

    // It should revert, and never draw from another block
    function test_LittleGas() public {
        vm.roll(_first + 300);
        bytes memory call = abi.encodeCall(game.turn, (number, 5));
        bool success;
        uint256 gas_ = 5_000;
        for (; !success; gas_ += 100) {
            // The history contract's answer costs most when its storage is cold.
            vm.cool(History.ADDRESS);
            vm.recordLogs();
            vm.prank(ANNE);
            (success,) = address(game).call{gas: gas_}(call);
            vm.assertTrue(gas_ < 500_000, "the turn failed in spite of enough gas");
        }
        (uint40 entropyBlock,) = _drawn(vm.getRecordedLogs());
        vm.assertEq(entropyBlock, _first, "the deciding block");
        vm.assertTrue(gas_ > 60_000, "the first gas limits were enough");
    }

    /// @dev Plays a turn in the block that comes this number of blocks after the first deciding
    /// block. Checks that the hash of the deciding block is `seed`.
    /// @return the hash of the volley
    function _volleyAfter(uint256 blocks, address account, bytes32 seed) private returns (bytes32) {
        vm.roll(_first + blocks);
        uint32 ply = _board().ply;
        vm.recordLogs();
        vm.prank(account);
        game.turn(number, ply);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        (uint40 entropyBlock, bytes32 drawn) = _drawn(logs);
        vm.assertEq(drawn, seed);
        vm.assertEq(entropyBlock, _expectedBlock(), "the deciding block");
        return keccak256(abi.encode(_targets(logs)));
    }

    function _expectedBlock() private view returns (uint256) {
        uint256 span = History.ADDRESS.code.length == 0 ? 256 : History.WINDOW;
        return block.number - 1 - (block.number - 1 - _first) % span;
    }

    function _drawn(Vm.Log[] memory logs) private pure returns (uint40 entropyBlock, bytes32 seed) {
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] != IToucheCoule.TurnPlayed.selector) continue;
            (,, entropyBlock, seed) = abi.decode(logs[i].data, (uint32, uint32, uint40, bytes32));
        }
    }
}
