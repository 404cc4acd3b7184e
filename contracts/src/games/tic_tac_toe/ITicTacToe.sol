// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Tic-tac-toe: three in a row on a 3 x 3 grid
/// @notice Seat 0, the host, has mark 1 and moves first; seat 1, the challenger, has mark 2. Two
/// accounts have at most one unfinished match with the same host. Cells are `cell = row * 3 +
/// column`, (0, 0) is top left; a set of cells is a mask with bit `cell`.
interface ITicTacToe is IDuel {
    /// @notice A whole match.
    /// @param ply moves made so far, the number that the next `move` must name
    /// @param clock seconds for one move; 0 = no clock
    /// @param deadline time (seconds since 1970) from which anyone can claim the timeout; 0 = no
    /// clock is running
    /// @param host seat 0; perhaps only invited while the match is open
    /// @param challenger seat 1; while the match is open, the invited account, or the zero address
    /// for anyone
    /// @param mover the player to move; the zero address unless the match is being played
    /// @param hostCells the cells with mark 1
    /// @param challengerCells the cells with mark 2
    /// @param winner the zero address if there is none (yet)
    /// @param offeredBy the player who offers a restart; the zero address if there is no offer
    /// @param rematch the match that repeats this match; 0 = none
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

    /// @notice A player set a mark.
    /// @param ply the number of earlier moves
    /// @param mark 1 for the host, 2 for the challenger
    event Moved(
        uint48 indexed matchId,
        uint32 seq,
        uint32 ply,
        address indexed by,
        uint8 row,
        uint8 column,
        uint8 mark
    );

    /// @notice Three in a row. `MatchEnded` follows.
    /// @param line the cells of the line, or of both lines that this mark completed
    event GameWon(uint48 indexed matchId, uint32 seq, address indexed winner, uint16 line);

    /// @notice A player offers to start again. The offer stands until the next move.
    event RestartOffered(uint48 indexed matchId, uint32 seq, address indexed by, uint32 ply);

    /// @notice The match has a rematch: open after `rematch`, already started after
    /// `acceptRestart`.
    event RematchOpened(uint48 indexed matchId, uint32 seq, address indexed by, uint48 rematch);

    /// @notice The two accounts have an unfinished match with the same host.
    error GameExists(uint48 matchId);
    /// @notice Rows and columns are 0, 1 and 2.
    error BadCell(uint16 row, uint16 column);
    /// @notice The cell already holds a mark.
    error CellTaken(uint16 row, uint16 column);
    /// @notice A match has at most one rematch.
    error RematchExists(uint48 matchId, uint48 rematch);
    /// @notice The other player doesn't offer a restart, or no longer does.
    error NoOffer(uint48 matchId);
    /// @notice There is already an offer. If the other player made it, accept it instead.
    error AlreadyOffered(uint48 matchId);

    /// @notice Opens a match with the caller as host.
    /// @param challenger the account that may accept; the zero address for anyone
    /// @param clock seconds for one move, at most 30 days; 0 = no clock
    function create(address challenger, uint24 clock) external returns (uint48 matchId);

    /// @notice Takes the other seat of an open match. The match and the host's clock start.
    function accept(uint48 matchId) external;

    /// @notice Sets the caller's mark.
    /// @param ply the number of moves so far
    function move(uint48 matchId, uint32 ply, uint16 row, uint16 column) external;

    /// @notice Opens the rematch of a finished match, with the same clock. The other player may
    /// `accept` it, or call this function too. The loser is host; after a draw, the challenger is.
    function rematch(uint48 matchId) external returns (uint48);

    /// @notice Offers to start again. The offer stands until the next move.
    function offerRestart(uint48 matchId) external;

    /// @notice Accepts the other player's offer. This match ends as cancelled; its rematch starts
    /// with the same host.
    /// @param ply the number of moves so far
    function acceptRestart(uint48 matchId, uint32 ply) external returns (uint48);

    /// @notice Cancels an open match. Only the account that opened it may call this function.
    function close(uint48 matchId) external;

    /// @notice Resigns: the other player wins.
    function resign(uint48 matchId) external;

    /// @notice Returns the whole match, to compare a displayed board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice Returns the unfinished match of two accounts with this host; 0 = none. A match that
    /// is still open to anyone doesn't count.
    function liveMatch(address host, address challenger) external view returns (uint48 matchId);
}
