// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Taking deposits and paying them out, in ether or an ERC-20; the one door for money
/// @notice A token is foreign code: it is called with a gas cap, at most one word of its answer is copied and checked
/// here, and what it says is not believed but measured. A bad one harms only the match that chose it.
/// @dev Its callers hold the lock, keep who is owed what, and write that down before they call. The zero address is ether.
library Escrow {
    /// @notice The deposit did not arrive as agreed; ether that was sent for a match without it, too.
    /// @param token the zero address for ether
    /// @param amount wei or token units that should have come
    /// @param came what came
    error BadDeposit(address token, uint256 amount, uint256 came);
    /// @notice Paying took another amount from the contract, which holds deposits of other matches too.
    error BadPayment(address token, uint256 amount, uint256 went);
    /// @notice The token did not do what was asked: no code, a revert, false, or an answer that is none.
    error TokenFailed(address token);
    /// @notice The receiver's wallet did not take the ether.
    error EtherRefused(address to, uint256 amount);

    /// @notice Gas that one call to a token may use.
    uint256 internal constant TOKEN_GAS = 300_000;
    /// @notice Gas that a wallet may use to take ether.
    uint256 internal constant WALLET_GAS = 300_000;

    /// @dev Takes the sender's deposit: the ether sent with the call, or what it has allowed the contract to take.
    function take(address token, uint256 amount) internal {
        if (token == address(0)) {
            if (msg.value != amount) revert BadDeposit(token, amount, msg.value);
            return;
        }
        if (msg.value != 0) revert BadDeposit(address(0), 0, msg.value);
        uint256 before = _held(token);
        _ask(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, address(this), amount)));
        uint256 came = _fall(_held(token), before);
        if (came != amount) revert BadDeposit(token, amount, came);
    }

    /// @dev Pays from what the contract holds. Reverts when that fails: the receiver can try again, nobody else waits.
    function pay(address token, address to, uint256 amount) internal {
        if (token == address(0)) {
            if (!_give(to, amount)) revert EtherRefused(to, amount);
            return;
        }
        uint256 before = _held(token);
        _ask(token, abi.encodeCall(IERC20.transfer, (to, amount)));
        uint256 went = _fall(before, _held(token));
        if (went != amount) revert BadPayment(token, amount, went);
    }

    /// @dev Copies nothing of what the wallet returns.
    function _give(address to, uint256 amount) private returns (bool done) {
        assembly ("memory-safe") {
            done := call(WALLET_GAS, to, amount, 0x00, 0x00, 0x00, 0x00)
        }
    }

    /// @dev A token may answer true or nothing. That there is code was seen by asking it for the balance.
    function _ask(address token, bytes memory data) private {
        bool done;
        assembly ("memory-safe") {
            done := call(TOKEN_GAS, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            let size := returndatasize()
            done := and(done, or(iszero(size), and(eq(size, 0x20), eq(mload(0x00), 1))))
        }
        if (!done) revert TokenFailed(token);
    }

    /// @return held what the token says that this contract holds; an account without code says nothing
    function _held(address token) private view returns (uint256 held) {
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (address(this)));
        bool done;
        assembly ("memory-safe") {
            done := staticcall(TOKEN_GAS, token, add(data, 0x20), mload(data), 0x00, 0x20)
            done := and(done, eq(returndatasize(), 0x20))
            held := mload(0x00)
        }
        if (!done) revert TokenFailed(token);
    }

    /// @dev From `high` to `low`; 0 when it rose.
    function _fall(uint256 high, uint256 low) private pure returns (uint256) {
        return high > low ? high - low : 0;
    }
}
