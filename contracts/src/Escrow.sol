// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Taking deposits and paying them out, in ether or an ERC-20; the one door for money
/// @notice A token is foreign code: it is called with a gas cap, at most 64 bytes of its answer are copied and checked
/// here, and what it says is not believed but measured. A bad one harms only the match that chose it.
/// @dev Its callers hold the lock, keep who is owed what, and write that down before they pay.
library Escrow {
    /// @notice The deposit did not arrive as agreed; ether that was sent for a match without it, too.
    /// @param token the zero address for ether
    /// @param amount wei or token units that should have come
    /// @param came what came
    error BadDeposit(address token, uint256 amount, uint256 came);
    /// @notice The token did not do what was asked: no code, a revert, false, or an answer that is none.
    error TokenFailed(address token);
    /// @notice The receiver's wallet did not take the ether.
    error EtherRefused(address to, uint256 amount);

    /// @notice Gas that one call to a token may use.
    uint256 internal constant TOKEN_GAS = 300_000;
}
