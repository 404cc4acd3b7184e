// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {ISessions} from "../../ISessions.sol";
import {CellSet} from "./CellSet.sol";
import {IToucheCoule} from "./IToucheCoule.sol";
import {Ship, saltOf} from "./Ship.sol";
import {ToucheCouleStorage} from "./ToucheCouleStorage.sol";
import {ToucheCouleTurn} from "./ToucheCouleTurn.sol";

/// @title The functions of Touché Coulé that players call
contract ToucheCoule is ToucheCouleTurn {
    using CellSet for CellSet.Set;

    /// @notice The maximum number of ships per account in a match. Sunk ships count, too.
    uint8 public constant SHIPS_EACH = 2;
    /// @notice The maximum number of ships in a match. This limit ensures that a turn always fits
    /// into one transaction.
    uint16 public constant MAX_SHIPS = 256;
    /// @notice The number of turns for which a ship stays in place after it was placed or moved.
    uint32 public constant REST = 5;

    uint8 private constant _MIN_SIDE = 2;
    uint8 private constant _MAX_SIDE = 64;
    uint16 private constant _MIN_OWNERS = 2;

    constructor(ISessions sessions, uint48 firstMatch) ToucheCouleStorage(sessions, firstMatch) {}

    /// @inheritdoc IToucheCoule
    function create(uint8 width, uint8 height, bool captains) external nonReentrant returns (uint48 matchId) {
        if (!_isSide(width) || !_isSide(height)) revert BadSize(width, height);
        MatchState memory state;
        (matchId, state) = _open(_account(), address(0), 0, 0);
        emit Size(matchId, ++state.seq, width, height, captains);
        _save(matchId, state, Grid(0, 0, 0, width, height, captains));
    }

    /// @inheritdoc IToucheCoule
    function register(uint48 matchId) external nonReentrant returns (uint16 ship) {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        ship = _register(matchId, state, address(0));
        Clones.cloneDeterministic(_SHIP_TEMPLATE, saltOf(matchId, ship));
    }

    /// @inheritdoc IToucheCoule
    function register(uint48 matchId, address captain) external nonReentrant returns (uint16 ship) {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Open);
        if (!_grid(state).captains) revert CaptainsNotAllowed(matchId);
        if (captain.code.length == 0) revert NoCode(captain);
        ship = _register(matchId, state, captain);
        _captains[matchId][ship] = captain;
    }

    /// @inheritdoc IToucheCoule
    function turn(uint48 matchId, uint32 turnNo) external nonReentrant {
        MatchState memory state = _load(matchId);
        if (state.status != Status.Open) _requireStatus(matchId, state, Status.Playing);
        if (turnNo != state.ply) revert StaleMove(state.ply, turnNo);
        (address account, Fleet memory fleet) = _player(matchId);
        uint256 afloat = _afloat[matchId];
        if (!_isAfloat(afloat, fleet.first) && !_isAfloat(afloat, fleet.second)) revert NoShipAfloat(matchId, account);

        Grid memory grid = _grid(state);
        if (turnNo == 0) _closeRegistration(matchId, state, grid, account);
        else _play(matchId, state, grid, account, afloat);
        grid.anchor = uint40(block.number);
        _save(matchId, state, grid);
    }

    /// @inheritdoc IToucheCoule
    function changePosition(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        (address account, Fleet memory fleet) = _player(matchId);
        (bool first, bool second) = _requireReady(matchId, state.ply, account, fleet);

        Grid memory grid = _grid(state);
        (uint40 entropyBlock, bytes32 seed) = _entropy(grid.anchor);
        if (first) _moveShip(matchId, state, grid, fleet.first, entropyBlock, seed);
        if (second) _moveShip(matchId, state, grid, fleet.second, entropyBlock, seed);
        grid.anchor = uint40(block.number);
        _save(matchId, state, grid);
    }

    /// @inheritdoc IToucheCoule
    function communicate(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        (address account, Fleet memory fleet) = _player(matchId);
        (uint16 a, uint16 b) = (fleet.first, fleet.second);
        uint256 afloat = _afloat[matchId];
        uint16 able = (_hasMap(matchId, a) && _isAfloat(afloat, a) ? 1 : 0)
            + (_hasMap(matchId, b) && _isAfloat(afloat, b) ? 1 : 0);
        if (able < SHIPS_EACH) revert TooFewShips(able, SHIPS_EACH);

        if (!_shareMaps(matchId, a, b, CellSet.wordsOf(_cells(_grid(state))))) revert NothingToTell(a, b);
        emit Communicated(matchId, ++state.seq, account, a, b);
        _save(matchId, state);
    }

    /// @inheritdoc IToucheCoule
    function expire(uint48 matchId) external nonReentrant {
        MatchState memory state = _load(matchId);
        _requireStatus(matchId, state, Status.Playing);
        if (block.timestamp < state.deadline) revert NotExpired(uint40(block.timestamp), state.deadline);
        _end(matchId, state, address(0), Reason.Cancelled);
        _save(matchId, state);
    }

    // ---- register

    function _register(uint48 matchId, MatchState memory state, address captain) private returns (uint16 ship) {
        address owner = _account(matchId);
        Fleet memory fleet = _fleets[matchId][owner];
        Grid memory grid = _grid(state);
        if (fleet.second != 0) revert ShipLimit(owner, SHIPS_EACH);
        if (grid.ships == MAX_SHIPS) revert MatchFull(MAX_SHIPS);
        ship = ++grid.ships;
        uint16 cell = _drawCell(matchId, ship, _cells(grid));

        if (fleet.first == 0) {
            emit PlayerJoined(matchId, ++state.seq, owner, grid.owners++);
            _fleets[matchId][owner].first = ship;
        } else {
            _fleets[matchId][owner].second = ship;
        }
        _shipRecords[matchId][ship] = ShipRecord(owner, cell, fleet.first, REST, captain != address(0));
        _occupied[matchId].add(cell);
        _afloat[matchId] |= _shipBit(ship);
        emit Registered(matchId, ++state.seq, ship, owner, _x(grid, cell), _y(grid, cell), captain);
        _save(matchId, state, grid);
    }

    /// @dev Returns a random free cell. The sender can't choose the values that determine the cell,
    /// but can influence it with the time of the transaction.
    function _drawCell(uint48 matchId, uint16 ship, uint256 cells) private view returns (uint16) {
        return
            _freeCell(
                matchId, cells, keccak256(abi.encode(blockhash(block.number - 1), block.prevrandao, matchId, ship))
            );
    }

    /// @dev Plays turn 0, which closes registration. No ship fires.
    function _closeRegistration(uint48 matchId, MatchState memory state, Grid memory grid, address account) private {
        if (grid.owners < _MIN_OWNERS) revert TooFewOwners(grid.owners, _MIN_OWNERS);
        _start(matchId, state);
        _completeTurn(matchId, state, account, 0, 0);
    }

    // ---- changePosition, communicate

    /// @dev Returns, for each of the account's two ships, true if the ship can move now. Reverts
    /// with NoShipAfloat if both are sunk, and with NotReady if neither can move yet.
    function _requireReady(uint48 matchId, uint32 ply, address account, Fleet memory fleet)
        private
        view
        returns (bool first, bool second)
    {
        uint256 afloat = _afloat[matchId];
        (first, second) = (_isAfloat(afloat, fleet.first), _isAfloat(afloat, fleet.second));
        if (!first && !second) revert NoShipAfloat(matchId, account);
        uint32 a = first ? _shipRecords[matchId][fleet.first].readyAt : type(uint32).max;
        uint32 b = second ? _shipRecords[matchId][fleet.second].readyAt : type(uint32).max;
        (first, second) = (a <= ply, b <= ply);
        if (!first && !second) revert NotReady(ply, a < b ? a : b);
    }

    /// @dev Moves a ship to a random free cell. The new cell differs from the old cell, because the
    /// old cell is still occupied when the new cell is chosen.
    function _moveShip(
        uint48 matchId,
        MatchState memory state,
        Grid memory grid,
        uint16 ship,
        uint40 entropyBlock,
        bytes32 seed
    ) private {
        ShipRecord memory record = _shipRecords[matchId][ship];
        uint16 from = record.cell;
        uint16 to = _freeCell(matchId, _cells(grid), keccak256(abi.encode(seed, matchId, ship)));
        _occupied[matchId].remove(from);
        _occupied[matchId].add(to);
        record.cell = to;
        record.readyAt = state.ply + REST;
        _shipRecords[matchId][ship] = record;
        if (!record.hasCaptain) _builtInShip(matchId, ship).moved(to);
        emit Moved(
            matchId,
            ++state.seq,
            ship,
            record.owner,
            _x(grid, from),
            _y(grid, from),
            _x(grid, to),
            _y(grid, to),
            entropyBlock,
            seed
        );
    }

    /// @dev Lets two ships share their maps of the cells where they have fired.
    /// @return learnt true if at least one of the ships learned anything new
    function _shareMaps(uint48 matchId, uint16 a, uint16 b, uint256 words) private returns (bool learnt) {
        Ship first = _builtInShip(matchId, a);
        Ship second = _builtInShip(matchId, b);
        uint256[] memory firstFired = first.fired(words);
        learnt = first.learn(second.fired(words), _shipRecords[matchId][a].cell);
        if (second.learn(firstFired, _shipRecords[matchId][b].cell)) learnt = true;
    }

    function _isSide(uint8 side) private pure returns (bool) {
        return side >= _MIN_SIDE && side <= _MAX_SIDE;
    }
}
