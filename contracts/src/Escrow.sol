// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Takes deposits and pays them out, in ether or an ERC-20 token; no other code moves money
/// @notice A token is foreign code. Calls to it have a gas limit, and at most one word of the
/// returned data is copied and checked. The contract measures what arrived instead of trusting that
/// data. A bad token harms only the match that chose it.
/// @dev Callers must hold the reentrancy lock and store who is owed what before they call. The zero
/// address means ether.
library Escrow {
    /// @notice A deposit other than the agreed one arrived, or ether was sent to a match that takes
    /// none.
    /// @param token the zero address for ether
    /// @param amount the expected amount, in wei or token units
    /// @param came the amount that arrived
    error BadDeposit(address token, uint256 amount, uint256 came);
    /// @notice The payment took a different amount from the contract, which also holds deposits of
    /// other matches.
    error BadPayment(address token, uint256 amount, uint256 went);
    /// @notice The token failed: it has no code, it reverted, or it returned false or an invalid
    /// answer.
    error TokenFailed(address token);
    /// @notice The receiver's wallet did not accept the ether.
    error EtherRefused(address to, uint256 amount);

    /// @notice Maximum gas of one call to a token.
    uint256 internal constant TOKEN_GAS = 300_000;
    /// @notice Maximum gas for a wallet to accept ether.
    uint256 internal constant WALLET_GAS = 300_000;

    /// @dev Takes the sender's deposit: the ether sent with the call, or tokens from the sender's
    /// allowance.
    function deposit(address token, uint256 amount) internal {
        if (token == address(0)) {
            if (msg.value != amount) revert BadDeposit(token, amount, msg.value);
            return;
        }
        if (msg.value != 0) revert BadDeposit(address(0), 0, msg.value);
        uint256 before = _balance(token);
        _callToken(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, address(this), amount)));
        uint256 received = _saturatingSub(_balance(token), before);
        if (received != amount) revert BadDeposit(token, amount, received);
    }

    /// @dev Pays from the contract's balance. Reverts on failure: the receiver can try again, and
    /// nobody else has to wait.
    function pay(address token, address to, uint256 amount) internal {
        if (token == address(0)) {
            if (!_sendEther(to, amount)) revert EtherRefused(to, amount);
            return;
        }
        uint256 before = _balance(token);
        _callToken(token, abi.encodeCall(IERC20.transfer, (to, amount)));
        uint256 paid = _saturatingSub(before, _balance(token));
        if (paid != amount) revert BadPayment(token, amount, paid);
    }

    /// @dev Copies none of the data that the wallet returns.
    function _sendEther(address to, uint256 amount) private returns (bool success) {
        assembly ("memory-safe") {
            success := call(WALLET_GAS, to, amount, 0x00, 0x00, 0x00, 0x00)
        }
    }

    /// @dev A token may return true or nothing. The earlier balance query has shown that it has
    /// code.
    function _callToken(address token, bytes memory data) private {
        bool success;
        assembly ("memory-safe") {
            success := call(TOKEN_GAS, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            let size := returndatasize()
            success := and(success, or(iszero(size), and(eq(size, 0x20), eq(mload(0x00), 1))))
        }
        if (!success) revert TokenFailed(token);
    }

    /// @return amount the contract's balance according to the token; an account without code
    /// returns none
    function _balance(address token) private view returns (uint256 amount) {
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (address(this)));
        bool success;
        assembly ("memory-safe") {
            success := staticcall(TOKEN_GAS, token, add(data, 0x20), mload(data), 0x00, 0x20)
            success := and(success, eq(returndatasize(), 0x20))
            amount := mload(0x00)
        }
        if (!success) revert TokenFailed(token);
    }

    /// @dev The decrease from `high` to `low`; 0 if it rose.
    function _saturatingSub(uint256 high, uint256 low) private pure returns (uint256) {
        return high > low ? high - low : 0;
    }
}
