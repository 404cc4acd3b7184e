// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Duel} from "../../Duel.sol";
import {IDuel} from "../../IDuel.sol";
import {ISessions} from "../../ISessions.sol";
import {ITicTacToe} from "./ITicTacToe.sol";

/// @title The functions and the rules of tic-tac-toe
contract TicTacToe is ITicTacToe, Duel {
    /// @dev The contents of `MatchState.game`, from the lowest bits up. `offer` and `winner`
    /// contain a player's mark, or 0 if there is none. `opener` is the seat that opened the match.
    struct Grid {
        uint16 host;
        uint16 challenger;
        uint8 offer;
        uint8 winner;
        uint8 opener;
        uint48 rematch;
    }

    uint256 private constant _CHALLENGER_SHIFT = 9;
    uint256 private constant _OFFER_SHIFT = 18;
    uint256 private constant _WINNER_SHIFT = 20;
    uint256 private constant _OPENER_SHIFT = 22;
    uint256 private constant _REMATCH_SHIFT = 24;

    uint16 private constant _SIDE = 3;
    uint16 private constant _ALL_CELLS = 0x1ff;
    /// @dev The eight lines that win, as bitmaps of 12 bits each: rows, columns, diagonals.
    uint96 private constant _LINES = 0x007_038_1c0_049_092_124_111_054;

    /// @dev The number of the last match between a host and a challenger. This match can be
    /// finished or cancelled.
    mapping(address host => mapping(address challenger => uint48 matchId)) private _lastMatches;

    constructor(ISessions sessions, uint48 firstMatch) Duel(sessions, firstMatch) {}

    /// @inheritdoc ITicTacToe
    function create(address challenger, uint24 clock) external nonReentrant returns (uint48 matchId) {
        address host = _account();
        MatchState memory state;
        (matchId, state) = _openDuel(host, 0, challenger, clock, 0, 0);
        if (challenger != address(0)) _setLiveMatch(matchId, host, challenger);
        _save(matchId, state);
    }

    /// @inheritdoc ITicTacToe
    function accept(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        _accept(matchId, state, _account()); // for an invited session key, the account that the key serves
    }

    // The row and the column are below 3.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @inheritdoc ITicTacToe
    function move(uint48 matchId, uint32 ply, uint16 row, uint16 column) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address mover = _requireTurn(matchId, state, ply);
        if (row >= _SIDE || column >= _SIDE) revert BadCell(row, column);
        Grid memory grid = _grid(state);
        uint16 cell = uint16(1 << (row * _SIDE + column));
        if ((grid.host | grid.challenger) & cell != 0) revert CellTaken(row, column);

        uint8 mark = state.mover + 1;
        uint16 own = mark == 1 ? (grid.host |= cell) : (grid.challenger |= cell);
        emit Moved(matchId, ++state.seq, ply, mover, uint8(row), uint8(column), mark);
        state.ply = ply + 1;
        state.mover = 1 - state.mover;
        grid.offer = 0;
        _restartClock(state);

        uint16 line = _completeLines(own);
        if (line != 0) {
            emit GameWon(matchId, ++state.seq, mover, line);
            _finish(matchId, state, grid, mark, Reason.Won);
        } else if (grid.host | grid.challenger == _ALL_CELLS) {
            _finish(matchId, state, grid, 0, Reason.Draw);
        }
        _save(matchId, state, grid);
    }

    /// @inheritdoc ITicTacToe
    function rematch(uint48 matchId) external nonReentrant returns (uint48 next) {
        MatchState memory state = _load(matchId);
        Grid memory grid = _grid(state);
        next = grid.rematch;
        if (next == 0) _requireStatus(matchId, state, Status.Finished);
        address account = _player(matchId);
        if (next == 0) {
            (next,) = _openRematch(matchId, state, grid, account, grid.winner == 2 ? 0 : 1);
            _save(matchId, state, grid);
        } else {
            MatchState memory other = _load(next);
            if (other.status != Status.Open || account == _openerOf(next, other)) revert RematchExists(matchId, next);
            _accept(next, other, account);
        }
    }

    /// @inheritdoc ITicTacToe
    function offerRestart(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address account = _player(matchId);
        Grid memory grid = _grid(state);
        if (grid.offer != 0) revert AlreadyOffered(matchId);
        grid.offer = _seatOf(matchId, account) + 1;
        emit RestartOffered(matchId, ++state.seq, account, state.ply);
        _save(matchId, state, grid);
    }

    /// @inheritdoc ITicTacToe
    function acceptRestart(uint48 matchId, uint32 ply) external nonReentrant returns (uint48 next) {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address account = _player(matchId);
        if (ply != state.ply) revert StaleMove(state.ply, ply);
        Grid memory grid = _grid(state);
        uint8 seat = _seatOf(matchId, account);
        if (grid.offer != 2 - seat) revert NoOffer(matchId);
        _finish(matchId, state, grid, 0, Reason.Cancelled);
        _save(matchId, state, grid); // saved first, because `_openRematch` reverts if an unfinished match exists

        MatchState memory other;
        (next, other) = _openRematch(matchId, state, grid, account, 0);
        _save(matchId, state, grid);
        _accept(next, other, _playerAt(matchId, 1 - seat));
    }

    /// @inheritdoc ITicTacToe
    function close(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address opener = _openerOf(matchId, state);
        if (msg.sender != opener) {
            address account = _account();
            if (account != opener) revert NotAPlayer(matchId, account);
        }
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    /// @inheritdoc ITicTacToe
    function resign(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        address account = _player(matchId);
        Grid memory grid = _grid(state);
        _finish(matchId, state, grid, 2 - _seatOf(matchId, account), Reason.Resigned);
        _save(matchId, state, grid);
    }

    /// @inheritdoc IDuel
    function claimTimeout(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        _requireTimeout(matchId, state);
        Grid memory grid = _grid(state);
        _finish(matchId, state, grid, 2 - state.mover, Reason.Timeout);
        _save(matchId, state, grid);
    }

    /// @inheritdoc ITicTacToe
    function board(uint48 matchId) external view returns (BoardView memory) {
        MatchState memory state = _load(matchId);
        Grid memory grid = _grid(state);
        return BoardView(
            state.seq,
            state.status,
            state.reason,
            state.ply,
            state.clock,
            state.deadline,
            _playerAt(matchId, 0),
            _playerAt(matchId, 1),
            state.status == Status.Playing ? _playerAt(matchId, state.mover) : address(0),
            grid.host,
            grid.challenger,
            _playerWithMark(matchId, grid.winner),
            _playerWithMark(matchId, grid.offer),
            grid.rematch
        );
    }

    /// @inheritdoc ITicTacToe
    function liveMatch(address host, address challenger) public view returns (uint48 matchId) {
        matchId = _lastMatches[host][challenger];
        if (matchId == 0) return 0;
        Status status = _load(matchId).status;
        if (status != Status.Open && status != Status.Playing) return 0;
    }

    // ---- the start of a match

    /// @dev Gives the account the seat that the opener left free, starts the match and saves it.
    function _accept(uint48 matchId, MatchState memory state, address account) private {
        _join(matchId, state, 1 - _grid(state).opener, account);
        _setLiveMatch(matchId, _playerAt(matchId, 0), _playerAt(matchId, 1));
        _save(matchId, state);
    }

    // The seat is 0 or 1.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Opens a rematch, saves it and stores its number in the old match. The calling function
    /// must save the old match.
    /// @param hostSeat the seat, in the old match, of the player who moves first in the rematch
    function _openRematch(uint48 matchId, MatchState memory state, Grid memory grid, address opener, uint8 hostSeat)
        private
        returns (uint48 next, MatchState memory other)
    {
        address[2] memory players = [_playerAt(matchId, hostSeat), _playerAt(matchId, 1 - hostSeat)];
        uint8 seat = opener == players[0] ? 0 : 1;
        (next, other) = _openDuel(opener, seat, players[1 - seat], state.clock, 0, matchId);
        _setLiveMatch(next, players[0], players[1]);
        other.game = uint104(uint256(seat) << _OPENER_SHIFT);
        _save(next, other);
        grid.rematch = next;
        emit RematchOpened(matchId, ++state.seq, opener, next);
    }

    /// @dev Records the match as the current match of the two accounts. Reverts with GameExists if
    /// they have another unfinished match with this host.
    function _setLiveMatch(uint48 matchId, address host, address challenger) private {
        uint48 live = liveMatch(host, challenger);
        if (live == matchId) return;
        if (live != 0) revert GameExists(live);
        _lastMatches[host][challenger] = matchId;
    }

    function _openerOf(uint48 matchId, MatchState memory state) private view returns (address) {
        return _playerAt(matchId, _grid(state).opener);
    }

    // ---- the end of a match

    /// @dev Ends the match.
    /// @param mark the winner's mark, or 0 if there is no winner
    function _finish(uint48 matchId, MatchState memory state, Grid memory grid, uint8 mark, Reason reason) private {
        grid.winner = mark;
        grid.offer = 0;
        _end(matchId, state, _playerWithMark(matchId, mark), reason);
    }

    // The mask leaves nine bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the cells of all complete lines in a set of cells, or 0 if it contains no
    /// complete line.
    function _completeLines(uint16 cells) private pure returns (uint16 line) {
        for (uint256 lines = _LINES; lines != 0; lines >>= 12) {
            uint16 one = uint16(lines & _ALL_CELLS);
            if (cells & one == one) line |= one;
        }
    }

    /// @dev Returns the account that plays this mark; mark 0 means the zero address.
    function _playerWithMark(uint48 matchId, uint8 mark) private view returns (address) {
        return mark == 0 ? address(0) : _playerAt(matchId, mark - 1);
    }

    // ---- the bits of MatchState.game

    // The masks and the last shift leave only the bits of the field.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _grid(MatchState memory state) private pure returns (Grid memory grid) {
        uint256 packed = state.game;
        grid.host = uint16(packed & _ALL_CELLS);
        grid.challenger = uint16((packed >> _CHALLENGER_SHIFT) & _ALL_CELLS);
        grid.offer = uint8((packed >> _OFFER_SHIFT) & 3);
        grid.winner = uint8((packed >> _WINNER_SHIFT) & 3);
        grid.opener = uint8((packed >> _OPENER_SHIFT) & 1);
        grid.rematch = uint48(packed >> _REMATCH_SHIFT);
    }

    function _save(uint48 matchId, MatchState memory state, Grid memory grid) private {
        state.game = uint104(
            uint256(grid.host) | (uint256(grid.challenger) << _CHALLENGER_SHIFT) | (uint256(grid.offer) << _OFFER_SHIFT)
                | (uint256(grid.winner) << _WINNER_SHIFT) | (uint256(grid.opener) << _OPENER_SHIFT)
                | (uint256(grid.rematch) << _REMATCH_SHIFT)
        );
        _save(matchId, state);
    }
}
