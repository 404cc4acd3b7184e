// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {Match} from "../../Match.sol";

/// @title Nim: one heap of 21 stones; each takes one to three; who takes the last one wins
contract Nim is Duel {
    /// @notice The whole match, for comparing a shown board with the chain.
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint24 clock;
        uint40 deadline;
        address[2] players;
        address mover;
        uint8 stones;
        address winner;
    }

    /// @notice Stones were taken; `left` lie there still.
    event Taken(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 stones, uint8 left);

    /// @notice One to three stones, and no more than there are.
    error BadTake(uint8 stones, uint8 most);

    /// @notice Stones at the start.
    uint8 public constant HEAP = 21;
    /// @notice The most that one move may take.
    uint8 public constant MOST = 3;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @notice Opens a match; the caller begins. `opponent`: who may join, the zero address for anyone.
    function create(address opponent, uint24 clock) external nonReentrant returns (uint48 matchId) {
        MatchState memory state;
        (matchId, state) = _openFor(_account(), 0, opponent, clock, 0, 0);
        state.game = HEAP;
        _save(matchId, state);
    }

    /// @notice Takes the other seat.
    function join(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _join(matchId, state, 1, _account());
        _save(matchId, state);
    }

    /// @notice Takes one to three stones. `ply`: the number of moves made so far.
    function take(uint48 matchId, uint32 ply, uint8 stones) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address mover = _turn(matchId, state, ply);
        uint8 left = uint8(state.game);
        uint8 most = left < MOST ? left : MOST;
        if (stones == 0 || stones > most) revert BadTake(stones, most);
        left -= stones;
        state.game = left;
        state.ply++;
        emit Taken(matchId, ++state.seq, ply, mover, stones, left);
        if (left == 0) {
            _end(matchId, state, mover, Reason.Won);
        } else {
            state.mover = 1 - state.mover;
            _restartClock(state);
        }
        _save(matchId, state);
    }

    /// @notice Takes back a match that nobody has joined.
    function close(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account(matchId);
        if (account != _at(matchId, 0)) revert NotAPlayer(matchId, account);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @notice Gives the match to the other player, at any time.
    function resign(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        _lose(matchId, state, _seatOf(matchId, _player(matchId)), Reason.Resigned);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        _requireTimeout(matchId, state);
        _lose(matchId, state, state.mover, Reason.Timeout);
    }

    /// @notice The whole match.
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        MatchState memory state = _load(matchId);
        shown.seq = state.seq;
        shown.status = state.status;
        shown.reason = state.reason;
        shown.ply = state.ply;
        shown.clock = state.clock;
        shown.deadline = state.deadline;
        shown.players = [_at(matchId, 0), _at(matchId, 1)];
        shown.stones = uint8(state.game);
        if (state.status == Status.Playing) shown.mover = _at(matchId, state.mover);
        if (state.status == Status.Finished) shown.winner = _at(matchId, state.mover);
    }

    /// @dev At the end `mover` is the winner's seat. Nim knows no draw; a game that does asks `state.reason`, too.
    function _lose(uint48 matchId, MatchState memory state, uint8 seat, Reason reason) private {
        state.mover = 1 - seat;
        _end(matchId, state, _at(matchId, state.mover), reason);
        _save(matchId, state);
    }
}
