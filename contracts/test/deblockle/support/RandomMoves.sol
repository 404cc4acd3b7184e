// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDeblockle} from "../../../src/games/deblockle/IDeblockle.sol";
import {DeblockleFixture} from "./DeblockleFixture.sol";

/// @title Plays random legal moves
abstract contract RandomMoves is DeblockleFixture {
    /// @dev Plays a random legal roll or hop as the player to move, or passes if there is none. A
    /// roll that removes a cube comes first.
    function _moveAtRandom(uint256 random) internal {
        IDeblockle.BoardView memory board = _board();
        uint256 moves = board.phase == IDeblockle.Phase.Hop ? board.hops : board.rolls;
        if (moves == 0) return _pass();
        uint256 choice = _bit(moves, random);
        if (board.phase == IDeblockle.Phase.Hop) {
            return _move(_squareOf(board, board.hopper), _square(choice));
        }
        uint256 seat = board.mover == ANNE ? 0 : 1;
        for (uint256 bit; bit < 16; ++bit) {
            uint8 from = _squareOf(board, uint8(4 * seat + bit / 4));
            if (moves >> bit & 1 == 1 && _beside(from, bit % 4) == _star(seat)) choice = bit;
        }
        uint8 start = _squareOf(board, uint8(4 * seat + choice / 4));
        _move(start, _beside(start, choice % 4));
    }

    /// @dev Returns the index of a bit that is set, chosen by a random number.
    function _bit(uint256 mask, uint256 random) private pure returns (uint256 index) {
        index = random % 64;
        while (mask >> index & 1 == 0) {
            index = (index + 1) % 64;
        }
    }
}
