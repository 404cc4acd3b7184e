// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {Entropy} from "../../Entropy.sol";
import {ISessions} from "../../ISessions.sol";
import {Match} from "../../Match.sol";
import {CellSet} from "./CellSet.sol";
import {IToucheCoule} from "./IToucheCoule.sol";
import {Ship, saltOf} from "./Ship.sol";

/// @title The storage and views of Touché Coulé
abstract contract ToucheCouleStorage is IToucheCoule, Match {
    using CellSet for CellSet.Set;

    /// @dev The contents of `MatchState.game`.
    struct Grid {
        uint40 anchor;
        uint16 ships;
        uint16 owners;
        uint8 width;
        uint8 height;
        bool captains;
    }

    /// @dev A ship, in one storage slot. In storage, `ally` is set only in the record of an owner's
    /// second ship, and is the number of the owner's first ship. The records that `_shipsAfloat`
    /// returns give `ally` another meaning.
    struct ShipRecord {
        address owner;
        uint16 cell;
        uint16 ally;
        uint32 readyAt;
        bool hasCaptain;
    }

    /// @dev The numbers of an account's two ships in a match; 0 means no ship.
    struct Fleet {
        uint16 first;
        uint16 second;
    }

    /// @dev The contract that all built-in ships are clones of.
    address internal immutable _SHIP_TEMPLATE;

    mapping(uint48 matchId => mapping(uint256 ship => ShipRecord)) internal _shipRecords;
    mapping(uint48 matchId => mapping(uint256 ship => address)) internal _captains;
    mapping(uint48 matchId => mapping(address owner => Fleet)) internal _fleets;
    /// @dev The ships that are afloat in a match: bit i is ship i + 1.
    mapping(uint48 matchId => uint256) internal _afloat;
    /// @dev The cells with a ship in each match.
    mapping(uint48 matchId => CellSet.Set) internal _occupied;

    constructor(ISessions sessions, uint48 firstMatch) Match(sessions, firstMatch) {
        _SHIP_TEMPLATE = address(new Ship());
    }

    /// @inheritdoc IToucheCoule
    function board(uint48 matchId) external view returns (BoardView memory view_) {
        MatchState memory state = _load(matchId);
        Grid memory grid = _grid(state);
        uint256 afloat = _afloat[matchId];
        view_.seq = state.seq;
        view_.status = state.status;
        view_.reason = state.reason;
        view_.ply = state.ply;
        view_.width = grid.width;
        view_.height = grid.height;
        view_.captains = grid.captains;
        view_.anchor = grid.anchor;
        view_.deadline = state.deadline;
        view_.ships = new ShipView[](grid.ships);
        for (uint16 ship = 1; ship <= grid.ships; ++ship) {
            ShipRecord memory record = _shipRecords[matchId][ship];
            address captain = record.hasCaptain ? _captains[matchId][ship] : address(0);
            bool isAfloat = _isAfloat(afloat, ship);
            view_.ships[ship - 1] = ShipView(record.owner, captain, record.cell, isAfloat, record.readyAt);
            if (isAfloat && state.reason == Reason.Won) view_.winner = record.owner;
        }
    }

    /// @inheritdoc IToucheCoule
    function occupied(uint48 matchId, uint8 word) external view returns (uint256 cells) {
        return word < 16 ? _occupied[matchId].words[word] : 0;
    }

    /// @inheritdoc IToucheCoule
    function mapOf(uint48 matchId, uint16 ship) external view returns (bytes memory codes) {
        MatchState memory state = _load(matchId);
        if (!_hasMap(matchId, ship)) revert NoMap(matchId, ship);
        uint256 cells = _cells(_grid(state));
        ShipRecord memory record = _shipRecords[matchId][ship];
        Fleet memory fleet = _fleets[matchId][record.owner];
        uint16 ally = fleet.first == ship ? fleet.second : fleet.first;

        codes = new bytes(cells);
        uint256[] memory fired = _builtInShip(matchId, ship).fired(CellSet.wordsOf(cells));
        for (uint256 cell; cell < cells; ++cell) {
            if (fired[cell >> 8] & CellSet.bit(cell) != 0) codes[cell] = 0x02;
        }
        if (_isAfloat(_afloat[matchId], ally)) codes[_shipRecords[matchId][ally].cell] = 0x03;
        codes[record.cell] = 0x01;
    }

    /// @inheritdoc IToucheCoule
    function shipAddress(uint48 matchId, uint16 ship) public view returns (address) {
        ShipRecord storage record = _shipRecords[matchId][ship];
        if (record.owner == address(0)) revert NoMap(matchId, ship);
        if (record.hasCaptain) return _captains[matchId][ship];
        return address(_builtInShip(matchId, ship));
    }

    // The number of a block fits in 40 bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Returns the number and the hash of the block that decides a random draw. The deciding
    /// block comes after the block `anchor`, so nobody can know its hash in the anchor block.
    function _entropy(uint40 anchor) internal view returns (uint40 number, bytes32 seed) {
        uint256 first = uint256(anchor) + 1;
        if (block.number <= first) revert TooSoon(uint40(block.number), uint40(first + 1));
        return Entropy.seedSince(first);
    }

    // The number of cells fits in 16 bits, because a width and a height fit in 8.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _freeCell(uint48 matchId, uint256 cells, bytes32 seed) internal view returns (uint16 cell) {
        cell = _occupied[matchId].draw(cells, CellSet.NO_CELL, CellSet.NO_CELL, seed);
        if (cell == CellSet.NO_CELL) revert NoFreeCell(uint16(cells));
    }

    function _player(uint48 matchId) internal view returns (address account, Fleet memory fleet) {
        account = _account(matchId);
        fleet = _fleets[matchId][account];
        if (fleet.first == 0) revert NotAPlayer(matchId, account);
    }

    function _isSeated(uint48 matchId, address account) internal view override returns (bool) {
        return _fleets[matchId][account].first != 0;
    }

    function _builtInShip(uint48 matchId, uint16 ship) internal view returns (Ship) {
        return Ship(Clones.predictDeterministicAddress(_SHIP_TEMPLATE, saltOf(matchId, ship)));
    }

    function _hasMap(uint48 matchId, uint16 ship) internal view returns (bool) {
        ShipRecord storage record = _shipRecords[matchId][ship];
        return record.owner != address(0) && !record.hasCaptain;
    }

    function _save(uint48 matchId, MatchState memory state, Grid memory grid) internal {
        state.game = uint104(grid.anchor) | (uint104(grid.ships) << 40) | (uint104(grid.owners) << 56)
            | (uint104(grid.width) << 72) | (uint104(grid.height) << 80) | (uint104(grid.captains ? 1 : 0) << 88);
        _save(matchId, state);
    }

    function _grid(MatchState memory state) internal pure returns (Grid memory grid) {
        grid.anchor = uint40(state.game);
        grid.ships = uint16(state.game >> 40);
        grid.owners = uint16(state.game >> 56);
        grid.width = uint8(state.game >> 72);
        grid.height = uint8(state.game >> 80);
        grid.captains = uint8(state.game >> 88) != 0;
    }

    function _isAfloat(uint256 afloat, uint256 ship) internal pure returns (bool) {
        return ship != 0 && afloat & _shipBit(ship) != 0;
    }

    function _shipBit(uint256 ship) internal pure returns (uint256) {
        return uint256(1) << (ship - 1);
    }

    function _cells(Grid memory grid) internal pure returns (uint256) {
        return uint256(grid.width) * grid.height;
    }

    // The column is less than the width.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _x(Grid memory grid, uint16 cell) internal pure returns (uint8) {
        return uint8(cell % grid.width);
    }

    // The row is less than the height.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _y(Grid memory grid, uint16 cell) internal pure returns (uint8) {
        return uint8(cell / grid.width);
    }
}
