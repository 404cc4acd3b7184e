// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Events, errors and views that all games share
/// @notice A `matchId` is unique within a game and is the first indexed argument of every event.
/// The events of a match are numbered by `seq`: 1, 2, 3, … without gaps. A client that finds a gap
/// in these numbers has missed an event.
interface IMatch {
    /// @notice The status of a match. It starts as Open, changes to Playing and ends as Finished.
    /// An Open or Playing match can instead become Cancelled. Finished and Cancelled are final.
    enum Status {
        None,
        Open,
        Playing,
        Finished,
        Cancelled
    }

    /// @notice The reason for the end of a match. It is None until the match ends.
    enum Reason {
        None,
        Won,
        Draw,
        Resigned,
        Timeout,
        CheatingProved,
        Cancelled
    }

    /// @notice Emitted when a match is opened.
    /// @param creator the account that opened the match (never its session key)
    /// @param opponent the account that may take the other seat; the zero address means anyone
    /// @param clock the seconds that a player may take for one move; 0 means no limit
    /// @param rematchOf the number of the match that this match repeats, or 0 if this match is not
    /// a rematch
    event MatchCreated(
        uint48 indexed matchId, uint32 seq, address indexed creator, address opponent, uint24 clock, uint48 rematchOf
    );

    /// @notice Emitted when an account takes a seat. Seats are numbered 0, 1, 2, …
    event PlayerJoined(uint48 indexed matchId, uint32 seq, address indexed player, uint16 seat);

    /// @notice Emitted when play begins, after all players have joined.
    event MatchStarted(uint48 indexed matchId, uint32 seq);

    /// @notice Emitted when a match ends.
    /// @param winner the account that won, or the zero address if nobody won
    event MatchEnded(uint48 indexed matchId, uint32 seq, address indexed winner, Reason reason);

    /// @notice This contract has no match with this number.
    error NoSuchMatch(uint48 matchId);

    /// @notice This call needs a match with the status `needed`, but the match's status is
    /// `current`.
    error WrongStatus(uint48 matchId, Status current, Status needed);

    /// @notice The call has the wrong move number. The match has changed since the player chose the
    /// move, or a reorg has undone earlier moves.
    /// @param current the number of moves in the match so far
    /// @param given the move number in the call
    error StaleMove(uint32 current, uint32 given);

    /// @notice The account holds no seat in this match.
    error NotAPlayer(uint48 matchId, address account);

    /// @notice The call came too early. The same call is possible from `deadline` on. The times are
    /// in seconds since 1970.
    error NotExpired(uint40 current, uint40 deadline);

    /// @notice Returns the `seq` of a match's last event, which is also the number of its events.
    function seqOf(uint48 matchId) external view returns (uint32);

    /// @notice Returns the number of this contract's first match, and the number of the next match
    /// that the contract will open. All versions of a game's contract share one sequence of
    /// numbers, so that `<game>/<id>` is unique.
    function matchRange() external view returns (uint48 first, uint48 next);
}
