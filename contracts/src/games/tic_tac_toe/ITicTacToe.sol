// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Tic-tac-toe: three in a row on a 3 x 3 grid
/// @notice Seat 0, the host, plays mark 1 and moves first. Seat 1, the challenger, plays mark 2.
/// Two accounts can have only one unfinished match with the same host. Cells are numbered `row * 3
/// + column`, and (0, 0) is the top left cell. A set of cells is a bitmap: bit i is cell i.
interface ITicTacToe is IDuel {
    /// @notice The complete state of a match.
    /// @param ply the number of moves so far, which the next `move` must name
    /// @param clock the seconds for one move; 0 means no limit
    /// @param deadline the time from which anyone can claim the timeout, in seconds since 1970, or
    /// 0 if no clock is running
    /// @param host the player in seat 0; in an open rematch, this can be the invited account
    /// @param challenger the player in seat 1; in an open match, this can be the invited account,
    /// and the zero address means anyone
    /// @param mover the player to move, or the zero address if the match is not in progress
    /// @param hostCells the cells with mark 1
    /// @param challengerCells the cells with mark 2
    /// @param winner the player who won, or the zero address if there is no winner
    /// @param offeredBy the player who offers a restart, or the zero address if there is no offer
    /// @param rematch the number of the match that repeats this match, or 0 if there is none
    struct BoardView {
        uint32 seq;
        Status status;
        Reason reason;
        uint32 ply;
        uint24 clock;
        uint40 deadline;
        address host;
        address challenger;
        address mover;
        uint16 hostCells;
        uint16 challengerCells;
        address winner;
        address offeredBy;
        uint48 rematch;
    }

    /// @notice Emitted when a player sets a mark.
    /// @param ply the number of earlier moves in the match
    /// @param mark 1 for the host, 2 for the challenger
    event Moved(
        uint48 indexed matchId, uint32 seq, uint32 ply, address indexed by, uint8 row, uint8 column, uint8 mark
    );

    /// @notice Emitted when a player has three in a row. The event `MatchEnded` follows.
    /// @param line the cells of the completed line, or of both lines if the move completed two
    event GameWon(uint48 indexed matchId, uint32 seq, address indexed winner, uint16 line);

    /// @notice Emitted when a player offers to restart the match. The offer ends with the next
    /// move.
    event RestartOffered(uint48 indexed matchId, uint32 seq, address indexed by, uint32 ply);

    /// @notice Emitted in the old match when its rematch is opened. If `rematch` opened it, the new
    /// match waits for the other player. If `acceptRestart` opened it, the new match starts at
    /// once.
    event RematchOpened(uint48 indexed matchId, uint32 seq, address indexed by, uint48 rematch);

    /// @notice The two accounts already have an unfinished match with this host.
    error GameExists(uint48 matchId);
    /// @notice The row or the column is not 0, 1 or 2.
    error BadCell(uint16 row, uint16 column);
    /// @notice The cell already holds a mark.
    error CellTaken(uint16 row, uint16 column);
    /// @notice The match already has a rematch.
    error RematchExists(uint48 matchId, uint48 rematch);
    /// @notice The other player has not offered a restart, or the offer has ended.
    error NoOffer(uint48 matchId);
    /// @notice A player has already offered to restart the match. If it was the other player,
    /// accept the offer instead.
    error AlreadyOffered(uint48 matchId);

    /// @notice Opens a match in which the caller is the host.
    /// @param challenger the account that may accept; the zero address means anyone
    /// @param clock the seconds for one move, from 30 seconds to 30 days; 0 means no limit
    function create(address challenger, uint24 clock) external returns (uint48 matchId);

    /// @notice Takes the second seat of an open match. The match starts, and the host's clock
    /// starts to run.
    function accept(uint48 matchId) external;

    /// @notice Sets the caller's mark on a cell.
    /// @param ply the number of moves so far
    function move(uint48 matchId, uint32 ply, uint16 row, uint16 column) external;

    /// @notice Opens a rematch of a finished match, with the same clock. The host of the rematch is
    /// the loser or, after a draw, the challenger. To join the rematch, the other player can call
    /// `accept` on the new match or this function on the old match.
    function rematch(uint48 matchId) external returns (uint48);

    /// @notice Offers to restart the match. The offer ends with the next move.
    function offerRestart(uint48 matchId) external;

    /// @notice Accepts the other player's offer to restart. This match ends with the status
    /// Cancelled. Its rematch starts at once with the same host.
    /// @param ply the number of moves so far
    function acceptRestart(uint48 matchId, uint32 ply) external returns (uint48);

    /// @notice Cancels an open match. Only the account that opened the match may call this
    /// function.
    function close(uint48 matchId) external;

    /// @notice Resigns from the match. The other player wins.
    function resign(uint48 matchId) external;

    /// @notice Returns the complete state of a match, for example to check a displayed board.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the unfinished match that two accounts have with this host, or 0 if there is
    /// none. A match that is still open to anyone doesn't count.
    function liveMatch(address host, address challenger) external view returns (uint48 matchId);
}
