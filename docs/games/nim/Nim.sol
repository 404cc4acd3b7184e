// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {Match} from "../../Match.sol";

/// @title Nim
/// @notice Players take turns to take one to three stones from a heap of 21. Whoever takes the last
/// stone wins.
contract Nim is Duel {
    /// @notice The state of a match. Clients compare it with the board that they display.
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

    /// @notice A player took stones. Afterwards, `left` stones remain.
    event Taken(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 stones, uint8 left);

    /// @notice A move must take 1 to `most` stones. `most` is three, or the number of stones left
    /// if fewer remain.
    error BadTake(uint8 stones, uint8 most);

    /// @notice The number of stones at the start of a match.
    uint8 public constant HEAP = 21;
    /// @notice The maximum number of stones per move.
    uint8 public constant MOST = 3;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @notice Opens a match. The caller moves first.
    /// @param opponent the account that may join; the zero address means anyone
    function create(address opponent, uint24 clock) external nonReentrant returns (uint48 matchId) {
        MatchState memory state;
        (matchId, state) = _openDuel(_account(), 0, opponent, clock, 0, 0);
        state.game = HEAP;
        _save(matchId, state);
    }

    /// @notice Joins a match in the second seat.
    function join(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _join(matchId, state, 1, _account());
        _save(matchId, state);
    }

    /// @notice Takes one to three stones.
    /// @param ply the number of moves in the match so far
    function take(uint48 matchId, uint32 ply, uint8 stones) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address mover = _requireTurn(matchId, state, ply);
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

    /// @notice Cancels a match that nobody has joined. Only its creator may do this.
    function close(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account(matchId);
        if (account != _playerAt(matchId, 0)) revert NotAPlayer(matchId, account);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @notice Resigns. This is possible at any time, and the opponent wins.
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

    /// @notice Returns the state of a match.
    function board(uint48 matchId) external view returns (BoardView memory shown) {
        MatchState memory state = _load(matchId);
        shown.seq = state.seq;
        shown.status = state.status;
        shown.reason = state.reason;
        shown.ply = state.ply;
        shown.clock = state.clock;
        shown.deadline = state.deadline;
        shown.players = [_playerAt(matchId, 0), _playerAt(matchId, 1)];
        shown.stones = uint8(state.game);
        if (state.status == Status.Playing) shown.mover = _playerAt(matchId, state.mover);
        if (state.status == Status.Finished) shown.winner = _playerAt(matchId, state.mover);
    }

    /// @dev Returns the winner's account. At the end of a match, `mover` is the winner's seat. Nim
    /// has no draws, but other games must also check `state.reason`.
    function _lose(uint48 matchId, MatchState memory state, uint8 seat, Reason reason) private {
        state.mover = 1 - seat;
        _end(matchId, state, _playerAt(matchId, state.mover), reason);
        _save(matchId, state);
    }
}
