// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IMatch} from "../../src/IMatch.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {EscrowFixture} from "./EscrowFixture.sol";

/// @title Tests deposits and payments in good tokens and in hostile tokens
contract EscrowTest is EscrowFixture {
    // ---- good tokens

    // It should take and pay exactly the agreed amounts
    function test_GoodToken() public othersArePaid {
        uint256 owned = goodToken.balanceOf(BOB);
        _invite(NOBODY, CLOCK, address(goodToken), STAKE);
        vm.assertEq(goodToken.balanceOf(address(game)), 2 * STAKE, "the contract's balance");
        _accept(0);
        vm.assertEq(goodToken.balanceOf(address(game)), 3 * STAKE, "the contract's balance");
        _surrender(0);
        _reveal(1);
        vm.expectEmit(address(game));
        emit IBattleship.Withdrawn(number, game.seqOf(number) + 1, BOB, address(goodToken), 2 * STAKE);
        _withdraw(1);
        vm.assertEq(goodToken.balanceOf(BOB), owned + STAKE, "BOB's balance");
    }

    // It should take and pay exactly the agreed amounts
    function test_TokenThatReturnsNothing() public othersArePaid {
        _behave(HostileToken.Manner.ReturnsNothing);
        _openAndEnd();
        _withdraw(0);
        _withdraw(1);
        vm.assertEq(badToken.ledger(address(game)), 0, "the contract's balance");
    }

    // It should ignore the named token
    function test_TokenWithoutAStake() public {
        _behave(HostileToken.Manner.BurnsGas);
        _invite(NOBODY, CLOCK, address(badToken), 0);
        vm.assertEq(_board().token, NOBODY);
    }

    // ---- deposits

    // It should revert with TokenFailed
    function test_RevertWhen_TheTokenFailsAtTheDeposit() public othersArePaid {
        for (uint256 i; i < unusable.length; ++i) {
            _behave(unusable[i]);
            _assertInviteReverts(address(badToken), 0, _tokenFailed(address(badToken)));
        }
    }

    // It should revert with BadDeposit if another amount arrived
    function test_RevertWhen_AnotherAmountArrived() public othersArePaid {
        HostileToken.Manner[4] memory manners = [
            HostileToken.Manner.FeeOnTransfer,
            HostileToken.Manner.MovesNothing,
            HostileToken.Manner.Rebases,
            HostileToken.Manner.LiesAboutBalances
        ];
        uint256[4] memory arrived = [uint256(STAKE) * 9 / 10, 0, STAKE / 2, 2 * uint256(STAKE)];
        for (uint256 i; i < manners.length; ++i) {
            _behave(manners[i]);
            _assertInviteReverts(address(badToken), 0, _badDeposit(address(badToken), STAKE, arrived[i]));
        }
    }

    // It should revert with BadDeposit if another amount arrived
    function test_RevertWhen_TheOpponentsDepositIsTooSmall() public {
        _invite(NOBODY, CLOCK, address(badToken), STAKE);
        _behave(HostileToken.Manner.FeeOnTransfer);
        bytes32 commitment = this.seal(ships[1], nonces[1]);
        vm.expectRevert(_badDeposit(address(badToken), STAKE, uint256(STAKE) * 9 / 10));
        vm.prank(BOB);
        game.accept(number, commitment, 0);
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Open), "status");
        _behave(GOOD);
        _accept(0);
        vm.assertEq(badToken.ledger(address(game)), 2 * STAKE, "the contract's balance");
    }

    // It should revert with TokenFailed
    function test_RevertWhen_TheAddressIsNoToken() public othersArePaid {
        address[5] memory addresses = [address(0xdead), CAROL, address(4), address(game), address(sessions)];
        for (uint256 i; i < addresses.length; ++i) {
            _assertInviteReverts(addresses[i], 0, _tokenFailed(addresses[i]));
        }
    }

    // It should revert with TokenFailed
    function test_RevertWhen_ThePlayerLacksTokensOrAnAllowance() public othersArePaid {
        vm.prank(ANNE);
        goodToken.approve(address(game), STAKE - 1);
        _assertInviteReverts(address(goodToken), 0, _tokenFailed(address(goodToken)));
        vm.prank(ANNE);
        goodToken.approve(address(game), STAKE);
        uint256 owned = goodToken.balanceOf(ANNE);
        vm.prank(ANNE);
        goodToken.transfer(BOB, owned - STAKE + 1);
        _assertInviteReverts(address(goodToken), 0, _tokenFailed(address(goodToken)));
    }

    // It should revert with BadDeposit if the call sends the wrong amount of ether
    function testFuzz_RevertWhen_TheEtherDiffers(uint96 value) public othersArePaid {
        vm.assume(value != 0 && value < 90 ether);
        _assertInviteReverts(address(goodToken), value, _badDeposit(NOBODY, 0, value));
        if (value != STAKE) _assertInviteReverts(NOBODY, value, _badDeposit(NOBODY, STAKE, value));
    }

    // It should reject ether that is not a deposit
    function test_RevertWhen_EtherIsNoDeposit() public {
        vm.prank(ANNE);
        (bool success,) = address(game).call{value: 1}("");
        vm.assertFalse(success, "the contract accepted ether");
    }

    // ---- payments

    // It should revert with TokenFailed, and pay when the token behaves well again
    function test_RevertWhen_TheTokenFailsAtThePayment() public othersArePaid {
        _openAndEnd();
        for (uint256 i; i < unusable.length; ++i) {
            _behave(unusable[i]);
            _assertWithdrawReverts(0, _tokenFailed(address(badToken)));
        }
        _assertPaidAfterAll();
    }

    // It should revert with BadPayment if another amount left
    function test_RevertWhen_AnotherAmountLeft() public othersArePaid {
        _openAndEnd();
        uint48 ended = number;
        _invite(NOBODY, CLOCK, address(badToken), STAKE);
        number = ended;
        HostileToken.Manner[4] memory manners = [
            HostileToken.Manner.FeeOnTop,
            HostileToken.Manner.MovesNothing,
            HostileToken.Manner.Rebases,
            HostileToken.Manner.LiesAboutBalances
        ];
        uint256[4] memory left = [uint256(STAKE) * 11 / 10, 0, STAKE / 2, 2 * uint256(STAKE)];
        for (uint256 i; i < manners.length; ++i) {
            _behave(manners[i]);
            _assertWithdrawReverts(
                0, abi.encodeWithSelector(Escrow.BadPayment.selector, address(badToken), STAKE, left[i])
            );
        }
        _behave(GOOD);
        vm.assertEq(badToken.ledger(address(game)), 3 * STAKE, "the contract's balance");
        _withdraw(0);
        _withdraw(1);
        vm.assertEq(badToken.ledger(address(game)), STAKE, "the deposit for the other match");
    }

    // It should still pay the other player
    function test_TokenThatRejectsOneReceiver() public {
        _openAndEnd();
        badToken.behave(HostileToken.Manner.RevertsTo, ANNE, "");
        _assertWithdrawReverts(0, _tokenFailed(address(badToken)));
        _withdraw(1);
        _behave(GOOD);
        _withdraw(0);
        vm.assertEq(badToken.ledger(address(game)), 0, "the contract's balance");
    }

    // It should still pay in all other currencies
    function test_TokenThatLosesItsCode() public othersArePaid {
        _openAndEnd();
        bytes memory code = address(badToken).code;
        vm.etch(address(badToken), "");
        _assertWithdrawReverts(0, _tokenFailed(address(badToken)));
        vm.etch(address(badToken), code);
        _assertPaidAfterAll();
    }

    // It should still pay in all other currencies
    function test_TokenThatTakesMoneyBack() public othersArePaid {
        _openAndEnd();
        badToken.shrink(address(game), STAKE / 2);
        _withdraw(1);
        _assertWithdrawReverts(0, _tokenFailed(address(badToken)));
    }

    // It should revert with EtherRefused, and pay when the wallet accepts ether
    // It should still pay the other player
    function test_WalletThatRejectsEther() public othersArePaid {
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        _accept(0);
        _timeout();
        _timeout();
        // The wallet reverts without data, reverts with 200,000 bytes, uses up all gas in a loop,
        // or runs an invalid instruction.
        bytes[4] memory codes = [bytes(hex"5f5ffd"), hex"62030d405ffd", hex"5b5f56", hex"fe"];
        for (uint256 i; i < codes.length; ++i) {
            vm.etch(ANNE, codes[i]);
            _assertWithdrawReverts(0, abi.encodeWithSelector(Escrow.EtherRefused.selector, ANNE, STAKE));
        }
        _withdraw(1);
        vm.etch(ANNE, "");
        _withdraw(0);
    }
}
