// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {ReentrantWallet} from "../tokens/ReentrantWallet.sol";
import {TokenFixture} from "../tokens/TokenFixture.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests deposits and payments in good tokens and in hostile tokens
contract EscrowTest is DeblockleFixture, TokenFixture {
    uint160 private constant PRECOMPILES = 17; // in Prague; some of them answer every call

    function setUp() public override {
        super.setUp();
        _deployTokens(players, address(game), 100 * STAKE);
        (terms.stake, terms.rate) = (STAKE, RATE);
    }

    // ---- good tokens

    // It should take and pay exactly the agreed amounts
    function test_GoodToken() public {
        (terms.token, terms.ruleset) = (address(goodToken), BOARD);
        _create(NOBODY);
        vm.assertEq(goodToken.balanceOf(address(game)), STAKE, "the contract's balance");
        _join();
        vm.assertEq(goodToken.balanceOf(address(game)), 2 * STAKE, "the contract's balance");
        vm.assertEq(_board().token, address(goodToken));
        _wait(15);
        _play(1, 1);
        _wait(30);
        _resign(1);
        vm.expectEmit(address(game));
        emit IDeblockle.Withdrawn(number, game.seqOf(number) + 1, ANNE, address(goodToken), 1970);
        _withdraw(0);
        vm.assertEq(goodToken.balanceOf(ANNE), 99 * STAKE + 1970, "ANNE's balance");
        _withdraw(1);
        vm.assertEq(goodToken.balanceOf(BOB), 99 * STAKE + 30, "BOB's balance");
        vm.assertEq(goodToken.balanceOf(address(game)), 0, "the contract's balance");
    }

    // It should take and pay exactly the agreed amounts
    function test_TokenThatReturnsNothing() public {
        _behave(HostileToken.Manner.ReturnsNothing);
        _beginAndResign();
        _withdraw(1);
        vm.assertEq(badToken.ledger(BOB), 101 * STAKE, "BOB's balance");
        vm.assertEq(badToken.ledger(address(game)), 0, "the contract's balance");
    }

    // ---- deposits

    // It should revert with TokenFailed
    function test_RevertWhen_TheTokenFailsAtTheDeposit() public {
        for (uint256 i; i < unusable.length; ++i) {
            _assertDepositsRevert(unusable[i], _tokenFailed());
        }
    }

    // It should revert with BadDeposit if another amount arrived
    function test_RevertWhen_AnotherAmountArrived() public {
        _assertDepositsRevert(HostileToken.Manner.FeeOnTransfer, _badDeposit(STAKE - STAKE / 10));
        _assertDepositsRevert(HostileToken.Manner.MovesNothing, _badDeposit(0));
        _assertDepositsRevert(HostileToken.Manner.Rebases, _badDeposit(STAKE / 2));
        _assertDepositsRevert(HostileToken.Manner.LiesAboutBalances, _badDeposit(2 * STAKE));
    }

    /// @dev Checks that nobody can open or join a match while the token behaves badly.
    function _assertDepositsRevert(HostileToken.Manner manner, bytes memory revertData) private {
        terms.token = address(badToken);
        _create(NOBODY);
        uint256 held = badToken.ledger(address(game));
        _behave(manner);
        vm.expectRevert(revertData);
        _create(NOBODY);
        vm.expectRevert(revertData);
        _join();
        _behave(GOOD);
        vm.assertEq(badToken.ledger(address(game)), held, "the contract's balance");
        vm.assertEq(uint8(_board().status), uint8(IMatch.Status.Open), "status");
        (, uint48 next) = game.matchRange();
        vm.assertEq(next, number + 1, "the next match");
    }

    // It should revert with TokenFailed
    function test_RevertWhen_TheAddressIsNoToken() public {
        address[4] memory addresses = [CAROL, address(4), address(game), address(sessions)];
        for (uint160 i; i < addresses.length + PRECOMPILES; ++i) {
            terms.token = i < addresses.length ? addresses[i] : address(i - uint160(addresses.length) + 1);
            vm.expectRevert(abi.encodeWithSelector(Escrow.TokenFailed.selector, terms.token));
            _create(NOBODY);
        }
    }

    // It should revert with BadDeposit if the call sends ether with a deposit in tokens
    function testFuzz_RevertWhen_TheCallAlsoSendsEther(uint96 value) public {
        vm.assume(value != 0);
        terms.token = address(goodToken);
        _create(NOBODY);
        bytes memory revertData = abi.encodeWithSelector(Escrow.BadDeposit.selector, NOBODY, 0, value);
        vm.expectRevert(revertData);
        vm.prank(BOB);
        game.join{value: value}(number, 1, NEAR, address(goodToken), STAKE, RATE, CLOCK);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.create{value: value}(NOBODY, 1, NEAR, address(goodToken), STAKE, RATE, CLOCK, 0);
    }

    // ---- payments

    // It should revert with TokenFailed, and pay when the token behaves well again
    function test_RevertWhen_TheTokenFailsAtThePayment() public {
        _beginAndResign();
        for (uint256 i; i < unusable.length; ++i) {
            _assertPaymentReverts(unusable[i], _tokenFailed());
        }
        _assertPaidAfterAll();
    }

    // It should revert with TokenFailed, and pay when the token behaves well again
    function test_TokenWhoseCodeDisappears() public {
        terms.token = address(badToken);
        _begin();
        _wait(10);
        bytes memory code = address(badToken).code;
        vm.etch(address(badToken), "");
        vm.expectRevert(_tokenFailed());
        _withdraw(1);
        _play(1, 1); // the match goes on without the token
        _resign(0);
        vm.expectRevert(_tokenFailed());
        _withdraw(1);
        vm.etch(address(badToken), code);
        _assertPaidAfterAll();
    }

    // It should revert with BadPayment if another amount left
    function test_RevertWhen_AnotherAmountLeft() public {
        terms.token = address(badToken);
        _begin(); // another match
        _beginAndResign();
        _assertPaymentReverts(HostileToken.Manner.FeeOnTop, _badPayment(2 * STAKE + 2 * STAKE / 10));
        _assertPaymentReverts(HostileToken.Manner.MovesNothing, _badPayment(0));
        _assertPaymentReverts(HostileToken.Manner.Rebases, _badPayment(STAKE));
        _assertPaymentReverts(HostileToken.Manner.LiesAboutBalances, _badPayment(4 * STAKE));
        _assertPaidAfterAll();
        vm.assertEq(badToken.ledger(address(game)), 2 * STAKE, "the deposits for the other match");
    }

    // It should still pay the other player
    function test_TokenThatRejectsOneReceiver() public {
        terms.token = address(badToken);
        _begin();
        _wait(10);
        _play(1, 1);
        _wait(10);
        _resign(0);
        badToken.behave(HostileToken.Manner.RevertsTo, BOB, "");
        vm.expectRevert(_tokenFailed());
        _withdraw(1);
        _withdraw(0);
        vm.assertEq(badToken.ledger(ANNE), 99 * STAKE + 20, "ANNE's balance");
        _behave(GOOD);
        _withdraw(1);
        vm.assertEq(badToken.ledger(address(game)), 0, "the contract's balance");
    }

    // It should revert with EtherRefused, and pay when the wallet accepts ether
    // It should still pay the other player
    function test_WalletThatRejectsEther() public {
        _begin();
        _wait(10);
        _play(1, 1);
        _wait(10);
        _resign(0);
        // The wallet reverts without data, reverts with 200,000 bytes, uses up all gas in a loop,
        // or runs an invalid instruction.
        bytes[4] memory codes = [bytes(hex"5f5ffd"), hex"62030d405ffd", hex"5b5f56", hex"fe"];
        for (uint256 i; i < codes.length; ++i) {
            vm.etch(BOB, codes[i]);
            vm.expectRevert(abi.encodeWithSelector(Escrow.EtherRefused.selector, BOB, 2 * STAKE - 20));
            _withdraw(1);
        }
        _assertPaid(0, 20);
        vm.etch(BOB, "");
        _assertPaid(1, 2 * STAKE - 20);
    }

    // ---- reentrancy

    // It should revert calls from the receiver with ReentrancyGuardReentrantCall
    function test_WalletThatCallsTheContract() public {
        _begin();
        _resign(0);
        ReentrantWallet wallet = new ReentrantWallet();
        bytes[8] memory calls = _calls(number);
        for (uint256 i; i < calls.length; ++i) {
            uint256 state = vm.snapshotState();
            vm.etch(BOB, address(wallet).code);
            ReentrantWallet(payable(BOB)).prepare(address(game), calls[i]);
            _assertPaid(1, 2 * STAKE);
            vm.assertEq(ReentrantWallet(payable(BOB)).answer(), LOCKED);
            vm.revertToState(state);
        }
    }

    // It should revert calls from the token with ReentrancyGuardReentrantCall
    function test_TokenThatCallsTheContract() public {
        _begin();
        bytes[8] memory calls = _calls(number);
        for (uint256 i; i < calls.length; ++i) {
            badToken.behave(HostileToken.Manner.Reenters, address(game), calls[i]);
            terms.token = address(badToken);
            _create(NOBODY);
            _assertLocked();
            _join();
            _assertLocked();
            _resign(0);
            uint256 before = badToken.ledger(BOB);
            _withdraw(1);
            _assertLocked();
            vm.assertEq(badToken.ledger(BOB) - before, 2 * STAKE, "paid amount");
        }
    }

    // It should revert calls from the token with ReentrancyGuardReentrantCall
    function test_TokenThatCallsTheContractDuringTheMatch() public {
        terms.token = address(badToken);
        _begin();
        badToken.behave(HostileToken.Manner.Reenters, address(game), abi.encodeCall(game.withdraw, (number)));
        for (uint256 paid = RATE; paid <= 5 * RATE; paid += RATE) {
            _wait(1);
            _withdraw(1);
            _assertLocked();
            vm.assertEq(badToken.ledger(BOB), 99 * STAKE + paid, "BOB's balance");
            _assertNothingDue(1); // in the same second
        }
    }

    /// @dev Returns a call of each function that changes a match.
    function _calls(uint48 target) private view returns (bytes[8] memory) {
        return [
            abi.encodeCall(game.withdraw, (target)),
            abi.encodeCall(game.cancel, (target)),
            abi.encodeCall(game.create, (NOBODY, 1, NEAR, NOBODY, 0, 0, CLOCK, 0)),
            abi.encodeCall(game.join, (target, 1, NEAR, NOBODY, 0, 0, CLOCK)),
            abi.encodeCall(game.makeMove, (target, 0, 4, 7, 3, 7)),
            abi.encodeCall(game.passMove, (target, 0)),
            abi.encodeCall(game.resign, (target)),
            abi.encodeCall(game.claimTimeout, (target))
        ];
    }

    // ---- helpers

    /// @dev Starts a match with a stake in the hostile token. BOB wins both deposits.
    function _beginAndResign() private {
        terms.token = address(badToken);
        _begin();
        _resign(0);
    }

    function _assertPaymentReverts(HostileToken.Manner manner, bytes memory revertData) private {
        _behave(manner);
        vm.expectRevert(revertData);
        _withdraw(1);
        vm.assertEq(_board().withdrawn[1], 0, "withdrawn");
    }

    /// @dev Checks that the contract pays everything that it owes, after the token behaves well.
    function _assertPaidAfterAll() private {
        _behave(GOOD);
        uint128[2] memory due = _due();
        vm.assertEq(due[0] + due[1], 2 * STAKE, "the amounts due");
        for (uint8 seat; seat < 2; ++seat) {
            uint256 before = badToken.balanceOf(players[seat]);
            if (due[seat] != 0) _withdraw(seat);
            vm.assertEq(badToken.balanceOf(players[seat]) - before, due[seat], "paid amount");
        }
        _assertDue(0, 0);
    }

    function _tokenFailed() private view returns (bytes memory) {
        return abi.encodeWithSelector(Escrow.TokenFailed.selector, address(badToken));
    }

    function _badDeposit(uint256 came) private view returns (bytes memory) {
        return abi.encodeWithSelector(Escrow.BadDeposit.selector, address(badToken), STAKE, came);
    }

    function _badPayment(uint256 went) private view returns (bytes memory) {
        return abi.encodeWithSelector(Escrow.BadPayment.selector, address(badToken), 2 * STAKE, went);
    }
}
