// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {Fixture} from "../../Fixture.sol";
import {vm} from "../../Vm.sol";
import {Graphs} from "./Graphs.sol";

/// @title Writes the position of a match to the contract's storage
/// @notice Match.sol, TurnBits.sol and Position.sol define the format. Lists of lands have one byte
/// per land.
abstract contract ConquestStorage is Fixture {
    /// @dev No seat, no land or no phase.
    uint8 internal constant NONE = 255;

    /// @dev The first bit of each field in the word with the match's status and turn.
    uint256 internal constant PLY = 48;
    uint256 internal constant MOVER = 80;
    uint256 internal constant TRAIL = 152;
    uint256 internal constant PHASE = TRAIL + 32;
    uint256 internal constant DRAW = TRAIL + 34;
    uint256 internal constant ANCHOR = TRAIL + 37;
    uint256 internal constant USED = TRAIL + 75;
    uint256 internal constant FIRST_MOVER = TRAIL + 84;
    uint256 internal constant HAD_HERO = TRAIL + 93;

    /// @dev The storage slots of the mappings from a match's number to its words.
    uint256 internal constant STATES_SLOT = 1;
    uint256 internal constant WORLDS_SLOT = 3;

    IConquest internal game;
    uint48 internal number;

    /// @dev Gives lands to a seat. The first land becomes the seat's capital.
    function _setLands(uint8 seat, bytes memory lands) internal {
        for (uint256 index; index < lands.length; ++index) {
            _setOwner(uint8(lands[index]), seat);
        }
        _setCapital(seat, uint8(lands[0]));
    }

    function _setOwner(uint256 land, uint8 seat) internal {
        uint256 code = seat == NONE ? 0 : seat + 1;
        _setWorld(0, land, 1, code & 1);
        _setWorld(0, 96 + land, 1, (code >> 1) & 1);
        _setWorld(1, land, 1, code >> 2);
    }

    function _setCapital(uint8 seat, uint256 land) internal {
        _setWorld(0, 192 + 7 * uint256(seat), 7, land + 1);
    }

    function _setStored(uint8 seat, uint256 item) internal {
        _setWorld(0, 234 + 3 * uint256(seat), 3, item);
    }

    function _setPorts(bytes memory lands) internal {
        _setWorld(1, 96, 96, Graphs.setOf(lands));
    }

    /// @dev Puts the hero of a seat on a land. The seat will not get another hero.
    function _setHero(uint8 seat, uint256 land) internal {
        _setWorld(1, 192 + 7 * uint256(seat), 7, land + 1);
        _setHead(HAD_HERO + seat, 1, 1);
    }

    function _setForced(uint8 seat, uint256 passes) internal {
        _setWorld(1, 234 + 2 * uint256(seat), 2, passes);
    }

    /// @dev Puts a new item, which stays for four turns, on a land. No land may have an item yet.
    function _setItem(uint256 land, bool fat) internal {
        _setWorld(2, 0, 11, (land + 1) | (fat ? 1 << 7 : 0) | (4 << 8));
    }

    function _setSoldiers(uint256 land, uint256 soldiers) internal {
        _setWorld(4 + land / 15, 17 * (land % 15), 17, soldiers);
    }

    /// @dev Sets the numbers of soldiers on lands 0 to 7.
    function _setSoldiers(uint24[8] memory soldiers) internal {
        for (uint256 land; land < soldiers.length; ++land) {
            _setSoldiers(land, soldiers[land]);
        }
    }

    function _setPhase(uint8 phase) internal {
        _setHead(PHASE, 2, phase);
    }

    /// @dev Puts an item into effect for this turn.
    function _setUsed(uint256 item) internal {
        _setHead(USED + item - 1, 1, 1);
    }

    function _setHead(uint256 shift, uint256 bits, uint256 value) internal {
        _set(_headSlot(), shift, bits, value);
    }

    function _setWorld(uint256 word, uint256 shift, uint256 bits, uint256 value) internal {
        _set(bytes32(uint256(keccak256(abi.encode(number, WORLDS_SLOT))) + word), shift, bits, value);
    }

    function _set(bytes32 slot, uint256 shift, uint256 bits, uint256 value) private {
        uint256 mask = ((1 << bits) - 1) << shift;
        uint256 others = uint256(vm.load(address(game), slot)) & ~mask;
        vm.store(address(game), slot, bytes32(others | ((value << shift) & mask)));
    }

    /// @return the word in storage that contains the match's status and turn
    function _head() internal view returns (uint256) {
        return uint256(vm.load(address(game), _headSlot()));
    }

    function _headSlot() private view returns (bytes32) {
        return keccak256(abi.encode(number, STATES_SLOT));
    }

    function _trail() internal view returns (uint32) {
        return uint32(_head() >> TRAIL);
    }

    /// @return the block of the command that opened the draw
    function _anchor() internal view returns (uint256) {
        return (_head() >> ANCHOR) & ((1 << 38) - 1);
    }
}
