// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Chooses the block whose hash decides a random draw, so that nobody can repeat the draw
/// @notice The chosen block stays the same for a whole span of blocks. A caller who dislikes the
/// result has to wait for the next span. A span is as long as the chain remembers block hashes. The
/// span has 8,191 blocks if the history contract of EIP-2935 answers
/// (https://eips.ethereum.org/EIPS/eip-2935). Otherwise, it has the 256 blocks that BLOCKHASH
/// covers.
/// @dev Each draw calls the history contract again. The constructor can't decide once if the
/// history exists, because a contract outlives forks. A node that loses the history must not freeze
/// a match. A caller can't choose the span, because only the chain writes the history. The call
/// gets all gas but 1/64. If that is too little for an answer, the rest of the transaction runs out
/// of gas too. Anybody can deploy the history contract to a chain that doesn't fill it, but it
/// answers 0 there. If the history began after the block `first`, it also answers 0 during the
/// first span of 8,191 blocks. The library uses it from the second span on.
library Entropy {
    /// @dev HISTORY_STORAGE_ADDRESS of EIP-2935.
    address private constant _HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev HISTORY_SERVE_WINDOW of EIP-2935: the history contract answers for blocks `now - 8191`
    /// to `now - 1`.
    uint256 private constant _HISTORY_WINDOW = 8191;
    /// @dev BLOCKHASH answers for blocks `now - 256` to `now - 1`.
    uint256 private constant _BLOCKHASH_WINDOW = 256;

    /// @param first the first block that can decide the draw; it must exist already
    /// @return number the number of the deciding block, whose hash is always available
    /// @return seed the deciding block's hash
    function seedSince(uint256 first) internal view returns (uint40 number, bytes32 seed) {
        number = _spanStart(first, _HISTORY_WINDOW);
        seed = _historyHash(number);
        if (seed == 0) {
            number = _spanStart(first, _BLOCKHASH_WINDOW);
            seed = blockhash(number);
        }
    }

    /// @return seed the hash of an existing block; 0 if the block is too old for both the history
    /// and BLOCKHASH
    function hashOf(uint256 height) internal view returns (bytes32 seed) {
        seed = _historyHash(height);
        if (seed == 0) seed = blockhash(height);
    }

    /// @dev Returns the newest block that is a whole number of spans after `first`. It is one of
    /// the blocks `now - span` to `now - 1`.
    function _spanStart(uint256 first, uint256 span) private view returns (uint40) {
        uint256 elapsed = block.number - 1 - first;
        return uint40(first + elapsed - (elapsed % span));
    }

    /// @dev Returns 0 if the hash is unknown. Unlike Anvil's BLOCKHASH, the history survives a
    /// node's restart, because it is part of the chain's state.
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
