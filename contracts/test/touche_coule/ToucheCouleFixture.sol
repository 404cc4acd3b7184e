// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Fixture} from "../Fixture.sol";
import {Vm, vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";

/// @title Matches with any number of built-in ships and captains
abstract contract ToucheCouleFixture is Fixture {
    uint16 internal constant NO_CELL = type(uint16).max;
    /// @dev The gas that a transaction uses before it calls the contract.
    uint256 internal constant INTRINSIC_GAS = 21_000;
    /// @dev The slots of the contract's variables `_shipRecords` and `_occupied`.
    uint256 private constant _RECORDS_SLOT = 2;
    uint256 private constant _OCCUPIED_SLOT = 6;

    IToucheCoule internal game;
    uint48 internal number;

    /// @dev Marks tests with gas limits. They don't run while Forge measures the coverage, because
    /// that code is not optimized, and needs more gas.
    modifier limitsGas() {
        vm.skip(keccak256(bytes(vm.envOr("ARTIFACTS", string("artifacts")))) == keccak256("forge"));
        _;
    }

    function setUp() public virtual {
        vm.roll(1_000);
        game = IToucheCoule(_deployGame("ToucheCoule"));
    }

    // ---- calls

    /// @dev Opens a match that allows captains, and registers built-in ships.
    function _open(uint8 width, uint8 height, uint256 annes, uint256 bobs) internal {
        number = game.create(width, height, true);
        for (uint256 i; i < annes; ++i) {
            _register(ANNE);
        }
        for (uint256 i; i < bobs; ++i) {
            _register(BOB);
        }
    }

    /// @dev Opens a match, registers built-in ships, and starts the match.
    function _begin(uint8 width, uint8 height, uint256 annes, uint256 bobs) internal {
        _open(width, height, annes, bobs);
        _start();
    }

    function _register(address account) internal returns (uint16) {
        vm.prank(account);
        return game.register(number);
    }

    function _register(address account, address captain) internal returns (uint16) {
        vm.prank(account);
        return game.register(number, captain);
    }

    /// @dev Registers a ship with a new captain, which fires at no cell.
    function _registerCaptain(address account) internal returns (HostileCaptain captain) {
        captain = new HostileCaptain();
        _register(account, address(captain));
    }

    function _start() internal {
        vm.prank(ANNE);
        game.turn(number, 0);
    }

    /// @dev Plays the next turn in the first block that allows it.
    /// @return targets for each ship number, the cell that the ship fired at, or NO_CELL
    function _turn(address account) internal returns (uint16[] memory targets) {
        uint32 ply = _board().ply;
        _rollToDraw();
        vm.recordLogs();
        vm.prank(account);
        game.turn(number, ply);
        return _targets(vm.getRecordedLogs());
    }

    function _turns(uint256 count) internal {
        for (uint256 i; i < count; ++i) {
            _turn(ANNE);
        }
    }

    /// @dev Rolls to the first block in which a turn or a change of position is possible.
    function _rollToDraw() internal {
        vm.roll(_board().anchor + 2);
    }

    // ---- set positions

    /// @dev Puts a ship on another cell.
    function _put(uint16 ship, uint16 cell) internal {
        bytes32 slot = _recordSlot(ship);
        uint256 record = uint256(vm.load(address(game), slot));
        _flipOccupied(uint16(record >> 160));
        _flipOccupied(cell);
        record = (record & ~(uint256(0xffff) << 160)) | (uint256(cell) << 160);
        vm.store(address(game), slot, bytes32(record));
    }

    /// @dev Sets the turn from which the ship can change position.
    function _setReadyAt(uint16 ship, uint32 readyAt) internal {
        bytes32 slot = _recordSlot(ship);
        uint256 record = uint256(vm.load(address(game), slot)) & ~(uint256(type(uint32).max) << 192);
        vm.store(address(game), slot, bytes32(record | (uint256(readyAt) << 192)));
    }

    /// @dev Sets the cells of a word where a built-in ship has fired.
    function _setFired(uint16 ship, uint256 word, uint256 cells) internal {
        vm.store(game.shipAddress(number, ship), bytes32(word), bytes32(cells));
    }

    function _recordSlot(uint16 ship) private view returns (bytes32) {
        return keccak256(abi.encode(ship, keccak256(abi.encode(number, _RECORDS_SLOT))));
    }

    function _flipOccupied(uint16 cell) private {
        bytes32 slot = bytes32(uint256(keccak256(abi.encode(number, _OCCUPIED_SLOT))) + cell / 256);
        bytes32 word = vm.load(address(game), slot);
        vm.store(address(game), slot, word ^ bytes32(uint256(1) << (cell % 256)));
    }

    // ---- views

    function _board() internal view returns (IToucheCoule.BoardView memory) {
        return game.board(number);
    }

    function _ship(uint16 ship) internal view returns (IToucheCoule.ShipView memory) {
        return _board().ships[ship - 1];
    }

    function _cell(uint16 ship) internal view returns (uint16) {
        return _ship(ship).cell;
    }

    /// @dev Returns one byte per cell: 1 if a ship is there, otherwise 0.
    function _occupied() internal view returns (bytes memory codes) {
        IToucheCoule.BoardView memory board = _board();
        codes = new bytes(uint256(board.width) * board.height);
        uint256 word;
        for (uint256 cell; cell < codes.length; ++cell) {
            if (cell % 256 == 0) word = game.occupied(number, uint8(cell / 256));
            if (word >> (cell % 256) & 1 == 1) codes[cell] = 0x01;
        }
    }

    function _assertStatus(IMatch.Status status) internal view {
        vm.assertEq(uint8(_board().status), uint8(status), "status");
    }

    function _assertEnded(address winner, IMatch.Reason reason) internal view {
        IToucheCoule.BoardView memory board = _board();
        _assertEnd(board.status, board.reason, reason);
        vm.assertEq(board.winner, winner);
    }

    // ---- logs

    /// @dev Returns the volley in these logs: for each ship number, the cell that the ship fired
    /// at, or NO_CELL.
    function _targets(Vm.Log[] memory logs) internal view returns (uint16[] memory targets) {
        targets = new uint16[](_board().ships.length + 1);
        for (uint256 ship; ship < targets.length; ++ship) {
            targets[ship] = NO_CELL;
        }
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] != IToucheCoule.Fired.selector) continue;
            (, bytes memory shots) = abi.decode(logs[i].data, (uint32, bytes));
            for (uint256 j; j < shots.length; j += 3) {
                uint256 shot =
                    (uint256(uint8(shots[j])) << 16) | (uint256(uint8(shots[j + 1])) << 8) | uint8(shots[j + 2]);
                targets[shot >> 12] = uint16(shot & 0xfff);
            }
        }
    }

    function _countLogs(Vm.Log[] memory logs, bytes32 topic) internal pure returns (uint256 count) {
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == topic) ++count;
        }
    }

    // ---- draws

    /// @dev Draws a random cell with the code 0, or returns NO_CELL if there is none. This is a
    /// second implementation of the rule: it goes through all cells, while the contract uses
    /// bitmaps.
    function _draw(bytes memory codes, bytes32 seed) internal pure returns (uint16) {
        uint256 words = (codes.length + 255) / 256;
        uint256 first = (uint256(seed) % codes.length) / 256;
        for (uint256 i; i < words; ++i) {
            uint256 word = (first + i) % words;
            uint256 free = _countFree(codes, word);
            if (free != 0) return _nthFree(codes, word, (uint256(seed) >> 128) % free);
        }
        return NO_CELL;
    }

    function _countFree(bytes memory codes, uint256 word) internal pure returns (uint256 free) {
        for (uint256 cell = 256 * word; cell < codes.length && cell < 256 * word + 256; ++cell) {
            if (codes[cell] == 0) ++free;
        }
    }

    function _nthFree(bytes memory codes, uint256 word, uint256 nth) private pure returns (uint16) {
        for (uint256 cell = 256 * word;; ++cell) {
            if (codes[cell] != 0) continue;
            if (nth == 0) return uint16(cell);
            --nth;
        }
        return NO_CELL;
    }

    /// @dev Returns the cell that a built-in ship fires at, if its map has a cell with the code 0.
    function _expectedTarget(uint16 ship, bytes32 seed) internal view returns (uint16) {
        return _draw(game.mapOf(number, ship), _shipSeed(ship, seed));
    }

    /// @dev Returns the seed for a ship in the next turn.
    function _shipSeed(uint16 ship, bytes32 seed) internal view returns (bytes32) {
        return keccak256(abi.encode(seed, number, _board().ply, ship));
    }

    /// @dev Encodes a shot as `Fired` does.
    function _shot(uint256 ship, uint256 cell) internal pure returns (bytes memory) {
        return abi.encodePacked(uint24((ship << 12) | cell));
    }

    // ---- errors

    function _tooSoon(uint40 current, uint40 from) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IToucheCoule.TooSoon.selector, current, from);
    }

    function _noShipAfloat(address account) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IToucheCoule.NoShipAfloat.selector, number, account);
    }

    function _noMap(uint16 ship) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IToucheCoule.NoMap.selector, number, ship);
    }
}
