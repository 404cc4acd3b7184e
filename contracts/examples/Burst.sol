// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISessions} from "../src/ISessions.sol";
import {TicTacToe} from "../src/games/TicTacToe.sol";

/// @title Tic-tac-toe in which as many marks are set at once as one likes
/// @notice `bench/live.py` puts this code in the place of the game's, whose storage it shares, and measures how fast a
/// block full of events reaches those who watch.
contract Burst is TicTacToe {
    uint256 private constant _SIDE = 3;
    uint256 private constant _CELLS = 9;

    constructor(ISessions sessions, uint48 firstMatch) TicTacToe(sessions, firstMatch) {}

    /// @notice Marks cell after cell, both players in turn, over and over.
    function burst(uint48 matchId, uint256 marks) external nonReentrant {
        Head memory head = _head(matchId);
        for (uint256 each = 0; each < marks; ++each) {
            (uint256 cell, uint8 seat) = (head.ply % _CELLS, uint8(head.ply % 2));
            emit Moved(
                matchId,
                ++head.seq,
                head.ply++,
                _at(matchId, seat),
                uint8(cell / _SIDE),
                uint8(cell % _SIDE),
                seat + 1
            );
        }
        _save(matchId, head);
    }
}
