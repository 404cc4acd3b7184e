// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TurnBased} from "../../TurnBased.sol";
import {ConquestMapStore} from "./ConquestMapStore.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Opens matches of Conquest, and lets players join and leave them
abstract contract ConquestLobby is IConquest, TurnBased {
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @notice The shortest clock, in seconds. Every match has a clock, because without a clock,
    /// one absent player could block all the other players.
    uint24 public constant MIN_CLOCK = 60;
    /// @notice The minimum number of seats in a match.
    uint8 public constant MIN_PLAYERS = 2;
    /// @notice The maximum number of seats in a match.
    uint8 public constant MAX_PLAYERS = 6;
    /// @notice The smallest allowed mean number of cells per land on a map.
    uint8 public constant MIN_GRAIN = 48;
    /// @notice The largest allowed mean number of cells per land on a map.
    uint8 public constant MAX_GRAIN = 200;
    /// @notice The contract that checks and stores the maps.
    ConquestMapStore public immutable MAPS = new ConquestMapStore();

    /// @dev The value of `MatchState.mover` while no seat is to move.
    uint8 internal constant NOBODY = 255;

    /// @dev The number of this contract's first match, minus 1.
    uint48 private immutable _MATCHES_BEFORE;
    mapping(uint48 matchId => World world) internal _worlds;

    constructor(uint48 firstMatch) {
        _MATCHES_BEFORE = firstMatch - 1;
    }

    /// @inheritdoc IConquest
    function create(
        bytes32 seed,
        uint8 grain,
        uint8 players,
        address[] calldata invited,
        uint24 clock,
        uint48 rematchOf,
        bytes calldata graph
    ) external nonReentrant returns (uint48 matchId) {
        if (players < MIN_PLAYERS || players > MAX_PLAYERS) {
            revert BadPlayers(players, MIN_PLAYERS, MAX_PLAYERS);
        }
        if (invited.length >= players) revert BadPlayers(invited.length, 0, players - 1);
        if (grain < MIN_GRAIN || grain > MAX_GRAIN) revert BadGrain(grain, MIN_GRAIN, MAX_GRAIN);
        _requireClock(clock, MIN_CLOCK);
        address creator = _account();
        MatchState memory state;
        (matchId, state) = _open(creator, _firstNonZero(invited), clock, rematchOf);
        state.mover = NOBODY;
        state.game = TurnBits.newMatch(players);
        _players[matchId][0] = creator;
        emit PlayerJoined(matchId, ++state.seq, creator, 0);
        emit Map(matchId, ++state.seq, seed, grain, players, graph);
        if (invited.length != 0) _reserve(matchId, state, creator, invited);
        _save(matchId, state);
        MAPS.keep(graph, players);
        _placeSoldiers(matchId, graph);
    }

    /// @inheritdoc IConquest
    function join(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _account();
        (uint8 seat,) = _seatFor(matchId, state, account);
        if (seat == NOBODY) revert NotInvited(matchId, account, _firstInvited(matchId, state));
        if (state.game.isAlive(seat)) revert SamePlayer(account);
        _players[matchId][seat] = account;
        state.game = state.game.setAlive(seat);
        emit PlayerJoined(matchId, ++state.seq, account, seat);
        if (state.game.alive() == (1 << state.game.seats()) - 1) {
            _start(matchId, state);
            _restartClock(state);
            state.game = state.game.setPhase(TurnBits.CAPITALS).openDraw(TurnBits.FIRST);
            emit Phase(matchId, ++state.seq, NOBODY, TurnBits.CAPITALS, TurnBits.FIRST);
        }
        _save(matchId, state);
    }

    /// @inheritdoc IConquest
    function leave(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        address account = _player(matchId);
        (uint8 seat,) = _seatFor(matchId, state, account);
        state.game = state.game.clearAlive(seat);
        if (!state.game.reserved(seat)) delete _players[matchId][seat];
        emit PlayerLeft(matchId, ++state.seq, account, seat);
        if (seat == 0) _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    // A nonce has at most six bytes, because the number of a match has 48 bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the address of the contract that contains the match's map. This address is the
    /// hash of the map store's address and a nonce, which follows from the match's number. Both are
    /// encoded in RLP: https://ethereum.org/en/developers/docs/data-structures-and-encoding/rlp.
    function _mapOf(uint48 matchId) internal view returns (address) {
        uint256 nonce = matchId - _MATCHES_BEFORE;
        bytes memory rlp;
        if (nonce < 0x80) {
            rlp = abi.encodePacked(bytes2(0xd694), MAPS, uint8(nonce));
        } else {
            uint256 size = 1;
            while (nonce >> (8 * size) != 0) ++size;
            bytes8 digits = bytes8(uint64(nonce << (64 - 8 * size)));
            rlp = abi.encodePacked(uint8(0xd6 + size), uint8(0x94), MAPS, uint8(0x80 + size), digits);
            assembly ("memory-safe") {
                mstore(rlp, add(23, size))
            }
        }
        return address(uint160(uint256(keccak256(rlp))));
    }

    /// @dev An invited account counts as seated only after it has joined. Otherwise, somebody could
    /// invite a session key, and the key could then no longer play for its account.
    function _isSeated(uint48 matchId, address account) internal view override returns (bool) {
        MatchState memory state = _load(matchId);
        (uint8 seat, bool own) = _seatFor(matchId, state, account);
        return own && (state.status != Status.Open || state.game.isAlive(seat));
    }

    /// @return seat the account's own seat, otherwise the lowest seat without an occupant, or
    /// NOBODY if there is none
    /// @return own true if the account has taken the seat, or if the seat is reserved for it
    function _seatFor(uint48 matchId, MatchState memory state, address account)
        private
        view
        returns (uint8 seat, bool own)
    {
        seat = NOBODY;
        uint256 seats = state.game.seats();
        for (uint8 each; each < seats; ++each) {
            address occupant = _players[matchId][each];
            if (occupant == account) return (each, true);
            if (seat == NOBODY && occupant == address(0)) seat = each;
        }
    }

    /// @return account the first account that has a reserved seat but has not joined yet
    function _firstInvited(uint48 matchId, MatchState memory state) private view returns (address) {
        uint8 seat = 1;
        while (state.game.isAlive(seat) || !state.game.reserved(seat)) ++seat;
        return _playerAt(matchId, seat);
    }

    /// @dev Reserves seats 1, 2, … for accounts. Reverts with SamePlayer if an account would get
    /// two seats.
    function _reserve(uint48 matchId, MatchState memory state, address creator, address[] calldata invited) private {
        for (uint8 index; index < invited.length; ++index) {
            address account = invited[index];
            if (account == address(0)) continue;
            if (account == creator) revert SamePlayer(account);
            for (uint256 other; other < index; ++other) {
                if (invited[other] == account) revert SamePlayer(account);
            }
            _players[matchId][index + 1] = account;
            state.game = state.game.setReserved(index + 1);
        }
        emit Invited(matchId, ++state.seq, invited);
    }

    function _firstNonZero(address[] calldata invited) private pure returns (address) {
        for (uint256 index; index < invited.length; ++index) {
            if (invited[index] != address(0)) return invited[index];
        }
        return address(0);
    }

    /// @dev Copies the numbers of soldiers at the start from the map to storage.
    function _placeSoldiers(uint48 matchId, bytes memory graph) private {
        World storage world = _worlds[matchId];
        uint256 lands = graph.lands();
        for (uint256 first; first < lands; first += Army.PER_WORD) {
            uint256 count = lands - first < Army.PER_WORD ? lands - first : Army.PER_WORD;
            world.army[first / Army.PER_WORD] = Army.fromBytes(graph.soldiersFrom(first), count);
        }
    }
}
