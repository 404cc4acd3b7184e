// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests how a session key plays for an account, and that it can't use the account's money
contract SessionKeysTest is DeblockleFixture {
    function setUp() public override {
        super.setUp();
        _linkKey(BOB, KEY, address(game), type(uint40).max);
        vm.deal(KEY, 10 ether);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyPlaysForItsAccount() public {
        _create(BOB);
        _join(KEY, terms);
        vm.assertEq(_board().players[1], BOB);
        _play(1, 1);
        vm.recordLogs();
        vm.prank(KEY);
        game.makeMove(number, 1, 4, 1, 5, 1);
        vm.assertEq(vm.getRecordedLogs()[0].topics[2], bytes32(uint256(uint160(BOB))));
        _pass();
        vm.expectEmit(address(game));
        emit IDeblockle.Passed(number, game.seqOf(number) + 1, 3, BOB, IDeblockle.Phase.Roll);
        vm.prank(KEY);
        game.passMove(number, 3);
        vm.prank(KEY);
        game.resign(number);
        _assertEnded(ANNE, IMatch.Reason.Resigned);

        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(number + 1, 1, BOB, ANNE, CLOCK, number);
        _create(KEY, ANNE, number);
        vm.assertEq(_board().players[0], BOB);
        vm.prank(KEY);
        game.cancel(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
    }

    // It should revert with NotYourTurn or StaleMove, as for the account
    function test_RevertWhen_TheAccountIsNotToMove() public {
        _begin();
        vm.expectRevert(_notYourTurn(BOB, ANNE));
        vm.prank(KEY);
        game.passMove(number, 0);
        _play(1, 1);
        vm.expectRevert(_staleMove(1, 0));
        vm.prank(KEY);
        game.passMove(number, 0);
    }

    // It should revert with KeyCantPay
    function test_RevertWhen_TheKeyPaysAStake() public {
        bytes memory revertData = abi.encodeWithSelector(IDeblockle.KeyCantPay.selector, KEY);
        (terms.stake, terms.rate) = (STAKE, RATE);
        vm.expectRevert(revertData);
        _create(KEY, NOBODY, 0);
        _create(NOBODY);
        vm.expectRevert(revertData);
        _join(KEY, terms);
        _join();
    }

    // It should revert with NotAPlayer if the key withdraws
    function test_RevertWhen_TheKeyWithdraws() public {
        _beginWithStake();
        _wait(20);
        vm.expectRevert(_notAPlayer(number, KEY));
        vm.prank(KEY);
        game.withdraw(number);
        _play(1, 1);
        vm.prank(KEY);
        game.makeMove(number, 1, 4, 1, 5, 1);
        vm.prank(KEY);
        game.resign(number);
        vm.expectRevert(_notAPlayer(number, KEY));
        vm.prank(KEY);
        game.withdraw(number);
        _assertPaid(1, 20 * RATE);
    }

    // It should not take the seat
    function test_RevertWhen_TheKeyItselfIsInvited() public {
        for (uint256 i; i < 2; ++i) {
            if (i == 1) (terms.stake, terms.rate) = (STAKE, RATE);
            _create(KEY);
            vm.expectRevert(_notInvited(number, BOB, KEY));
            _join(KEY, terms);
        }
    }
}
