// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The block whose hash decides a draw that must not be drawn again
/// @notice The same block for a span of blocks, so that a caller who dislikes it has to wait for the next span. A span is
/// as long as the chain remembers hashes: 8,191 blocks where the history contract of EIP-2935 answers
/// (https://eips.ethereum.org/EIPS/eip-2935), else the 256 of BLOCKHASH.
/// @dev The history is asked at each draw, not once at the deployment: a contract outlives forks, and a node that no
/// longer has it must not freeze a match. Which span counts follows from the chain alone. Nobody who calls can switch
/// it: nobody but the chain writes the history; all gas but a 64th goes with the question, so a caller who gives too
/// little for the answer leaves too little for anything after it; a contract that stands there without a history (its
/// deployment can be sent to any chain) answers 0. A history that began after the anchor answers 0 as well: for that
/// anchor it counts from its second span of 8,191 blocks on.
library Entropy {
    /// @dev HISTORY_STORAGE_ADDRESS of EIP-2935.
    address private constant _HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// @dev HISTORY_SERVE_WINDOW of EIP-2935: it answers for blocks `now - 8191` to `now - 1`.
    uint256 private constant _HISTORY_REACH = 8191;
    /// @dev BLOCKHASH answers for blocks `now - 256` to `now - 1`.
    uint256 private constant _BLOCKHASH_REACH = 256;

    /// @param first the first block that may decide; it must be there already
    /// @return number the block that decides, always within reach
    /// @return seed its hash
    function since(uint256 first) internal view returns (uint40 number, bytes32 seed) {
        number = _last(first, _HISTORY_REACH);
        seed = _recorded(number);
        if (seed == 0) {
            number = _last(first, _BLOCKHASH_REACH);
            seed = blockhash(number);
        }
    }

    /// @return seed hash of one block that is there already; 0 when neither the history nor BLOCKHASH reaches back to it
    function hashOf(uint256 height) internal view returns (bytes32 seed) {
        seed = _recorded(height);
        if (seed == 0) seed = blockhash(height);
    }

    /// @dev The newest block that lies whole spans after the first one: `now - span` to `now - 1`.
    function _last(uint256 first, uint256 span) private view returns (uint40) {
        uint256 passed = block.number - 1 - first;
        return uint40(first + passed - (passed % span));
    }

    /// @dev From state, and so the same after a node's restart, which BLOCKHASH is not on Anvil. 0 when it isn't known.
    function _recorded(uint256 height) private view returns (bytes32 hash) {
        assembly ("memory-safe") {
            mstore(0x00, height)
            let answered := staticcall(gas(), _HISTORY, 0x00, 0x20, 0x00, 0x20)
            if and(answered, eq(returndatasize(), 0x20)) {
                hash := mload(0x00)
            }
        }
    }
}
