// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Takes deposits and pays them out, in ether or an ERC-20 token; no other code moves money
/// @notice A token is foreign code. Each call to a token has a gas limit, and at most one word of
/// the token's answer is read. The contract doesn't trust the answer: it measures the amount that
/// arrived. A bad token harms only the match that chose it.
/// @dev Before a contract calls this library, it must take the reentrancy lock and store its new
/// balances. As a token, the zero address means ether.
library Escrow {
    /// @notice The deposit differs from the agreed amount, or ether was sent to a match that takes
    /// none.
    /// @param token the zero address for ether
    /// @param amount the expected amount, in wei or token units
    /// @param came the amount that arrived
    error BadDeposit(address token, uint256 amount, uint256 came);
    /// @notice A payment of `amount` took another amount from the contract. The difference would
    /// come from the deposits of other matches.
    error BadPayment(address token, uint256 amount, uint256 went);
    /// @notice The token failed: it has no code, it reverted, or it returned false or an invalid
    /// answer.
    error TokenFailed(address token);
    /// @notice The receiver's wallet didn't accept the ether.
    error EtherRefused(address to, uint256 amount);

    /// @notice The maximum gas for one call to a token.
    uint256 internal constant TOKEN_GAS = 300_000;
    /// @notice The maximum gas for a wallet to accept ether.
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

    /// @dev Pays from the contract's balance. Reverts on failure. The receiver can try again, and a
    /// failure doesn't affect anybody else.
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

    /// @dev Sends ether, and ignores the data that the wallet returns.
    function _sendEther(address to, uint256 amount) private returns (bool success) {
        assembly ("memory-safe") {
            success := call(WALLET_GAS, to, amount, 0x00, 0x00, 0x00, 0x00)
        }
    }

    /// @dev Calls the token, which may return true or nothing. The earlier balance query has shown
    /// that the token has code.
    function _callToken(address token, bytes memory data) private {
        bool success;
        assembly ("memory-safe") {
            success := call(TOKEN_GAS, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            let size := returndatasize()
            success := and(success, or(iszero(size), and(eq(size, 0x20), eq(mload(0x00), 1))))
        }
        if (!success) revert TokenFailed(token);
    }

    /// @return amount the contract's balance according to the token; the call reverts if the token
    /// has no code
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

    /// @dev Returns `high - low`, or 0 if `low` is greater.
    function _saturatingSub(uint256 high, uint256 low) private pure returns (uint256) {
        return high > low ? high - low : 0;
    }
}
