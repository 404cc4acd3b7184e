// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Entropy} from "../../Entropy.sol";
import {Match} from "../../Match.sol";
import {IConquest} from "./IConquest.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Derives random numbers from the hash of a block that doesn't exist yet when the random
/// draw is opened
library ConquestRandom {
    using TurnBits for uint104;

    uint8 internal constant ITEM_APPEARS = 0;
    uint8 internal constant ITEM_LAND = 1;
    uint8 internal constant ITEM_IS_FAT = 2;
    uint8 internal constant ITEM_IS_BONUS = 3;
    uint8 internal constant ITEM_KIND = 4;
    uint8 internal constant LOST_LAND = 5;
    uint8 internal constant LUCK = 6;
    uint8 internal constant FIRST_SEAT = 7;

    /// @dev The number of blocks from the block of a command to the first block in which its draw
    /// can be carried out. By then, the chain contains the deciding block.
    uint256 private constant _WAIT_BLOCKS = 2;

    /// @dev Closes the open draw. Reverts with TooSoon if the draw can't be carried out yet.
    /// @return seed the hash of the deciding block, or 0 if it is no longer available
    function seedOf(uint48 matchId, Match.MatchState memory state) internal returns (bytes32 seed) {
        (uint8 kind, uint40 anchor) = (state.game.draw(), state.game.anchor());
        if (block.number < anchor + _WAIT_BLOCKS) revert IConquest.TooSoon(block.number, anchor + _WAIT_BLOCKS);
        seed = Entropy.hashOf(anchor + 1);
        uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(state.game.trail(), seed))));
        state.game = state.game.closeDraw().setTrail(trail);
        emit IConquest.Drawn(matchId, ++state.seq, kind, anchor + 1, seed, trail);
    }

    /// @return a random number of 256 bits
    /// @param index the index of the number among the numbers for the same purpose
    function number(bytes32 seed, uint48 matchId, uint32 ply, uint8 purpose, uint8 index)
        internal
        pure
        returns (uint256)
    {
        return uint256(keccak256(abi.encodePacked(seed, matchId, ply, purpose, index)));
    }
}
