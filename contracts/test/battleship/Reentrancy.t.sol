// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {vm} from "../Vm.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {ReentrantWallet} from "../tokens/ReentrantWallet.sol";
import {EscrowFixture} from "./EscrowFixture.sol";

/// @title Tests tokens and wallets that call the contract during a transfer
contract ReentrancyTest is EscrowFixture {
    // It should revert calls from the receiver with ReentrancyGuardReentrantCall
    function test_WalletThatCallsTheContract() public othersArePaid {
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        vm.prank(ANNE);
        game.cancel(number);
        ReentrantWallet wallet = new ReentrantWallet();
        bytes[9] memory calls = _calls(number);
        for (uint256 i; i < calls.length; ++i) {
            uint256 before = vm.snapshotState();
            vm.etch(ANNE, address(wallet).code);
            ReentrantWallet(payable(ANNE)).prepare(address(game), calls[i]);
            uint256 held = address(game).balance;
            _withdraw(0);
            vm.assertEq(held - address(game).balance, STAKE, "paid amount");
            vm.assertEq(ReentrantWallet(payable(ANNE)).answer(), LOCKED);
            vm.revertToState(before);
        }
        _withdraw(0);
    }

    // It should revert calls from the token with ReentrancyGuardReentrantCall
    function test_TokenThatCallsTheContract() public {
        _invite(NOBODY, CLOCK, NOBODY, 0);
        uint48 target = number;
        bytes[9] memory calls = _calls(target);
        for (uint256 i; i < calls.length; ++i) {
            badToken.behave(HostileToken.Manner.Reenters, address(game), calls[i]);
            _invite(NOBODY, CLOCK, address(badToken), STAKE);
            _assertLocked();
            _accept(0);
            _assertLocked();
            _surrender(0);
            _reveal(1);
            _withdraw(1);
            _assertLocked();
        }
        vm.assertEq(uint8(game.board(target).status), uint8(IMatch.Status.Open), "status");
    }

    /// @dev Returns a call of each function that changes a match.
    function _calls(uint48 target) private view returns (bytes[9] memory) {
        bytes32 commitment = keccak256("a fleet");
        return [
            abi.encodeCall(game.withdraw, (target)),
            abi.encodeCall(game.cancel, (target)),
            abi.encodeCall(game.decline, (target)),
            abi.encodeCall(game.invite, (NOBODY, commitment, 0, NOBODY, 0)),
            abi.encodeCall(game.accept, (target, commitment, 0)),
            abi.encodeCall(game.move, (target, 0, 0, false, 0)),
            abi.encodeCall(game.surrender, (target, FLEET_0, bytes32(0), "")),
            abi.encodeCall(game.reveal, (target, FLEET_0, bytes32(0), "")),
            abi.encodeCall(game.claimTimeout, (target))
        ];
    }
}
