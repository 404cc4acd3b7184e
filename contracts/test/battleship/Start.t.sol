// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {vm} from "../Vm.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Tests `invite`, `accept`, `decline` and `cancel`
contract StartTest is BattleshipFixture {
    bytes32 private constant COMMITMENT = keccak256("a fleet");

    // ---- invite

    // It should open a match, take the deposit and publish the commitment
    function test_Invite() public {
        nonces[0] = bytes32(uint256(1));
        bytes32 commitment = this.seal(FLEET_0, nonces[0]);
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, ANNE, BOB, CLOCK, 0);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(1, 2, ANNE, 0);
        vm.expectEmit(address(game));
        emit IBattleship.Staked(1, 3, NOBODY, STAKE);
        vm.expectEmit(address(game));
        emit IBattleship.Sealed(1, 4, ANNE, commitment);
        _invite(BOB, CLOCK, NOBODY, STAKE);
        vm.assertEq(address(game).balance, STAKE, "the contract's balance");
        vm.assertEq(_board().players[1], BOB);
        vm.assertEq(_board().commitments[0], commitment);
        vm.assertEq(_board().pending, NO_TILE, "pending shot");
    }

    // It should revert with BadClock
    function testFuzz_RevertWhen_TheClockIsOutOfRange(uint24 clock, bool staked) public {
        uint24 minimum = staked ? 60 : 30;
        vm.assume((clock < minimum && (staked || clock != 0)) || clock > 30 days);
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.BadClock.selector, clock, minimum, 30 days));
        vm.prank(ANNE);
        game.invite{value: staked ? 1 : 0}(NOBODY, COMMITMENT, clock, NOBODY, staked ? 1 : 0);
    }

    // It should revert with SamePlayer
    function test_RevertWhen_TheCallerInvitesItself() public {
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(ANNE);
        game.invite(ANNE, COMMITMENT, 0, NOBODY, 0);
    }

    // It should revert with ZeroCommitment
    // It should revert with CommitmentUsed
    function test_RevertWhen_TheCommitmentIsZeroOrUsed() public {
        _invite(NOBODY, 0, NOBODY, 0);
        bytes32 used = _board().commitments[0];
        vm.expectRevert(IBattleship.ZeroCommitment.selector);
        vm.prank(BOB);
        game.accept(number, 0, 0);
        vm.expectRevert(IBattleship.ZeroCommitment.selector);
        vm.prank(BOB);
        game.invite(NOBODY, 0, 0, NOBODY, 0);
        vm.expectRevert(_commitmentUsed(used));
        vm.prank(BOB);
        game.accept(number, used, 0);

        _accept(0);
        _surrender(0);
        _reveal(1);
        bytes32[2] memory commitments = _board().commitments;
        for (uint256 seat; seat < 2; ++seat) {
            vm.expectRevert(_commitmentUsed(commitments[seat]));
            vm.prank(players[seat]);
            game.invite(NOBODY, commitments[seat], 0, NOBODY, 0);
        }
        _invite(NOBODY, 0, NOBODY, 0);
        vm.expectRevert(_commitmentUsed(commitments[1]));
        vm.prank(BOB);
        game.accept(number, commitments[1], 0);
    }

    // It should accept the commitment from its owner, even if a stranger has copied it
    function test_CopiedCommitment() public {
        _invite(NOBODY, 0, NOBODY, 0);
        bytes32 commitment = this.seal(ships[1], nonces[1]);
        vm.prank(CAROL);
        uint48 copy = game.invite(NOBODY, commitment, 0, NOBODY, 0);
        _accept(0);
        vm.assertEq(_board().commitments[1], commitment);
        vm.prank(BOB);
        game.accept(copy, COMMITMENT, 0);
        vm.expectRevert(
            abi.encodeWithSelector(IBattleship.BadReveal.selector, commitment, this.seal(ships[1], bytes32(0)))
        );
        vm.prank(CAROL);
        game.surrender(copy, ships[1], 0, "");
    }

    // ---- deposits

    // It should revert with BadDeposit if the call sends the wrong amount of ether
    function testFuzz_RevertWhen_TheDepositDiffers(uint96 value, bool staked) public {
        uint96 stake = staked ? STAKE : 0;
        vm.assume(value != stake && value < 50 ether);
        _invite(NOBODY, CLOCK, NOBODY, stake);
        bytes memory revertData = abi.encodeWithSelector(Escrow.BadDeposit.selector, NOBODY, stake, value);
        vm.expectRevert(revertData);
        vm.prank(BOB);
        game.accept{value: value}(number, COMMITMENT, 0);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.invite{value: value}(NOBODY, COMMITMENT, CLOCK, NOBODY, stake);
    }

    // It should reject ether with all other calls
    function test_RevertWhen_AnotherCallSendsEther() public {
        _invite(BOB, 0, NOBODY, 0);
        bytes[7] memory calls = [
            abi.encodeCall(game.decline, (number)),
            abi.encodeCall(game.cancel, (number)),
            abi.encodeCall(game.claimTimeout, (number)),
            abi.encodeCall(game.withdraw, (number)),
            abi.encodeCall(game.move, (number, 1, 0, false, 0)),
            abi.encodeCall(game.surrender, (number, FLEET_0, nonces[0], "")),
            abi.encodeCall(game.reveal, (number, FLEET_0, nonces[0], ""))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(BOB, address(game), 1, calls[i], "");
        }
    }

    // ---- accept

    // It should take the deposit, publish the commitment and fire the first shot
    function test_Accept() public {
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        bytes32 commitment = this.seal(ships[1], nonces[1]);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 5, BOB, 1);
        vm.expectEmit(address(game));
        emit IMatch.MatchStarted(number, 6);
        vm.expectEmit(address(game));
        emit IBattleship.Sealed(number, 7, BOB, commitment);
        vm.expectEmit(address(game));
        emit IBattleship.Shot(number, 8, 0, BOB, 12);
        _accept(12);
        vm.assertEq(address(game).balance, 2 * STAKE, "the contract's balance");
        vm.assertEq(_board().mover, ANNE);
        vm.assertEq(_board().pending, 12, "pending shot");
        vm.assertEq(_board().deadline, block.timestamp + CLOCK, "deadline");
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(CAROL);
        game.accept(number, COMMITMENT, 0);
    }

    // It should revert with BadTile
    function testFuzz_RevertWhen_TheFirstShotIsOffTheGrid(uint8 tile) public {
        vm.assume(tile > 98);
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(abi.encodeWithSelector(IBattleship.BadTile.selector, tile));
        vm.prank(BOB);
        game.accept(number, COMMITMENT, tile);
    }

    // It should revert with SamePlayer
    function test_RevertWhen_TheInviterAccepts() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(ANNE);
        game.accept(number, COMMITMENT, 0);
    }

    // ---- decline, cancel

    // It should cancel the match, and pay the deposit back
    function test_DeclineAndCancel() public {
        for (uint8 seat; seat < 2; ++seat) {
            _invite(BOB, CLOCK, NOBODY, STAKE);
            vm.expectEmit(address(game));
            emit IMatch.MatchEnded(number, 5, NOBODY, IMatch.Reason.Cancelled);
            vm.prank(players[seat]);
            if (seat == 0) game.cancel(number);
            else game.decline(number);
            _assertEnded(NOBODY, IMatch.Reason.Cancelled);
            vm.expectRevert(_nothingDue(BOB));
            _withdraw(1);
            uint256 before = ANNE.balance;
            _withdraw(0);
            vm.assertEq(ANNE.balance - before, STAKE, "paid amount");
            vm.expectRevert(_nothingDue(ANNE));
            _withdraw(0);
        }
    }

    // It should revert with NothingDue
    function test_RevertWhen_TheCancelledMatchHadNoStake() public {
        _invite(BOB, CLOCK, NOBODY, 0);
        vm.prank(ANNE);
        game.cancel(number);
        vm.expectRevert(_nothingDue(ANNE));
        _withdraw(0);
    }

    // It should revert with NotInvited
    // It should revert with NotTheInviter
    // It should revert with WrongStatus
    function test_RevertWhen_AnotherAccountCalls() public {
        _invite(BOB, CLOCK, NOBODY, 0);
        vm.expectRevert(_notInvited(number, CAROL, BOB));
        vm.prank(CAROL);
        game.accept(number, COMMITMENT, 0);
        address[2] memory others = [CAROL, ANNE];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(_notInvited(number, others[i], BOB));
            vm.prank(others[i]);
            game.decline(number);
        }
        others = [CAROL, BOB];
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IBattleship.NotTheInviter.selector, number, others[i], ANNE));
            vm.prank(others[i]);
            game.cancel(number);
        }
        _accept(0);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(ANNE);
        game.cancel(number);
        vm.expectRevert(_wrongStatus(number, IMatch.Status.Playing, IMatch.Status.Open));
        vm.prank(BOB);
        game.decline(number);
    }

    // It should revert with NotInvited
    function test_RevertWhen_NobodyIsInvited() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        vm.expectRevert(_notInvited(number, BOB, NOBODY));
        vm.prank(BOB);
        game.decline(number);
    }

    function _commitmentUsed(bytes32 commitment) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBattleship.CommitmentUsed.selector, commitment);
    }
}
