// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests `join` and `cancel`
contract JoinTest is DeblockleFixture {
    // ---- join

    // It should take the deposit and start the match
    function test_Join() public {
        (terms.stake, terms.rate) = (STAKE, RATE);
        _create(NOBODY);
        _wait(1 days);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 4, BOB, 1);
        vm.expectEmit(address(game));
        emit IMatch.MatchStarted(number, 5);
        vm.expectEmit(address(game));
        emit IDeblockle.TurnChanged(number, 6, ANNE, 1 << 3);
        _join();
        vm.assertEq(address(game).balance, 2 * STAKE, "the contract's balance");
        vm.assertEq(_board().players[1], BOB);
        vm.assertEq(_board().mover, ANNE);
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Playing), "status");
        vm.assertEq(_board().deadline, block.timestamp + DURATION, "deadline");
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        _join(CAROL, terms);
    }

    // It should revert with NotInvited
    function test_RevertWhen_AnotherPlayerIsInvited() public {
        _create(BOB);
        vm.expectRevert(_notInvited(number, CAROL, BOB));
        _join(CAROL, terms);
        _join();
        vm.assertEq(_board().players[1], BOB);
    }

    // It should revert with WrongToken, WrongStake or OtherTerms
    function test_RevertWhen_TheTermsDiffer() public {
        for (uint256 i; i < 2; ++i) {
            if (i == 1) (terms.stake, terms.rate) = (STAKE, RATE);
            terms.cubes = 2;
            _create(NOBODY);
            Terms memory others = terms;
            others.token = CAROL;
            vm.expectRevert(abi.encodeWithSelector(IDeblockle.WrongToken.selector, CAROL, NOBODY));
            _join(BOB, others);
            others = terms;
            others.stake = 999;
            vm.expectRevert(abi.encodeWithSelector(IDeblockle.WrongStake.selector, 999, terms.stake));
            _join(BOB, others);
            for (uint8 field; field < 4; ++field) {
                others = terms;
                if (field == 0) others.cubes = 3;
                if (field == 1) others.ruleset = BOARD;
                if (field == 2) others.rate += 1;
                if (field == 3) others.clock += 1;
                vm.expectRevert(_otherTerms());
                _join(BOB, others);
            }
            _join();
        }
    }

    // It should revert with WrongToken, WrongStake or OtherTerms
    function testFuzz_RevertWhen_TheTermsDiffer(uint8 cubes, uint8 ruleset, uint96 rate, uint24 clock) public {
        vm.assume(cubes != 1 || ruleset != NEAR || rate != 0 || clock != CLOCK);
        _create(NOBODY);
        vm.expectRevert(_otherTerms());
        _join(BOB, Terms(cubes, ruleset, NOBODY, 0, rate, clock));
    }

    // It should revert with BadDeposit
    function testFuzz_RevertWhen_TheDepositDiffers(uint96 value, bool staked) public {
        if (staked) (terms.stake, terms.rate) = (STAKE, RATE);
        uint96 stake = terms.stake;
        vm.assume(value != stake);
        _create(NOBODY);
        bytes memory revertData = abi.encodeWithSelector(Escrow.BadDeposit.selector, NOBODY, stake, value);
        Terms memory t = terms;
        vm.expectRevert(revertData);
        vm.prank(BOB);
        game.join{value: value}(number, t.cubes, t.ruleset, t.token, t.stake, t.rate, t.clock);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.create{value: value}(NOBODY, t.cubes, t.ruleset, t.token, t.stake, t.rate, t.clock, 0);
        vm.assertEq(address(game).balance, stake, "the contract's balance");
    }

    // It should reject ether with all other calls
    function test_RevertWhen_AnotherCallSendsEther() public {
        _begin();
        bytes[7] memory calls = [
            bytes(""),
            abi.encodeCall(game.cancel, (number)),
            abi.encodeCall(game.makeMove, (number, 0, 4, 7, 3, 7)),
            abi.encodeCall(game.passMove, (number, 0)),
            abi.encodeCall(game.resign, (number)),
            abi.encodeCall(game.claimTimeout, (number)),
            abi.encodeCall(game.withdraw, (number))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(ANNE, address(game), 1, calls[i], "");
        }
    }

    // ---- cancel

    // It should cancel the match, and owe the deposit to the inviter
    function test_Cancel() public {
        (terms.stake, terms.rate) = (STAKE, RATE);
        _create(BOB);
        for (uint8 seat; seat < 2; ++seat) {
            vm.expectRevert(_nothingDue(players[seat]));
            _withdraw(seat);
        }
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, 4, NOBODY, IMatch.Reason.Cancelled);
        vm.prank(ANNE);
        game.cancel(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
        vm.expectRevert(_nothingDue(BOB));
        _withdraw(1);
        _assertPaid(0, STAKE);
        vm.expectRevert(_nothingDue(ANNE));
        _withdraw(0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Cancelled, IMatch.Status.Open));
        _join();
    }

    // It should revert with NotTheInviter
    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchCannotBeCancelled() public {
        _create(BOB);
        address[2] memory others = [BOB, CAROL];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IDeblockle.NotTheInviter.selector, number, others[i], ANNE));
            vm.prank(others[i]);
            game.cancel(number);
        }
        _join();
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(ANNE);
        game.cancel(number);
    }

    function _otherTerms() private view returns (bytes memory) {
        return
            abi.encodeWithSelector(IDeblockle.OtherTerms.selector, terms.cubes, terms.ruleset, terms.rate, terms.clock);
    }
}
