// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Chooses the block whose hash decides a draw, so that nobody can repeat the draw
/// @notice The block stays the same for a span of blocks: a caller who dislikes the result has to
/// wait for the next span.
/// A span is as long as the chain remembers hashes. It has 8,191 blocks if the history contract of
/// EIP-2935 answers (https://eips.ethereum.org/EIPS/eip-2935), otherwise the 256 blocks of
/// BLOCKHASH.
/// @dev Each draw calls the history contract again. The constructor can't decide this once, because
/// a contract outlives forks, and a node that loses the history must not freeze a match. The chain
/// alone decides which span counts; a caller can't change it. Only the chain writes the history.
/// The call gets all gas but 1/64, so a caller who provides too little gas for the answer leaves
/// too little for anything else. Anybody can deploy the history contract to a chain that doesn't
/// fill it, but it answers 0 there. A history that began after the anchor also answers 0 during the
/// anchor's first span of 8,191 blocks. It is used from the second span on.
library Entropy {
    /// @dev HISTORY_STORAGE_ADDRESS of EIP-2935.
    address private constant _HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev HISTORY_SERVE_WINDOW of EIP-2935: it answers for blocks `now - 8191` to `now - 1`.
    uint256 private constant _HISTORY_WINDOW = 8191;
    /// @dev BLOCKHASH answers for blocks `now - 256` to `now - 1`.
    uint256 private constant _BLOCKHASH_WINDOW = 256;

    /// @param first the first block that may decide; it must exist already
    /// @return number the block that decides; its hash is always available
    /// @return seed its hash
    function seedSince(uint256 first) internal view returns (uint40 number, bytes32 seed) {
        number = _spanStart(first, _HISTORY_WINDOW);
        seed = _historyHash(number);
        if (seed == 0) {
            number = _spanStart(first, _BLOCKHASH_WINDOW);
            seed = blockhash(number);
        }
    }

    /// @return seed hash of a block that exists already; 0 if neither the history nor BLOCKHASH
    /// reaches back to it
    function hashOf(uint256 height) internal view returns (bytes32 seed) {
        seed = _historyHash(height);
        if (seed == 0) seed = blockhash(height);
    }

    /// @dev The newest block that is a whole number of spans after `first`: `now - span` to `now -
    /// 1`.
    function _spanStart(uint256 first, uint256 span) private view returns (uint40) {
        uint256 elapsed = block.number - 1 - first;
        return uint40(first + elapsed - (elapsed % span));
    }

    /// @dev Returns 0 if the hash is unknown. The history is part of the state, so a node's restart
    /// doesn't change it. Anvil's BLOCKHASH changes with a restart.
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
