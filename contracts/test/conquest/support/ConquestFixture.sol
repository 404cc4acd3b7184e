// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../../src/IMatch.sol";
import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestExpectations} from "./ConquestExpectations.sol";
import {Graphs} from "./Graphs.sol";

/// @title A match of Conquest in any position
/// @notice Lists of lands have one byte per land.
abstract contract ConquestFixture is ConquestExpectations {
    using Graphs for Graphs.Graph;

    uint24 internal constant CLOCK = 1 hours;
    uint8 internal constant GRAIN = 76;

    uint8 internal constant REINFORCEMENT = 0;
    uint8 internal constant ACTION = 1;
    uint8 internal constant MOVE = 2;
    uint8 internal constant CAPITALS = 3;

    uint8 internal constant NO_DRAW = 0;
    uint8 internal constant FIRST = 1;
    uint8 internal constant TURN = 2;
    uint8 internal constant BATTLE = 3;
    uint8 internal constant COLLECT = 4;

    /// @dev The purposes of random numbers.
    uint8 internal constant ITEM_APPEARS = 0;
    uint8 internal constant ITEM_LAND = 1;
    uint8 internal constant ITEM_IS_FAT = 2;
    uint8 internal constant ITEM_IS_BONUS = 3;
    uint8 internal constant ITEM_KIND = 4;
    uint8 internal constant LOST_LAND = 5;
    uint8 internal constant LUCK = 6;
    uint8 internal constant FIRST_SEAT = 7;

    address[6] internal players = [ANNE, BOB, CAROL, address(0xDA7E), address(0xE7E), address(0xF1A)];

    function setUp() public virtual {
        game = IConquest(_deployGame("Conquest"));
        vm.roll(1000);
    }

    // ---- positions

    /// @dev Opens a match as ANNE, and lets the other players join.
    function _fill(uint8 seats, bytes memory graph) internal {
        vm.prank(ANNE);
        number = game.create("a map", GRAIN, seats, new address[](0), CLOCK, 0, graph);
        for (uint256 seat = 1; seat < seats; ++seat) {
            vm.prank(players[seat]);
            game.join(number);
        }
    }

    /// @dev Begins a match in which seat 0 is to move, in the action phase. Nobody owns a land.
    function _begin(uint8 seats, bytes memory graph) internal {
        _fill(seats, graph);
        _setPhase(ACTION);
        _setHead(MOVER, 8, 0);
        _setHead(DRAW, 41, 0);
        _setHead(FIRST_MOVER, 3, 0);
    }

    /// @dev Begins a match between two players on a row of eight lands.
    function _begin(bytes memory anne, bytes memory bob) internal {
        _begin(anne, bob, Graphs.row(8).encode());
    }

    function _begin(bytes memory anne, bytes memory bob, bytes memory graph) internal {
        _begin(2, graph);
        _setLands(0, anne);
        _setLands(1, bob);
    }

    /// @dev Begins a match between three players on a row of twelve lands.
    function _beginOfThree(bytes memory anne, bytes memory bob, bytes memory carol) internal {
        _begin(3, Graphs.row(12).encode());
        _setLands(0, anne);
        _setLands(1, bob);
        _setLands(2, carol);
    }

    /// @return graph a row of eight lands. One body of water touches lands 0, 5 and 7
    function _shore() internal pure returns (Graphs.Graph memory graph) {
        graph = Graphs.row(8);
        graph.addWater(hex"000507");
    }

    // ---- commands of the player to move
    // They name the trail in storage, which an open draw changes. Carry out an open draw first.

    function _chooseCapital(uint8 land) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.chooseCapital(number, ply, trail, land);
    }

    function _reinforce(uint8 land) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.reinforce(number, ply, trail, land);
    }

    function _buildPort(uint8 land) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.buildPort(number, ply, trail, land);
    }

    function _pass() internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.pass(number, ply, trail, false);
    }

    function _passPhase() internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.pass(number, ply, trail, true);
    }

    function _surrender() internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.surrender(number, ply, trail);
    }

    function _useItem() internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.useItem(number, ply, trail);
    }

    function _capture(uint8 from, uint8 to) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.capture(number, ply, trail, from, to);
    }

    function _attack(bytes memory pairs) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.attack(number, ply, trail, pairs);
    }

    function _move(uint8 from, uint8 to, uint8 quarters, bool hero) internal {
        (uint32 ply, uint32 trail) = _prankMover();
        game.move(number, ply, trail, from, to, quarters, hero);
    }

    function _prankMover() internal returns (uint32 ply, uint32 trail) {
        uint256 head = _head();
        vm.prank(players[uint8(head >> MOVER)]);
        return (uint32(head >> PLY), uint32(head >> TRAIL));
    }

    // ---- draws and clocks

    /// @dev Carries out the open draw. The deciding block has this hash.
    function _settle(bytes32 seed) internal {
        _decide(seed);
        game.settle(number);
    }

    /// @dev Goes to the first block in which the open draw can be carried out. The deciding block
    /// has this hash.
    function _decide(bytes32 seed) internal {
        vm.roll(_anchor() + 2);
        vm.setBlockhash(_anchor() + 1, seed);
    }

    /// @dev Carries out the open draw after 258 blocks, when the deciding block's hash is no longer
    /// available.
    function _settleLate() internal {
        vm.roll(_anchor() + 258);
        game.settle(number);
    }

    /// @dev Carries out the open draw with a seed for which no item appears.
    function _settle() internal {
        _settle(_seedWithoutItem());
    }

    function _timeout() internal {
        vm.warp(uint40(_head() >> 112));
        game.claimTimeout(number);
    }

    /// @return the random number for a purpose, if the open draw's seed is `seed`
    function _random(bytes32 seed, uint8 purpose, uint8 index) internal view returns (uint256) {
        return uint256(keccak256(abi.encodePacked(seed, number, uint32(_head() >> PLY), purpose, index)));
    }

    /// @return seed a seed for which no item appears
    function _seedWithoutItem() internal view returns (bytes32 seed) {
        for (seed = "none";; seed = keccak256(abi.encode(seed))) {
            if (_random(seed, ITEM_APPEARS, 0) % 100 >= 12) return seed;
        }
    }

    /// @param place the number that chooses among the possible lands, of which there are `places`
    /// @return seed a seed for which an item appears
    function _seedOfItem(bool fat, uint256 place, uint256 places) internal view returns (bytes32 seed) {
        for (seed = "item";; seed = keccak256(abi.encode(seed))) {
            if (_random(seed, ITEM_APPEARS, 0) % 100 >= 12) continue;
            if (_random(seed, ITEM_IS_FAT, 0) % 100 < 5 != fat) continue;
            if (_random(seed, ITEM_LAND, 0) % places == place) return seed;
        }
    }

    /// @return seed a seed for which a collected item has this type. If `appears` is true, the seed
    /// also lets an item appear
    function _seedOfType(uint8 item, bool appears) internal view returns (bytes32 seed) {
        for (seed = "type";; seed = keccak256(abi.encode(seed))) {
            if (appears && _random(seed, ITEM_APPEARS, 0) % 100 >= 12) continue;
            if (appears && _random(seed, ITEM_IS_FAT, 0) % 100 < 5) continue;
            bool bonus = _random(seed, ITEM_IS_BONUS, 0) % 95 < 85;
            uint256 kind = _random(seed, ITEM_KIND, 0);
            if (item == (bonus ? 1 + (kind % 5) : 6 + (kind % 2))) return seed;
        }
    }

    /// @return seed a seed that gives this luck, in percent, to the attack with this index
    function _seedOfLuck(uint256 luck, uint8 index) internal view returns (bytes32 seed) {
        for (seed = "luck";; seed = keccak256(abi.encode(seed))) {
            if (80 + (_random(seed, LUCK, index) % 41) == luck) return seed;
        }
    }

    // ---- views

    function _board() internal view returns (IConquest.BoardView memory) {
        return game.board(number);
    }

    function _assertTurn(uint8 mover, uint8 phase, uint8 draw) internal view {
        IConquest.BoardView memory board = _board();
        vm.assertEq(board.mover, mover, "mover");
        vm.assertEq(board.phase, phase, "phase");
        vm.assertEq(board.draw, draw, "draw");
    }

    function _assertSoldiers(uint24[8] memory soldiers) internal view {
        uint32[] memory found = _board().soldiers;
        for (uint256 land; land < soldiers.length; ++land) {
            vm.assertEq(found[land], soldiers[land], string.concat("soldiers on land ", vm.toString(land)));
        }
    }

    /// @dev Checks the lands of a seat.
    function _assertLands(uint8 seat, bytes memory lands) internal view {
        vm.assertEq(_board().owned[seat], Graphs.setOf(lands), string.concat("lands of seat ", vm.toString(seat)));
    }

    function _assertEnded(address winner, IMatch.Reason reason) internal {
        IConquest.BoardView memory board = _board();
        _assertEnd(board.status, board.reason, reason);
        vm.assertEq(board.mover, NONE, "mover");
        vm.assertEq(board.phase, NONE, "phase");
        vm.assertEq(board.draw, NO_DRAW, "draw");
        vm.assertEq(board.deadline, 0, "deadline");
        if (winner != NOBODY) vm.assertEq(winner, players[board.alive == 1 ? 0 : board.alive == 2 ? 1 : 2]);
        bytes memory over = _wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing);
        vm.expectRevert(over);
        vm.prank(ANNE);
        game.pass(number, board.ply, board.trail, false);
        vm.expectRevert(over);
        game.settle(number);
        vm.expectRevert(over);
        game.claimTimeout(number);
    }
}
