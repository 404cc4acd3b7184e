// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The shared part of all games: the events, errors and views of a match's life
/// @notice `matchId` is unique within a game and is the first indexed argument of every event. The
/// events of a match are numbered without gaps: `seq` is 1, 2, 3, … Therefore anybody can notice a
/// missing event.
interface IMatch {
    /// @notice The status of a match: Open -> Playing -> Finished, or Cancelled. Finished and
    /// Cancelled are final.
    enum Status {
        None,
        Open,
        Playing,
        Finished,
        Cancelled
    }

    /// @notice The reason for a match's end. None until the match has ended.
    enum Reason {
        None,
        Won,
        Draw,
        Resigned,
        Timeout,
        CheatingProved,
        Cancelled
    }

    /// @notice A match was opened.
    /// @param creator the account that opened the match (never its session key)
    /// @param opponent the account that may take the other seat; the zero address for anyone
    /// @param clock seconds that a player may take for one move; 0 = no clock
    /// @param rematchOf the match that this match repeats; 0 = none
    event MatchCreated(
        uint48 indexed matchId,
        uint32 seq,
        address indexed creator,
        address opponent,
        uint24 clock,
        uint48 rematchOf
    );

    /// @notice An account took its seat: 0 for the first seat, 1 for the second, …
    event PlayerJoined(uint48 indexed matchId, uint32 seq, address indexed player, uint16 seat);

    /// @notice Play begins.
    event MatchStarted(uint48 indexed matchId, uint32 seq);

    /// @notice The match is over.
    /// @param winner the account that won; the zero address if nobody won
    event MatchEnded(uint48 indexed matchId, uint32 seq, address indexed winner, Reason reason);

    /// @notice This contract has not opened a match with this number.
    error NoSuchMatch(uint48 matchId);

    /// @notice The match is in the wrong state for this call.
    error WrongStatus(uint48 matchId, Status current, Status needed);

    /// @notice The call names another move number than that of the match's next move.
    /// @param current the number of moves in the match so far
    /// @param given the move number in the call
    error StaleMove(uint32 current, uint32 given);

    /// @notice The account holds no seat in this match.
    error NotAPlayer(uint48 matchId, address account);

    /// @notice It is too early: the call is possible only from `deadline` on (seconds since 1970).
    error NotExpired(uint40 current, uint40 deadline);

    /// @notice Returns the number of a match's last event.
    function seqOf(uint48 matchId) external view returns (uint32);

    /// @notice Returns the number of this contract's first match, and of the next match that it
    /// will open. The contracts of a game use different numbers, so that `<game>/<id>` stays
    /// unique.
    function matchRange() external view returns (uint48 first, uint48 next);
}
