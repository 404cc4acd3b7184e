// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../IDuel.sol";

/// @title Tic-tac-toe: three in a row on a 3 x 3 grid
/// @notice Seat 0, the host, has mark 1 and moves first; seat 1, the challenger, has mark 2. Two
/// accounts can have at most one unfinished match in which the same account is the host. A cell's
/// number is `row * 3 + column`, counted from the top left. A set of cells is a mask with bit
/// `cell`.
interface ITicTacToe is IDuel {
    /// @notice A whole match.
    /// @param ply the number of moves so far, which the next `move` must name
    /// @param clock seconds for one move; 0 = no clock
    /// @param deadline time (seconds since 1970) from which anyone can claim the timeout; 0 = no
    /// clock is running
    /// @param host the account in seat 0; in an open match, it may only be invited
    /// @param challenger the account in seat 1; in an open match, it may only be invited, or the
    /// zero address for anyone
    /// @param mover the player to move; the zero address unless the match is being played
    /// @param hostCells the cells with mark 1
    /// @param challengerCells the cells with mark 2
    /// @param winner the account that won; the zero address if nobody has won
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

    /// @notice A player set a mark on a cell.
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
    /// @param line the cells of the line or of the two lines that this mark completed
    event GameWon(uint48 indexed matchId, uint32 seq, address indexed winner, uint16 line);

    /// @notice A player offers to start again. The offer stands until the next move.
    event RestartOffered(uint48 indexed matchId, uint32 seq, address indexed by, uint32 ply);

    /// @notice The match now has a rematch. The rematch is open after `rematch`, and already
    /// started after `acceptRestart`.
    event RematchOpened(uint48 indexed matchId, uint32 seq, address indexed by, uint48 rematch);

    /// @notice The two accounts already have an unfinished match with the same host.
    error GameExists(uint48 matchId);
    /// @notice Rows and columns are 0, 1 and 2.
    error BadCell(uint16 row, uint16 column);
    /// @notice The cell already holds a mark.
    error CellTaken(uint16 row, uint16 column);
    /// @notice A match has at most one rematch.
    error RematchExists(uint48 matchId, uint48 rematch);
    /// @notice There is no offer of a restart from the other player.
    error NoOffer(uint48 matchId);
    /// @notice A restart is already offered. If the other player offers it, accept the offer
    /// instead.
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
    /// `accept` the rematch, or call this function too. The host of the rematch is the loser or,
    /// after a draw, the challenger.
    function rematch(uint48 matchId) external returns (uint48);

    /// @notice Offers the other player to start again. The offer stands until the next move.
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

    /// @notice Returns the number of the unfinished match between this host and this challenger, or
    /// 0 if there is none. A match that is still open to anyone doesn't count.
    function liveMatch(address host, address challenger) external view returns (uint48 matchId);
}
