// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What every game shares: the life of a match, as events, errors and views
/// @notice `matchId` is unique within a game and is the first indexed argument of every event.
/// Every event of a match carries `seq`: 1, 2, 3, … without holes, so that a missing event is visible to anybody.
interface IMatch {
    /// @notice Open -> Playing -> Finished, or Cancelled. The last two are final.
    enum Status {
        None,
        Open,
        Playing,
        Finished,
        Cancelled
    }

    /// @notice Why a match ended. None while it has not.
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
    /// @param creator the account that opened it (the account, never its session key)
    /// @param opponent who may take the other seat; the zero address for anyone
    /// @param clock seconds a player may take for one move; 0 = no clock
    /// @param rematchOf the match this one repeats; 0 = none
    event MatchCreated(
        uint48 indexed matchId,
        uint32 seq,
        address indexed creator,
        address opponent,
        uint24 clock,
        uint48 rematchOf
    );

    /// @notice An account took its seat: 0 for the first one, 1 for the second, …
    event PlayerJoined(uint48 indexed matchId, uint32 seq, address indexed player, uint16 seat);

    /// @notice The match is being played from now on.
    event MatchStarted(uint48 indexed matchId, uint32 seq);

    /// @notice The match is over.
    /// @param winner the account that won; the zero address for none
    event MatchEnded(uint48 indexed matchId, uint32 seq, address indexed winner, Reason reason);

    /// @notice No match of this number was opened by this contract.
    error NoSuchMatch(uint48 matchId);

    /// @notice The match is in the wrong state for this call.
    error WrongStatus(uint48 matchId, Status current, Status needed);

    /// @notice The match has moved on since the move was decided (or is not there yet).
    /// @param current the number of deciding moves made so far
    /// @param given the number this call answers
    error StaleMove(uint32 current, uint32 given);

    /// @notice The account holds no seat in this match.
    error NotAPlayer(uint48 matchId, address account);

    /// @notice Its time has not come: possible from `deadline` (seconds since 1970).
    error NotExpired(uint40 current, uint40 deadline);

    /// @notice The number of the last event of a match.
    function seqOf(uint48 matchId) external view returns (uint32);

    /// @notice The number of the first match this contract may open, and of the next one it will open.
    /// Contracts of one game divide the numbers among them, so that `<game>/<id>` stays unique.
    function matchRange() external view returns (uint48 first, uint48 next);
}
