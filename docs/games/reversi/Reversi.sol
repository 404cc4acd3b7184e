// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {Match} from "../../Match.sol";

/// @title Reversi on a board of 8 x 8 cells
/// @notice A move lays a disc, and turns over the opponent's discs that the new disc encloses.
/// @dev A set of cells is a mask, in which the bit `row * 8 + column` stands for a cell. Rows and
/// columns are counted from the top left.
contract Reversi is Duel {
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
        uint64[2] discs;
        address winner;
    }

    /// @notice A player laid a disc. The discs in the cells of the mask `turned` now have the new
    /// disc's colour.
    event Moved(uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 cell, uint64 turned);

    /// @notice The player `by` can't move, so the opponent moves again.
    event Passed(uint48 indexed matchId, uint32 seq, address indexed by);

    /// @notice The cell is taken or off the board, or a disc there would not enclose any of the
    /// opponent's discs.
    error BadCell(uint8 cell);

    uint64 private constant _BLACK = 0x0000000810000000;
    uint64 private constant _WHITE = 0x0000001008000000;
    /// @dev The cells of all columns but the outer two. No horizontal or diagonal line can enclose
    /// a disc in an outer column.
    uint64 private constant _INNER = 0x7e7e7e7e7e7e7e7e;
    uint256 private constant _WHITE_AT = 64;

    /// @dev The discs by match. A match needs one storage slot: black's discs are the lower 64
    /// bits, white's the next 64 bits. Seat 0 is black.
    mapping(uint48 matchId => uint256 discs) private _discs;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @notice Opens a match. The caller moves first.
    /// @param opponent the account that may join; the zero address means anyone
    function create(address opponent, uint24 clock) external nonReentrant returns (uint48 matchId) {
        MatchState memory state;
        (matchId, state) = _openDuel(_account(), 0, opponent, clock, 0, 0);
        _discs[matchId] = _BLACK | (uint256(_WHITE) << _WHITE_AT);
        _save(matchId, state);
    }

    /// @notice Joins a match in the second seat.
    function join(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _join(matchId, state, 1, _account());
        _save(matchId, state);
    }

    /// @notice Lays a disc on a cell.
    /// @param ply the number of moves in the match so far
    function move(uint48 matchId, uint32 ply, uint8 cell) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address mover = _requireTurn(matchId, state, ply);
        (uint64 own, uint64 other) = _of(matchId, state.mover);
        uint64 turned = flips(own, other, cell);
        if (turned == 0) revert BadCell(cell);
        own |= turned | (uint64(1) << cell);
        other &= ~turned;
        _discs[matchId] = state.mover == 0
            ? own | (uint256(other) << _WHITE_AT)
            : other | (uint256(own) << _WHITE_AT);
        state.ply++;
        emit Moved(matchId, ++state.seq, ply, mover, cell, turned);
        _next(matchId, state, own, other);
        _save(matchId, state);
    }

    /// @notice Returns the cells where the player with the discs `own` may lay a disc. `other`
    /// contains the opponent's discs.
    function legal(uint64 own, uint64 other) public pure returns (uint64 cells) {
        for (uint256 way = 0; way < 8; way++) {
            uint64 run = _run(own, other, way);
            cells |= _shift(run, way);
        }
        cells &= ~(own | other);
    }

    /// @notice Returns the opponent's discs (from `other`) that a new disc at `cell` turns, or 0 if
    /// the move is illegal.
    function flips(uint64 own, uint64 other, uint8 cell) public pure returns (uint64 turned) {
        if (cell >= 64) return 0;
        uint64 disc = uint64(1) << cell;
        if ((own | other) & disc != 0) return 0;
        for (uint256 way = 0; way < 8; way++) {
            uint64 run = _run(disc, other, way);
            if (_shift(run, way) & own != 0) turned |= run;
        }
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
        (shown.discs[0], shown.discs[1]) = _of(matchId, 0);
        if (state.status == Status.Playing) shown.mover = _playerAt(matchId, state.mover);
        if (state.status == Status.Finished && state.reason != Reason.Draw) {
            shown.winner = _playerAt(matchId, state.mover);
        }
    }

    /// @dev Gives the turn to the opponent. If the opponent can't move, the same player moves
    /// again. If neither player can move, the match ends and the player with more discs wins.
    function _next(uint48 matchId, MatchState memory state, uint64 own, uint64 other) private {
        uint8 next = 1 - state.mover;
        if (legal(other, own) == 0) {
            if (legal(own, other) == 0) {
                (uint256 mine, uint256 yours) = (_count(own), _count(other));
                if (mine < yours) state.mover = next;
                bool drawn = mine == yours;
                address winner = drawn ? address(0) : _playerAt(matchId, state.mover);
                return _end(matchId, state, winner, drawn ? Reason.Draw : Reason.Won);
            }
            emit Passed(matchId, ++state.seq, _playerAt(matchId, next));
        } else {
            state.mover = next;
        }
        _restartClock(state);
    }

    /// @dev Returns the discs of the player in this seat and the discs of the opponent.
    function _of(uint48 matchId, uint8 seat) private view returns (uint64 own, uint64 other) {
        uint256 discs = _discs[matchId];
        (own, other) = (uint64(discs), uint64(discs >> _WHITE_AT));
        if (seat == 1) (own, other) = (other, own);
    }

    /// @dev Returns the opponent's discs (from `other`) that form unbroken lines next to `cells`,
    /// in one direction. At most six discs fit between two cells at the edge.
    function _run(uint64 cells, uint64 other, uint256 way) private pure returns (uint64 run) {
        if (way % 4 != 1) other &= _INNER;
        run = other & _shift(cells, way);
        for (uint256 i = 0; i < 5; i++) run |= other & _shift(run, way);
    }

    /// @dev Moves all cells of a set by one step along a row, a column or a diagonal, forwards or
    /// backwards.
    function _shift(uint64 cells, uint256 way) private pure returns (uint64) {
        uint256 step = [uint256(1), 8, 7, 9][way % 4];
        return way < 4 ? cells << step : cells >> step;
    }

    /// @dev Returns the number of set bits in a mask.
    function _count(uint64 cells) private pure returns (uint256 count) {
        for (; cells != 0; cells &= cells - 1) count++;
    }

    /// @dev Returns the winner's account. At the end of a match, `mover` is the winner's seat.
    function _lose(uint48 matchId, MatchState memory state, uint8 seat, Reason reason) private {
        state.mover = 1 - seat;
        _end(matchId, state, _playerAt(matchId, state.mover), reason);
        _save(matchId, state);
    }
}
