// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Tic-tac-toe: three in a row on a grid of 3 x 3
/// @notice Seat 0, the host, has mark 1 and moves first; seat 1, the challenger, has mark 2. Two accounts have at most one
/// unfinished match with the same one as host. Cells are `cell = row * 3 + column`, (0, 0) top left; a set of cells is a
/// mask with bit `cell`.
interface ITicTacToe is IDuel {
    /// @notice A whole match.
    /// @param ply moves made so far = the number the next `move` must name
    /// @param clock seconds for one move; 0 = no clock
    /// @param deadline time (seconds since 1970) from which a timeout can be claimed; 0 = none runs
    /// @param host seat 0; while the match is open, maybe only invited
    /// @param challenger seat 1; while the match is open, who is invited; the zero address for anyone
    /// @param mover who is to move; the zero address unless the match is being played
    /// @param hostCells the cells with mark 1
    /// @param challengerCells the cells with mark 2
    /// @param winner the zero address for none (yet)
    /// @param offeredBy who offers a restart; the zero address when no offer stands
    /// @param rematch the match that repeats this one; 0 = none
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

    /// @notice A mark was set.
    /// @param ply the number of moves before it
    /// @param mark 1 of the host, 2 of the challenger
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
    /// @param line the cells of the line, or of the two lines that one mark completed
    event GameWon(uint48 indexed matchId, uint32 seq, address indexed winner, uint16 line);

    /// @notice A player would like to begin anew. The offer stands until the next move.
    event RestartOffered(uint48 indexed matchId, uint32 seq, address indexed by, uint32 ply);

    /// @notice The match has a rematch: an open one after `rematch`, one being played after `acceptRestart`.
    event RematchOpened(uint48 indexed matchId, uint32 seq, address indexed by, uint48 rematch);

    /// @notice The two have an unfinished match with the same one as host.
    error GameExists(uint48 matchId);
    /// @notice Rows and columns are 0, 1 and 2.
    error BadCell(uint16 row, uint16 column);
    /// @notice The cell holds a mark.
    error CellTaken(uint16 row, uint16 column);
    /// @notice A match has one rematch.
    error RematchExists(uint48 matchId, uint48 rematch);
    /// @notice The other player doesn't offer a restart (any more).
    error NoOffer(uint48 matchId);
    /// @notice An offer stands: the other player's is there to accept.
    error AlreadyOffered(uint48 matchId);

    /// @notice Opens a match with the caller as host.
    /// @param challenger who may accept; the zero address for anyone
    /// @param clock seconds for one move, at most 30 days; 0 = no clock
    function create(address challenger, uint24 clock) external returns (uint48 matchId);

    /// @notice Takes the other seat of an open match; it begins, and so does the host's clock.
    function accept(uint48 matchId) external;

    /// @notice Sets the caller's mark.
    /// @param ply the number of moves made so far
    function move(uint48 matchId, uint32 ply, uint16 row, uint16 column) external;

    /// @notice Opens the rematch of a finished match, with the same clock; the other player may `accept` it, or call this
    /// too. The loser is host; after a draw who was not.
    function rematch(uint48 matchId) external returns (uint48);

    /// @notice Offers to begin anew. The offer stands until the next move.
    function offerRestart(uint48 matchId) external;

    /// @notice Accepts the other player's offer: this match ends as cancelled, and its rematch, with the same host, begins.
    /// @param ply the number of moves made so far
    function acceptRestart(uint48 matchId, uint32 ply) external returns (uint48);

    /// @notice Cancels an open match. Callable by who opened it.
    function close(uint48 matchId) external;

    /// @notice Gives the match up: the other player wins.
    function resign(uint48 matchId) external;

    /// @notice The whole match, for comparing a shown board with the chain.
    function board(uint48 matchId) external view returns (BoardView memory);

    /// @notice The unfinished match of two accounts with this host; 0 = none. One that is open to anyone doesn't count yet.
    function liveMatch(address host, address challenger) external view returns (uint48 matchId);
}
