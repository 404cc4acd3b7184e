// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../Vm.sol";
import {TokenFixture} from "../tokens/TokenFixture.sol";
import {BattleshipFixture} from "./BattleshipFixture.sol";

/// @title Matches with stakes in ether, in a good token and in a hostile token
abstract contract EscrowFixture is BattleshipFixture, TokenFixture {
    /// @dev The maximum gas of a rejected call, whatever the token does: three calls to the token,
    /// with 300,000 gas each, and the contract's own gas.
    uint256 internal constant CHEAP = 1_500_000;

    /// @dev Open matches with deposits in ether and in the good token.
    uint48[2] internal others;

    function setUp() public virtual override {
        super.setUp();
        _deployTokens(players, address(game), 100 * STAKE);
        _invite(NOBODY, CLOCK, NOBODY, STAKE);
        others[0] = number;
        _invite(NOBODY, CLOCK, address(goodToken), STAKE);
        others[1] = number;
    }

    /// @dev After the test, checks that the matches in `others` still have their deposits.
    modifier othersArePaid() {
        _;
        for (uint256 i; i < 2; ++i) {
            number = others[i];
            vm.prank(ANNE);
            game.cancel(number);
            _withdraw(0);
        }
        vm.assertEq(address(game).balance, 0, "the contract's balance in ether");
        vm.assertEq(goodToken.balanceOf(address(game)), 0, "the contract's balance in the good token");
    }

    /// @dev Opens a match with a stake in the hostile token, and ends it without a winner.
    function _openAndEnd() internal {
        _invite(NOBODY, CLOCK, address(badToken), STAKE);
        _accept(0);
        _timeout();
        _timeout();
    }

    /// @dev Checks that ANNE can't open a match with this token, and that this changes nothing.
    function _assertInviteReverts(address token, uint256 value, bytes memory revertData) internal {
        (, uint48 next) = game.matchRange();
        bytes32 commitment = keccak256("a fleet");
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.invite{value: value, gas: CHEAP}(NOBODY, commitment, CLOCK, token, STAKE);
        (, uint48 after_) = game.matchRange();
        vm.assertEq(after_, next, "the next match");
    }

    function _assertWithdrawReverts(uint8 seat, bytes memory revertData) internal {
        vm.expectRevert(revertData);
        vm.prank(players[seat]);
        game.withdraw{gas: CHEAP}(number);
        vm.assertFalse(_board().withdrawn[seat], "withdrawn");
    }

    /// @dev Checks that both players get their deposits when the hostile token behaves well again.
    function _assertPaidAfterAll() internal {
        _behave(GOOD);
        uint256 before = badToken.balanceOf(ANNE);
        _withdraw(0);
        vm.assertEq(badToken.balanceOf(ANNE) - before, STAKE, "paid amount");
        _withdraw(1);
        vm.assertEq(badToken.ledger(address(game)), 0, "the contract's balance");
    }
}
