// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Chooses the block whose hash decides a draw
/// @notice A caller who dislikes the result of a draw can't repeat the draw, because the deciding
/// block stays the same for a span of blocks. The span is as long as the chain keeps block hashes:
/// 8,191 blocks if the history contract of EIP-2935 answers
/// (https://eips.ethereum.org/EIPS/eip-2935), otherwise the 256 blocks of BLOCKHASH.
/// @dev Every draw asks the history contract again. The constructor can't ask once for all draws: a
/// fork can add the history contract later, and a node that has lost the history must not block a
/// match.
///
/// Callers can't influence whether the history or BLOCKHASH decides. The history contract gets all
/// gas but 1/64, so a caller who leaves too little gas for its answer leaves too little for the
/// rest of the call. Only the chain itself can write to the history. If somebody deploys the
/// history contract on a chain that doesn't write to it, the contract answers 0. It also answers 0
/// for blocks from before its own deployment. In that case BLOCKHASH decides until 8,191 blocks
/// have passed since `first`. From then on, the history decides.
library Entropy {
    /// @dev The address of the history contract (HISTORY_STORAGE_ADDRESS in EIP-2935).
    address private constant _HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev The history contract answers for the last 8,191 blocks before the current block
    /// (HISTORY_SERVE_WINDOW in EIP-2935).
    uint256 private constant _HISTORY_WINDOW = 8191;
    /// @dev BLOCKHASH answers for the last 256 blocks before the current block.
    uint256 private constant _BLOCKHASH_WINDOW = 256;

    /// @dev Returns the number and the hash of the block that decides a draw.
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
