// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";
import {vm} from "../Vm.sol";
import {HostileToken} from "./HostileToken.sol";
import {PlainToken} from "./PlainToken.sol";

/// @title A good token and a hostile token, for tests of an escrow
abstract contract TokenFixture {
    HostileToken.Manner internal constant GOOD = HostileToken.Manner.Good;

    /// @dev The selector of the error of OpenZeppelin's ReentrancyGuard.
    bytes4 internal constant LOCKED = bytes4(keccak256("ReentrancyGuardReentrantCall()"));

    PlainToken internal goodToken;
    HostileToken internal badToken;

    /// @dev The behaviours with which both deposits and payments revert with TokenFailed.
    HostileToken.Manner[9] internal unusable = [
        HostileToken.Manner.SaysFalse,
        HostileToken.Manner.ReturnsTwo,
        HostileToken.Manner.ReturnsLong,
        HostileToken.Manner.ReturnsShort,
        HostileToken.Manner.ReturnsHuge,
        HostileToken.Manner.RevertsHuge,
        HostileToken.Manner.BurnsGas,
        HostileToken.Manner.HidesBalances,
        HostileToken.Manner.HugeBalances
    ];

    /// @dev Deploys both tokens, and gives each account this amount of each. The accounts allow the
    /// game to take any amount.
    function _deployTokens(address[2] memory accounts, address game, uint256 amount) internal {
        goodToken = new PlainToken();
        badToken = new HostileToken();
        for (uint256 i; i < accounts.length; ++i) {
            goodToken.mint(accounts[i], amount);
            badToken.mint(accounts[i], amount);
            vm.prank(accounts[i]);
            goodToken.approve(game, type(uint256).max);
            vm.prank(accounts[i]);
            badToken.approve(game, type(uint256).max);
        }
    }

    function _behave(HostileToken.Manner manner) internal {
        badToken.behave(manner, address(0), "");
    }

    /// @dev Checks that the contract rejected the hostile token's last call.
    function _assertLocked() internal view {
        vm.assertFalse(badToken.done(), "the token's call succeeded");
        vm.assertEq(badToken.answer(), LOCKED);
    }

    function _tokenFailed(address token) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(Escrow.TokenFailed.selector, token);
    }

    function _badDeposit(address token, uint256 amount, uint256 came) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(Escrow.BadDeposit.selector, token, amount, came);
    }
}
