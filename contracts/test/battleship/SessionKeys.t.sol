// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests how a session key plays for an account, and that it can't use the account's money
contract SessionKeysTest is BattleshipFixture {
    function setUp() public override {
        super.setUp();
        _linkKey(BOB, KEY, address(game), type(uint40).max);
        vm.deal(KEY, 10 ether);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyPlaysForItsAccount() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        bytes32 commitment = this.seal(ships[1], nonces[1]);
        vm.prank(KEY);
        game.accept(number, commitment, 40);
        vm.assertEq(_board().players[1], BOB);
        _move(0);
        vm.prank(KEY);
        game.move(number, 2, 0, true, 41);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IBattleship.GameOver(number, seq + 1, BOB, IMatch.Reason.Resigned, uint40(block.timestamp + 1 days));
        vm.expectEmit(address(game));
        emit IBattleship.Revealed(number, seq + 2, BOB, bytes(ships[1]), nonces[1], "", 0);
        vm.prank(KEY);
        game.surrender(number, ships[1], nonces[1], "");
        _reveal(0);
        _assertEnded(ANNE, IMatch.Reason.Resigned);
        _assertKeyReveals();

        vm.prank(KEY);
        number = game.invite(NOBODY, keccak256("a fleet"), CLOCK, NOBODY, 0);
        vm.assertEq(_board().players[0], BOB);
        vm.prank(KEY);
        game.cancel(number);
        _invite(BOB, CLOCK, NOBODY, 0);
        vm.prank(KEY);
        game.decline(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
    }

    function _assertKeyReveals() private {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        _accept(0);
        _surrender(0);
        vm.expectEmit(address(game));
        emit IBattleship.Revealed(number, game.seqOf(number) + 1, BOB, bytes(ships[1]), nonces[1], "", 0);
        vm.prank(KEY);
        game.reveal(number, ships[1], nonces[1], "");
        _assertEnded(BOB, IMatch.Reason.Resigned);
    }

    // It should revert with KeyCantPay
    function test_RevertWhen_TheKeyPaysAStake() public {
        bytes memory revertData = abi.encodeWithSelector(IBattleship.KeyCantPay.selector, KEY);
        vm.expectRevert(revertData);
        vm.prank(KEY);
        game.invite{value: STAKE}(NOBODY, keccak256("a fleet"), CLOCK, NOBODY, STAKE);
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        vm.expectRevert(revertData);
        vm.prank(KEY);
        game.accept{value: STAKE}(number, keccak256("a fleet"), 0);
    }

    // It should revert with NotAPlayer if the key withdraws
    function test_RevertWhen_TheKeyWithdraws() public {
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        _accept(0);
        _surrender(0);
        _timeout();
        vm.expectRevert(_notAPlayer(number, KEY));
        vm.prank(KEY);
        game.withdraw(number);
        _withdraw(1);
    }

    // It should not take the seat
    function test_RevertWhen_TheKeyItselfIsInvited() public {
        for (uint96 stake; stake <= STAKE; stake += STAKE) {
            _invite(KEY, CLOCK, NOBODY, stake);
            vm.expectRevert(_notInvited(number, BOB, KEY));
            vm.prank(KEY);
            game.accept{value: stake}(number, keccak256("a fleet"), 0);
            vm.expectRevert(_notInvited(number, BOB, KEY));
            vm.prank(KEY);
            game.decline(number);
        }
    }
}
