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
        Head memory head;
        (matchId, head) = _invite(_account(), 0, opponent, clock, 0, 0);
        head.game = HEAP;
        _save(matchId, head);
    }

    /// @notice Takes the other seat.
    function join(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _join(matchId, head, 1, _account());
        _save(matchId, head);
    }

    /// @notice Takes one to three stones. `ply`: the number of moves made so far.
    function take(uint48 matchId, uint32 ply, uint8 stones) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        address mover = _turn(matchId, head, ply);
        uint8 left = uint8(head.game);
        uint8 most = left < MOST ? left : MOST;
        if (stones == 0 || stones > most) revert BadTake(stones, most);
        left -= stones;
        head.game = left;
        head.ply++;
        emit Taken(matchId, ++head.seq, ply, mover, stones, left);
        if (left == 0) {
            _end(matchId, head, mover, Reason.Won);
        } else {
            head.mover = 1 - head.mover;
            _restartClock(head);
        }
        _save(matchId, head);
    }

    /// @notice Gives the match to the other player, at any time.
    function resign(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        _lose(matchId, head, _seatOf(matchId, _player(matchId)), Reason.Resigned);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        Head memory head = _head(matchId);
        _need(matchId, head, Status.Playing);
        _needTimeout(matchId, head);
        _lose(matchId, head, head.mover, Reason.Timeout);
    }

    /// @notice The whole match.
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        Head memory head = _head(matchId);
        shown.seq = head.seq;
        shown.status = head.status;
        shown.reason = head.reason;
        shown.ply = head.ply;
        shown.clock = head.clock;
        shown.deadline = head.deadline;
        shown.players = [_at(matchId, 0), _at(matchId, 1)];
        shown.stones = uint8(head.game);
        if (head.status == Status.Playing) shown.mover = _at(matchId, head.mover);
        if (head.status == Status.Finished) shown.winner = _at(matchId, head.mover);
    }

    /// @dev At the end `mover` is the winner's seat. Nim knows no draw; a game that does asks `head.reason`, too.
    function _lose(uint48 matchId, Head memory head, uint8 seat, Reason reason) private {
        head.mover = 1 - seat;
        _end(matchId, head, _at(matchId, head.mover), reason);
        _save(matchId, head);
    }
}
