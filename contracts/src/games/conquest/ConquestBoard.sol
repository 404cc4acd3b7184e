// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";
import {Match} from "../../Match.sol";
import {ConquestEffects} from "./ConquestEffects.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {Items} from "./rules/Items.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title The views of Conquest
/// @dev This library is deployed separately and linked to the game, because a contract's size is
/// limited.
library ConquestBoard {
    using ConquestEffects for Position;
    using Positions for Position;
    using Items for uint256;
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @dev In views, the number that means no seat, no land or no phase.
    uint8 private constant _NONE = 255;
    uint256 private constant _PAIR_BITS = 14;
    uint256 private constant _PAIR_MASK = 0x3fff;

    /// @notice Returns the complete state of a match, ABI-encoded. The game returns these bytes
    /// unchanged, so the game's contract needs no code to decode them.
    function show(
        World storage world,
        mapping(uint8 seat => address account) storage players,
        Match.MatchState memory state,
        address map
    ) external view returns (bytes memory) {
        return abi.encode(_boardView(world, players, state, map));
    }

    function _boardView(
        World storage world,
        mapping(uint8 seat => address account) storage players,
        Match.MatchState memory state,
        address map
    ) private view returns (IConquest.BoardView memory shown) {
        Position memory position = ConquestEffects.loadPosition(world, 0, state);
        position.graph = LandGraph.load(map);
        _fillMatch(shown, state);
        _fillSeats(shown, state, players, position);
        shown.ports = uint96(position.ports());
        shown.soldiers = _soldiers(world, position.graph.lands());
        shown.items = _items(world.items);
        if (shown.draw == TurnBits.BATTLE) shown.pairs = _pairs(world.pairs);
        if (shown.draw == TurnBits.COLLECT) shown.pairs = abi.encodePacked(uint8(world.pairs));
    }

    /// @notice Returns the connection from one land to another: 0 none, 1 by water, 2 by land.
    function connection(World storage world, Match.MatchState memory state, address map, uint8 from, uint8 to)
        external
        view
        returns (uint8)
    {
        return _loadPosition(world, state, map, from, to).connectionOf(from, to);
    }

    /// @notice Returns the attack strength of the first land and the defence strength of the second
    /// land, in twentieths of a soldier.
    function powers(World storage world, Match.MatchState memory state, address map, uint8 from, uint8 to)
        external
        view
        returns (uint256 attack20, uint256 defence20)
    {
        Position memory position = _loadPosition(world, state, map, from, to);
        position.loadArmy(world);
        attack20 = position.attackStrength(position.ownerOf(from), from);
        defence20 = position.defenceStrength(position.ownerOf(to), to);
    }

    /// @dev Loads a match. Reverts with NoSuchLand if a land doesn't exist.
    function _loadPosition(World storage world, Match.MatchState memory state, address map, uint8 from, uint8 to)
        private
        view
        returns (Position memory position)
    {
        position = ConquestEffects.loadPosition(world, 0, state);
        position.graph = LandGraph.load(map);
        position.requireLand(from);
        position.requireLand(to);
    }

    function _fillMatch(IConquest.BoardView memory shown, Match.MatchState memory state) private pure {
        uint104 bits = state.game;
        (shown.seq, shown.status, shown.reason) = (state.seq, state.status, state.reason);
        (shown.ply, shown.trail, shown.clock) = (state.ply, bits.trail(), state.clock);
        (shown.deadline, shown.seats, shown.alive) = (state.deadline, bits.seats(), bits.alive());
        shown.hadHero = bits.hadHero();
        shown.first = bits.firstSeat() < shown.seats ? bits.firstSeat() : _NONE;
        (shown.mover, shown.phase) = (_NONE, _NONE);
        if (state.status != IMatch.Status.Playing) return;
        (shown.mover, shown.phase) = (state.mover, bits.phase());
        (shown.draw, shown.drawBlock) = (bits.draw(), bits.anchor());
        (shown.used, shown.attacked, shown.built) = (bits.used(), bits.attacked(), bits.built());
    }

    function _fillSeats(
        IConquest.BoardView memory shown,
        Match.MatchState memory state,
        mapping(uint8 seat => address account) storage players,
        Position memory position
    ) private view {
        uint256 seats = shown.seats;
        bool started = state.status == IMatch.Status.Playing || state.status == IMatch.Status.Finished;
        (shown.players, shown.invited) = (new address[](seats), new address[](seats));
        (shown.capitals, shown.heroes) = (new uint8[](seats), new uint8[](seats));
        (shown.stored, shown.forced) = (new uint8[](seats), new uint8[](seats));
        shown.owned = new uint96[](seats);
        for (uint8 seat; seat < seats; ++seat) {
            address account = players[seat];
            if (started || state.game.isAlive(seat)) shown.players[seat] = account;
            if (state.game.reserved(seat)) shown.invited[seat] = account;
            (shown.capitals[seat], shown.heroes[seat]) = (position.capital(seat), position.hero(seat));
            (shown.stored[seat], shown.forced[seat]) = (position.storedItem(seat), position.forcedPasses(seat));
            shown.owned[seat] = uint96(position.owned(seat));
        }
    }

    function _soldiers(World storage world, uint256 lands) private view returns (uint32[] memory soldiers) {
        soldiers = new uint32[](lands);
        uint256 word = 0;
        unchecked {
            for (uint256 land; land < lands; ++land) {
                if (land % Army.PER_WORD == 0) word = world.army[land / Army.PER_WORD];
                soldiers[land] = uint32(Army.inWord(word, land));
            }
        }
    }

    function _items(uint256 items) private pure returns (IConquest.ItemView[] memory shown) {
        shown = new IConquest.ItemView[](items.count());
        for (uint256 index; index < shown.length; ++index) {
            IConquest.ItemView memory item = shown[index];
            (item.land, item.fat, item.turns, items) = items.firstItem();
        }
    }

    // A pair is less than 96 * 96.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _pairs(uint256 packed) private pure returns (bytes memory pairs) {
        for (; packed != 0; packed >>= _PAIR_BITS) {
            uint256 pair = packed & _PAIR_MASK;
            uint8 from = uint8(pair / LandGraph.MAX_LANDS);
            pairs = bytes.concat(pairs, bytes1(from), bytes1(uint8(pair % LandGraph.MAX_LANDS)));
        }
    }
}
