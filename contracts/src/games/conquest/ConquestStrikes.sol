// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../IMatch.sol";
import {Match} from "../../Match.sol";
import {ConquestEffects} from "./ConquestEffects.sol";
import {ConquestRandom} from "./ConquestRandom.sol";
import {IConquest} from "./IConquest.sol";
import {Army} from "./rules/Army.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {Position, Positions, World} from "./rules/Position.sol";
import {TurnBits} from "./rules/TurnBits.sol";

/// @title Launches attacks, and resolves them after their luck has been drawn
/// @dev This library is deployed separately and linked to the game, because a contract's size is
/// limited.
library ConquestStrikes {
    using Army for uint256[7];
    using ConquestEffects for Position;
    using Positions for Position;
    using LandGraph for bytes;
    using TurnBits for uint104;

    /// @dev One of the attacks that a player launches together.
    /// @param distant true if the attacking land has no connection to the target
    /// @param factor the number by which the defence is multiplied: the number of attacks in the
    /// launch (1 with item 2), doubled for an attack by sea; 0 means that the attack is not
    /// possible
    struct Strike {
        uint8 from;
        uint8 to;
        uint8 victim;
        bool distant;
        uint256 factor;
        uint256 attack20;
        uint256 needed20;
    }

    /// @dev The maximum number of attacks in one launch.
    uint256 internal constant MAX_PAIRS = 16;

    uint256 private constant _PAIR_BITS = 14;
    uint256 private constant _PAIR_MASK = 0x3fff;
    /// @dev Luck is 80 to 120 percent. If the hash of the deciding block is no longer available,
    /// luck is 80 percent.
    uint256 private constant _MIN_LUCK = 80;
    uint256 private constant _LUCK_VALUES = 41;
    /// @dev Strengths are in twentieths of a soldier, and luck is in percent. Their product,
    /// divided by this number, is in soldiers.
    uint256 private constant _DAMAGE_SCALE = 2000;

    /// @notice Checks that each attack is possible in the current position, and stores the attacks
    /// until their luck is drawn.
    function launch(
        World storage world,
        uint48 matchId,
        Match.MatchState memory state,
        address map,
        bytes calldata pairs
    ) external {
        if (pairs.length % 2 != 0) revert IConquest.BadCount(pairs.length, 1, MAX_PAIRS);
        uint256 count = pairs.length / 2;
        if (count == 0 || count > MAX_PAIRS) revert IConquest.BadCount(count, 1, MAX_PAIRS);
        Position memory position = _loadPosition(world, matchId, state, map);
        uint256 lands = position.graph.lands();
        for (uint256 index; index < pairs.length; ++index) {
            if (uint8(pairs[index]) >= lands) revert IConquest.NoSuchLand(uint8(pairs[index]), lands);
        }
        if (state.game.attacked()) revert IConquest.OncePerTurn(5);
        uint256 packed = 0;
        bool distant = state.game.isInEffect(1);
        for (uint256 index; index < count; ++index) {
            Strike memory strike =
                _evaluate(position, uint8(pairs[2 * index]), uint8(pairs[2 * index + 1]), count, distant);
            distant = distant && !strike.distant;
            if (strike.victim == Positions.NOBODY) _rejectStrike(position, strike);
            if (strike.factor == 0) revert IConquest.NotConnected(strike.from, strike.to);
            if (strike.attack20 <= strike.needed20) {
                revert IConquest.NotStronger(index, strike.attack20, strike.needed20);
            }
            packed |= (LandGraph.MAX_LANDS * strike.from + strike.to) << (_PAIR_BITS * index);
        }
        world.pairs = packed;
    }

    /// @notice Carries out the draw BATTLE, which resolves the attacks.
    function carryOut(World storage world, uint48 matchId, Match.MatchState memory state, address map)
        external
        returns (Match.MatchState memory)
    {
        bytes32 seed = ConquestRandom.seedOf(matchId, state);
        Position memory position = _loadPosition(world, matchId, state, map);
        _resolveStrikes(position, world.pairs, seed);
        if (!state.game.isOver()) {
            bool more = state.game.isInEffect(3) && !state.game.built();
            position.emitPhase(more ? TurnBits.ACTION : TurnBits.MOVE, TurnBits.NO_DRAW);
        }
        position.save(world);
        position.saveArmy(world);
        return state;
    }

    // A pair is less than 96 * 96, and there are at most 16 pairs.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Resolves the attacks in order. Each attack is evaluated in the position after the
    /// previous attack. Stops when only one seat is left.
    function _resolveStrikes(Position memory position, uint256 packed, bytes32 seed) private {
        Match.MatchState memory state = position.state;
        uint256 count = 0;
        while ((packed >> (_PAIR_BITS * count)) & _PAIR_MASK != 0) ++count;
        bool distant = state.game.isInEffect(1);
        for (uint256 index; index < count && !state.game.isOver(); ++index) {
            uint256 pair = (packed >> (_PAIR_BITS * index)) & _PAIR_MASK;
            (uint8 from, uint8 to) = (uint8(pair / LandGraph.MAX_LANDS), uint8(pair % LandGraph.MAX_LANDS));
            Strike memory strike = _evaluate(position, from, to, count, distant);
            distant = distant && !strike.distant;
            if (strike.factor == 0 || strike.attack20 <= strike.needed20) {
                _emitBattle(position, strike, 0, 0, false);
                continue;
            }
            uint256 luck = _MIN_LUCK;
            if (seed != 0) {
                uint8 purpose = ConquestRandom.LUCK;
                luck += ConquestRandom.number(seed, position.matchId, state.ply, purpose, uint8(index)) % _LUCK_VALUES;
            }
            _resolveStrike(position, strike, luck);
        }
    }

    function _resolveStrike(Position memory position, Strike memory strike, uint256 luck) private {
        uint256 damage = ((strike.attack20 - strike.needed20) * luck) / (_DAMAGE_SCALE * strike.factor);
        uint256 soldiers = position.army.soldiersOn(strike.to);
        bool conquered = damage >= soldiers;
        _emitBattle(position, strike, luck, damage, conquered);
        position.army.set(strike.to, conquered ? 0 : soldiers - damage);
        if (!conquered) return position.emitArmy();
        (uint8 seat, uint8 victim) = (position.state.mover, strike.victim);
        position.killHeroOn(strike.to, victim);
        if (position.capital(victim) == strike.to) position.eliminate(victim, seat, IMatch.Reason.Won);
        else position.transferLands(1 << strike.to, victim, seat);
        position.grantHeroIfEarned(seat);
    }

    /// @dev Evaluates an attack in the current position. The victim is NOBODY unless the attack
    /// goes from a land of the mover to a land of an enemy. The factor is 0 if the victim is
    /// NOBODY, or if the attack has no connection but needs one.
    /// @param distant true if the attack needs no connection (unless its target is a capital),
    /// because of item 1
    function _evaluate(Position memory position, uint8 from, uint8 to, uint256 count, bool distant)
        private
        pure
        returns (Strike memory strike)
    {
        uint8 seat = position.state.mover;
        (strike.from, strike.to, strike.victim) = (from, to, position.ownerOf(to));
        if (position.ownerOf(from) != seat || strike.victim == seat) strike.victim = Positions.NOBODY;
        if (strike.victim == Positions.NOBODY) return strike;
        uint256 connection = position.connectionOf(from, to);
        strike.distant = connection == Positions.NO_CONNECTION;
        if (strike.distant && (!distant || position.capital(strike.victim) == to)) return strike;
        strike.factor = position.state.game.isInEffect(2) ? 1 : count;
        if (connection == Positions.BY_WATER) strike.factor *= 2;
        strike.attack20 = position.attackStrength(seat, from);
        strike.needed20 = position.defenceStrength(strike.victim, to) * strike.factor;
    }

    function _rejectStrike(Position memory position, Strike memory strike) private pure {
        uint8 owner = position.ownerOf(strike.from);
        if (owner != position.state.mover) revert IConquest.NotYourLand(strike.from, owner);
        revert IConquest.NotEnemy(strike.to, position.ownerOf(strike.to));
    }

    // The luck is at most 120, and the strengths follow from numbers of soldiers, which fit in 17
    // bits.
    // forge-lint: disable-next-item(unsafe-typecast)
    function _emitBattle(Position memory position, Strike memory strike, uint256 luck, uint256 damage, bool conquered)
        private
    {
        emit IConquest.BattleResolved(
            position.matchId,
            ++position.state.seq,
            strike.from,
            strike.to,
            uint48(strike.attack20),
            uint48(strike.needed20),
            uint8(luck),
            uint32(damage),
            conquered
        );
    }

    function _loadPosition(World storage world, uint48 matchId, Match.MatchState memory state, address map)
        private
        view
        returns (Position memory position)
    {
        position = ConquestEffects.loadPosition(world, matchId, state);
        position.graph = LandGraph.load(map);
        position.loadArmy(world);
    }
}
