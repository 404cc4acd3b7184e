// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";

/// @title The settlement of Battleship after the last shot: reveals, verdict, payments
library Settlement {
    /// @dev Arrays are by seat.
    /// @param winner 1 + the winner's seat; 0 = none (yet)
    struct State {
        bool revealing;
        uint8 loser;
        IMatch.Reason cause;
        uint8 winner;
        bool[2] revealed;
        uint8[2] faults;
        bool[2] withdrawn;
    }

    uint256 private constant _LOSER = 1;
    uint256 private constant _CAUSE = 2;
    uint256 private constant _WINNER = 5;
    uint256 private constant _REVEALED = 7;
    uint256 private constant _FAULTS = 9;
    uint256 private constant _WITHDRAWN = 15;

    function pack(State memory state) internal pure returns (uint104) {
        return
            uint104(
                _bit(state.revealing) |
                    (uint256(state.loser) << _LOSER) |
                    (uint256(state.cause) << _CAUSE) |
                    (uint256(state.winner) << _WINNER) |
                    (_bit(state.revealed[0]) << _REVEALED) |
                    (_bit(state.revealed[1]) << (_REVEALED + 1)) |
                    (uint256(state.faults[0]) << _FAULTS) |
                    (uint256(state.faults[1]) << (_FAULTS + 3)) |
                    (_bit(state.withdrawn[0]) << _WITHDRAWN) |
                    (_bit(state.withdrawn[1]) << (_WITHDRAWN + 1))
            );
    }

    function unpack(uint256 packed) internal pure returns (State memory state) {
        state.revealing = packed & 1 == 1;
        state.loser = uint8((packed >> _LOSER) & 1);
        state.cause = IMatch.Reason(uint8((packed >> _CAUSE) & 7));
        state.winner = uint8((packed >> _WINNER) & 3);
        for (uint256 seat; seat < 2; ++seat) {
            state.revealed[seat] = (packed >> (_REVEALED + seat)) & 1 == 1;
            state.faults[seat] = uint8((packed >> (_FAULTS + 3 * seat)) & 7);
            state.withdrawn[seat] = (packed >> (_WITHDRAWN + seat)) & 1 == 1;
        }
    }

    /// @dev The declared winner wins by a valid reveal. The declared loser wins if the opponent's
    /// reveal was invalid or, after 17 hits, if the opponent didn't reveal. Waiting can't turn a
    /// surrender or a timeout into a win.
    /// @return winner 1 + the winner's seat; 0 = none
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
