// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../../src/IMatch.sol";
import {ITurnBased} from "../../../src/ITurnBased.sol";
import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestStorage} from "./ConquestStorage.sol";
import {Graphs} from "./Graphs.sol";

/// @title The events and errors that the tests of Conquest expect
abstract contract ConquestExpectations is ConquestStorage {
    /// @dev The number of events that the test expects after the last event of a match, and that
    /// match with the number of its last event.
    uint32 private _emitted;
    uint256 private _emittedAfter;

    // ---- events

    /// @dev Expects the next event of the game.
    /// @return seq the event's sequence number
    function _expect() internal returns (uint32 seq) {
        uint32 last = uint32(_head());
        uint256 after_ = (uint256(number) << 32) | last;
        if (_emittedAfter != after_) (_emittedAfter, _emitted) = (after_, 0);
        vm.expectEmit(address(game));
        return last + ++_emitted;
    }

    function _expectPhase(uint8 seat, uint8 phase, uint8 draw) internal {
        uint32 seq = _expect();
        emit IConquest.Phase(number, seq, seat, phase, draw);
    }

    function _expectTaken(bytes memory lands, uint8 from, uint8 to) internal {
        uint32 seq = _expect();
        emit IConquest.LandsTaken(number, seq, uint96(Graphs.setOf(lands)), from, to);
    }

    /// @param changes four bytes per land: 1 for the land, 3 for its soldiers
    function _expectSoldiers(bytes memory changes) internal {
        uint32 seq = _expect();
        emit IConquest.Soldiers(number, seq, changes);
    }

    function _expectCommand(uint8 kind, bytes memory data) internal {
        uint256 head = _head();
        uint8 seat = uint8(head >> MOVER);
        uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(uint32(head >> TRAIL), kind, seat, data))));
        uint32 seq = _expect();
        emit IConquest.Commanded(number, seq, uint32(head >> PLY), kind, seat, data, trail);
    }

    function _expectOut(uint8 seat, uint8 by, IMatch.Reason reason) internal {
        uint32 seq = _expect();
        emit IConquest.PlayerOut(number, seq, seat, by, reason);
    }

    function _expectEnd(address winner, IMatch.Reason reason) internal {
        uint32 seq = _expect();
        emit IMatch.MatchEnded(number, seq, winner, reason);
    }

    function _expectDrawn(uint8 kind, bytes32 seed) internal {
        uint32 trail = uint32(bytes4(keccak256(abi.encodePacked(_trail(), seed))));
        uint40 block_ = uint40(_anchor() + 1);
        uint32 seq = _expect();
        emit IConquest.Drawn(number, seq, kind, block_, seed, trail);
    }

    /// @dev Expects the event BattleResolved. The strengths are in twentieths of a soldier.
    function _expectBattle(bytes memory pair, uint48 attack20, uint48 needed20, uint8 luck, uint32 damage, bool won)
        internal
    {
        uint32 seq = _expect();
        (uint8 from, uint8 to) = (uint8(pair[0]), uint8(pair[1]));
        emit IConquest.BattleResolved(number, seq, from, to, attack20, needed20, luck, damage, won);
    }

    function _expectHeroAt(uint8 seat, uint8 land) internal {
        uint32 seq = _expect();
        emit IConquest.HeroAt(number, seq, seat, land);
    }

    function _expectHeroDied(uint8 seat, uint8 land) internal {
        uint32 seq = _expect();
        emit IConquest.HeroDied(number, seq, seat, land);
    }

    function _expectCollected(uint8 seat, uint8 land, uint8 item) internal {
        uint32 seq = _expect();
        emit IConquest.ItemCollected(number, seq, seat, land, item);
    }

    // ---- errors

    function _notYourTurn(address account, address mover) internal view returns (bytes memory) {
        return abi.encodeWithSelector(ITurnBased.NotYourTurn.selector, number, account, mover);
    }

    function _wrongPhase(uint8 current, uint8 needed) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.WrongPhase.selector, current, needed);
    }

    function _noSuchLand(uint256 land) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NoSuchLand.selector, land, 8);
    }

    function _notYourLand(uint8 land, uint8 owner) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NotYourLand.selector, land, owner);
    }

    function _notNeutral(uint8 land, uint8 owner) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NotNeutral.selector, land, owner);
    }

    function _notConnected(uint8 from, uint8 to) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.NotConnected.selector, from, to);
    }

    function _oncePerTurn(uint8 kind) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.OncePerTurn.selector, kind);
    }

    function _otherPosition(uint32 current, uint32 given) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.OtherPosition.selector, current, given);
    }

    function _tooSoon(uint256 current, uint256 needed) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IConquest.TooSoon.selector, current, needed);
    }
}
