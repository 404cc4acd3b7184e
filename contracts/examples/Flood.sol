// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../src/IMatch.sol";

/// @title Many matches at once, as fast as a chain can write them down
/// @notice The events are those of a real game: matches of 100 events, 100 of them side by side, each opened, joined by two,
/// played in 95 moves on a grid and ended. `bench/backfill.py` measures how fast an index follows them.
contract Flood is IMatch {
    /// @notice A mark was set.
    event Moved(
        uint48 indexed matchId,
        uint32 seq,
        uint32 ply,
        address indexed by,
        uint8 row,
        uint8 column,
        uint8 mark
    );

    /// @dev Matches side by side, and events of each.
    uint256 private constant _TABLES = 100;
    uint256 private constant _ROUNDS = 100;
    uint256 private constant _SIDE = 10;
    uint256 private constant _PLAYERS = 1000;
    uint256 private constant _STARTED = 3;

    /// @dev Events so far, of all matches.
    uint256 private _count;

    /// @notice The next events: one of each match in turn, match after match.
    function pour(uint256 events) external {
        uint256 first = _count;
        _count = first + events;
        for (uint256 number = first; number < first + events; ++number) _emit(number);
    }

    /// @inheritdoc IMatch
    function seqOf(uint48 matchId) external view returns (uint32) {
        (uint256 shift, uint256 table) = ((matchId - 1) / _TABLES, (matchId - 1) % _TABLES);
        uint256 before = shift * _TABLES * _ROUNDS + table;
        if (_count <= before) revert NoSuchMatch(matchId);
        uint256 rounds = (_count - before - 1) / _TABLES + 1;
        return uint32(rounds < _ROUNDS ? rounds : _ROUNDS);
    }

    /// @inheritdoc IMatch
    function matchRange() external view returns (uint48 first, uint48 next) {
        uint256 opened = _count % (_TABLES * _ROUNDS);
        return (1, uint48((_count / (_TABLES * _ROUNDS)) * _TABLES + (opened < _TABLES ? opened : _TABLES) + 1));
    }

    function _emit(uint256 number) private {
        uint48 matchId = uint48((number / (_TABLES * _ROUNDS)) * _TABLES + (number % _TABLES) + 1);
        uint256 round = (number / _TABLES) % _ROUNDS;
        uint32 seq = uint32(round + 1);
        if (round == 0) emit MatchCreated(matchId, seq, _player(matchId, 0), address(0), 86_400, 0);
        else if (round < _STARTED) emit PlayerJoined(matchId, seq, _player(matchId, round - 1), uint16(round - 1));
        else if (round == _STARTED) emit MatchStarted(matchId, seq);
        else if (round == _ROUNDS - 1) emit MatchEnded(matchId, seq, _player(matchId, matchId % 2), Reason.Won);
        else _move(matchId, seq, round - _STARTED - 1);
    }

    function _move(uint48 matchId, uint32 seq, uint256 ply) private {
        uint256 cell = (ply * 7 + matchId) % (_SIDE * _SIDE); // each cell once: 7 and 100 share no factor
        emit Moved(
            matchId,
            seq,
            uint32(ply),
            _player(matchId, ply % 2),
            uint8(cell / _SIDE),
            uint8(cell % _SIDE),
            uint8(1 + (ply % 2))
        );
    }

    function _player(uint256 matchId, uint256 seat) private pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode((matchId * 2 + seat) % _PLAYERS)))));
    }
}
