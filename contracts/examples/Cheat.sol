// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToucheCoule} from "../src/games/IToucheCoule.sol";

/// @title A player that tries to choose its luck
/// @notice It plays a turn, looks at what came out and reverts when it dislikes it. Called without a transaction it
/// foresees: `bench/captains.py` measures what each way of cheating wins.
contract Cheat {
    /// @notice The volley sinks more of mine than of theirs.
    error Disliked(int256 score);

    IToucheCoule public immutable GAME;

    constructor(IToucheCoule game) {
        GAME = game;
    }

    function register(uint48 matchId) external {
        GAME.register(matchId);
    }

    function changePosition(uint48 matchId) external {
        GAME.changePosition(matchId);
    }

    function communicate(uint48 matchId) external {
        GAME.communicate(matchId);
    }

    /// @notice Plays the turn, whatever comes out.
    /// @return score rivals' ships sunk less own ships sunk
    function play(uint48 matchId, uint32 turnNo) public returns (int256 score) {
        int256 before = _balance(matchId);
        GAME.turn(matchId, turnNo);
        return _balance(matchId) - before;
    }

    /// @notice Plays the turn, or reverts when it dislikes what came out.
    function playIfLiked(uint48 matchId, uint32 turnNo) external {
        int256 score = play(matchId, turnNo);
        if (score < 0) revert Disliked(score);
    }

    /// @notice What would come out if its ships communicated first.
    function playAfterTalk(uint48 matchId, uint32 turnNo) external returns (int256 score) {
        GAME.communicate(matchId);
        return play(matchId, turnNo);
    }

    function _balance(uint48 matchId) private view returns (int256 balance) {
        IToucheCoule.ShipView[] memory ships = GAME.board(matchId).ships;
        for (uint256 i; i < ships.length; ++i) {
            if (ships[i].afloat) balance += ships[i].owner == address(this) ? int256(1) : -1;
        }
    }
}
