// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @title The history contract of EIP-2935, which returns past block hashes
/// @notice Forge's chain doesn't have this contract. The tests install it, and store the hashes
/// that a real chain would store (https://eips.ethereum.org/EIPS/eip-2935).
library History {
    address internal constant ADDRESS = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev The contract answers for this number of past blocks.
    uint256 internal constant WINDOW = 8191;
    bytes private constant _CODE = hex"3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311"
        hex"604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500";

    function install() internal {
        vm.etch(ADDRESS, _CODE);
    }

    function record(uint256 height, bytes32 hash) internal {
        vm.store(ADDRESS, bytes32(height % WINDOW), hash);
    }
}
