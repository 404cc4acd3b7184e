// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Takes deposits and pays them out, in ether or ERC-20 tokens
/// @notice No other code in the games moves money. Tokens are foreign code, so each call to a token
/// has a gas limit, and the library copies at most one word of the returned data. To find out how
/// much arrived, the library compares its balance before and after the transfer. A bad token can
/// harm only the matches that use it.
/// @dev Before a contract calls this library, it must take the reentrancy lock and store the
/// amounts that it still owes after the call. The zero address stands for ether.
library Escrow {
    /// @notice The amount that arrived is not the agreed deposit, or the call sent ether to a match
    /// that takes none.
    /// @param token the token of the deposit; the zero address means ether
    /// @param amount the expected amount, in wei or token units
    /// @param came the amount that arrived, in wei or token units
    error BadDeposit(address token, uint256 amount, uint256 came);
    /// @notice The payment would reduce the contract's balance by `went` instead of `amount`. The
    /// contract rejects the payment, because its balance also includes the deposits for other
    /// matches.
    error BadPayment(address token, uint256 amount, uint256 went);
    /// @notice The call to the token failed: the token's address has no code, or the token reverted
    /// or returned false or invalid data.
    error TokenFailed(address token);
    /// @notice The receiver's wallet rejected the ether.
    error EtherRefused(address to, uint256 amount);

    /// @notice The maximum gas for one call to a token.
    uint256 internal constant TOKEN_GAS = 300_000;
    /// @notice The maximum gas that a wallet can use to accept ether.
    uint256 internal constant WALLET_GAS = 300_000;

    /// @dev Takes the sender's deposit: either the ether sent with the call, or tokens that the
    /// sender has allowed this contract to transfer.
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

    /// @dev Pays an amount from the contract's balance. Reverts if the payment fails. Because every
    /// player withdraws separately, a failed payment affects no other player, and the receiver can
    /// try again.
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

    /// @dev Sends ether and ignores the data that the wallet returns.
    function _sendEther(address to, uint256 amount) private returns (bool success) {
        assembly ("memory-safe") {
            success := call(WALLET_GAS, to, amount, 0x00, 0x00, 0x00, 0x00)
        }
    }

    /// @dev Calls a token. The call succeeds if the token returns true or no data. An address
    /// without code would also return no data. The balance query before this call excludes this
    /// case, because it reverts if there is no code.
    function _callToken(address token, bytes memory data) private {
        bool success;
        assembly ("memory-safe") {
            success := call(TOKEN_GAS, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            let size := returndatasize()
            success := and(success, or(iszero(size), and(eq(size, 0x20), eq(mload(0x00), 1))))
        }
        if (!success) revert TokenFailed(token);
    }

    /// @dev Returns the contract's balance of a token. Reverts if the token doesn't answer, for
    /// example because its address has no code.
    /// @return amount the contract's balance, in token units, according to the token
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

    /// @dev Returns the decrease from `high` to `low`, or 0 if there is no decrease.
    function _saturatingSub(uint256 high, uint256 low) private pure returns (uint256) {
        return high > low ? high - low : 0;
    }
}
