// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";

/// @title Decides the outcome of a match of Battleship from the reveals
library Settlement {
    /// @dev The settlement of a match. Arrays are indexed by seat.
    /// @param winner the winner's seat + 1, or 0 if there is no winner (yet)
    struct State {
        bool revealing;
        uint8 loser;
        IMatch.Reason cause;
        uint8 winner;
        bool[2] revealed;
        uint8[2] faults;
        bool[2] withdrawn;
    }

    uint256 private constant _LOSER_SHIFT = 1;
    uint256 private constant _CAUSE_SHIFT = 2;
    uint256 private constant _WINNER_SHIFT = 5;
    uint256 private constant _REVEALED_SHIFT = 7;
    uint256 private constant _FAULTS_SHIFT = 9;
    uint256 private constant _WITHDRAWN_SHIFT = 15;

    function pack(State memory state) internal pure returns (uint104) {
        return uint104(
            _bit(state.revealing) | (uint256(state.loser) << _LOSER_SHIFT) | (uint256(state.cause) << _CAUSE_SHIFT)
                | (uint256(state.winner) << _WINNER_SHIFT) | (_bit(state.revealed[0]) << _REVEALED_SHIFT)
                | (_bit(state.revealed[1]) << (_REVEALED_SHIFT + 1)) | (uint256(state.faults[0]) << _FAULTS_SHIFT)
                | (uint256(state.faults[1]) << (_FAULTS_SHIFT + 3)) | (_bit(state.withdrawn[0]) << _WITHDRAWN_SHIFT)
                | (_bit(state.withdrawn[1]) << (_WITHDRAWN_SHIFT + 1))
        );
    }

    function unpack(uint256 packed) internal pure returns (State memory state) {
        state.revealing = packed & 1 == 1;
        state.loser = uint8((packed >> _LOSER_SHIFT) & 1);
        state.cause = IMatch.Reason(uint8((packed >> _CAUSE_SHIFT) & 7));
        state.winner = uint8((packed >> _WINNER_SHIFT) & 3);
        for (uint256 seat; seat < 2; ++seat) {
            state.revealed[seat] = (packed >> (_REVEALED_SHIFT + seat)) & 1 == 1;
            state.faults[seat] = uint8((packed >> (_FAULTS_SHIFT + 3 * seat)) & 7);
            state.withdrawn[seat] = (packed >> (_WITHDRAWN_SHIFT + seat)) & 1 == 1;
        }
    }

    /// @dev Returns the outcome of a match after the reveals. Only a player with a valid reveal can
    /// win. The declared winner always wins with a valid reveal. Otherwise the declared loser wins
    /// if the opponent's reveal was invalid. If the opponent didn't reveal, the declared loser wins
    /// after 17 hits, but nobody wins after a surrender or a timeout. Otherwise, a player could win
    /// by giving up.
    /// @return winner the winner's seat + 1, or 0 if there is no winner
    function outcome(State memory state) internal pure returns (uint8 winner, IMatch.Reason reason) {
        uint8 loser = state.loser;
        uint8 other = 1 - loser;
        if (_hasValidReveal(state, other)) {
            return (1 + other, _hasInvalidReveal(state, loser) ? IMatch.Reason.CheatingProved : state.cause);
        }
        if (_hasValidReveal(state, loser)) {
            if (_hasInvalidReveal(state, other)) return (1 + loser, IMatch.Reason.CheatingProved);
            return (state.cause == IMatch.Reason.Won ? 1 + loser : 0, IMatch.Reason.Timeout);
        }
        bool cheated = _hasInvalidReveal(state, loser) || _hasInvalidReveal(state, other);
        return (0, cheated ? IMatch.Reason.CheatingProved : IMatch.Reason.Timeout);
    }

    function _hasValidReveal(State memory state, uint8 seat) private pure returns (bool) {
        return state.revealed[seat] && state.faults[seat] == 0;
    }

    function _hasInvalidReveal(State memory state, uint8 seat) private pure returns (bool) {
        return state.faults[seat] != 0;
    }

    function _bit(bool value) private pure returns (uint256) {
        return value ? 1 : 0;
    }
}
