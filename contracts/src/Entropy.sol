// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Chooses the block whose hash decides a random draw
/// @notice A caller who dislikes the result of a random draw can't repeat the draw, because the
/// deciding block stays the same for a span of blocks. The span is as long as the chain keeps block
/// hashes: 8,191 blocks if the history contract of EIP-2935 answers
/// (https://eips.ethereum.org/EIPS/eip-2935), otherwise the 256 blocks of BLOCKHASH.
/// @dev Every draw asks the history contract again. A game can't ask once, in its constructor, for
/// two reasons: a fork can add the history contract later, and a node that has lost the history
/// must not block a match.
///
/// A caller can't choose between the history and BLOCKHASH. The call to the history contract gets
/// 63/64 of the gas. If this gas is too little, the remaining 1/64 is too little for the rest of
/// the call, which then fails. Only the chain itself can write to the history. On a chain that
/// doesn't write to it, the history contract answers 0, and BLOCKHASH decides. The contract also
/// answers 0 for blocks from before its deployment. If `first` is one of these blocks, BLOCKHASH
/// decides until 8,191 blocks have passed since `first`. From then on, the history decides.
library Entropy {
    /// @dev The address of the history contract (HISTORY_STORAGE_ADDRESS in EIP-2935).
    address private constant _HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev The history contract answers for the last 8,191 blocks before the current block
    /// (HISTORY_SERVE_WINDOW in EIP-2935).
    uint256 private constant _HISTORY_WINDOW = 8191;
    /// @dev BLOCKHASH answers for the last 256 blocks before the current block.
    uint256 private constant _BLOCKHASH_WINDOW = 256;

    /// @dev Returns the number and the hash of the block that decides a random draw.
    /// @param first the number of the first block that may decide the draw; the block must exist
    /// already
    /// @return number the number of the block that decides the draw; its hash is always available
    /// @return seed the hash of that block
    function seedSince(uint256 first) internal view returns (uint40 number, bytes32 seed) {
        number = _spanStart(first, _HISTORY_WINDOW);
        seed = _historyHash(number);
        if (seed == 0) {
            number = _spanStart(first, _BLOCKHASH_WINDOW);
            seed = blockhash(number);
        }
    }

    /// @return seed the hash of an existing block, or 0 if the block is too old for both the
    /// history and BLOCKHASH
    function hashOf(uint256 height) internal view returns (bytes32 seed) {
        seed = _historyHash(height);
        if (seed == 0) seed = blockhash(height);
    }

    // The number of a block fits in 40 bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the number of the newest existing block whose distance from `first` is a
    /// multiple of `span`. This block is one of the last `span` blocks before the current block.
    function _spanStart(uint256 first, uint256 span) private view returns (uint40) {
        uint256 elapsed = block.number - 1 - first;
        return uint40(first + elapsed - (elapsed % span));
    }

    /// @dev Returns the hash of a block from the history, or 0 if the history doesn't have it. The
    /// history is part of the chain's state, so it stays the same if the node restarts. Anvil's
    /// BLOCKHASH, however, returns other values after a restart.
    function _historyHash(uint256 height) private view returns (bytes32 hash) {
        assembly ("memory-safe") {
            mstore(0x00, height)
            let answered := staticcall(gas(), _HISTORY, 0x00, 0x20, 0x00, 0x20)
            if and(answered, eq(returndatasize(), 0x20)) {
                hash := mload(0x00)
            }
        }
    }
}
