// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../../src/IMatch.sol";
import {ITurnBased} from "../../../src/ITurnBased.sol";
import {IDeblockle} from "../../../src/games/deblockle/IDeblockle.sol";
import {Fixture} from "../../Fixture.sol";
import {vm} from "../../Vm.sol";

/// @title Matches between ANNE (seat 0), who moves first, and BOB (seat 1)
/// @notice A square (x, y) is the number 16 * x + y, so that 0x47 is the square (4, 7).
abstract contract DeblockleFixture is Fixture {
    /// @dev The terms of a match. The tests change `terms` before they open a match.
    struct Terms {
        uint8 cubes;
        uint8 ruleset;
        address token;
        uint96 stake;
        uint96 rate;
        uint24 clock;
    }

    uint24 internal constant CLOCK = 1 hours;
    /// @dev The stake and the rate of the example in the game's rules.
    uint96 internal constant STAKE = 1000;
    uint96 internal constant RATE = 2;
    /// @dev The seconds after which a deposit has streamed back.
    uint256 internal constant DURATION = STAKE / RATE;

    uint8 internal constant NEAR = 0;
    uint8 internal constant BOARD = 1;
    uint8 internal constant NO_CUBE = 255;
    /// @dev A cube that has left the board, as `_setPosition` expects it.
    uint256 internal constant REMOVED = 63;
    /// @dev The example match in the game's rules: the two squares of each ply. ANNE wins.
    bytes internal constant EXAMPLE = hex"4737415137363644515252564454544356554342";

    uint256 private constant _STATES_SLOT = 1;
    uint256 private constant _MOVER_SHIFT = 80;
    uint256 private constant _GAME_SHIFT = 152;
    uint256 private constant _HOPPER_SHIFT = 88;

    IDeblockle internal game;
    uint48 internal number;
    Terms internal terms = Terms(1, NEAR, NOBODY, 0, 0, CLOCK);
    address[2] internal players = [ANNE, BOB];

    function setUp() public virtual {
        game = IDeblockle(_deployGame("Deblockle"));
        vm.warp(1_800_000_000);
        vm.deal(ANNE, type(uint128).max);
        vm.deal(BOB, type(uint128).max);
        vm.deal(CAROL, type(uint128).max);
    }

    // ---- calls

    /// @dev Opens a match as ANNE, with `terms`.
    function _create(address opponent) internal {
        _create(ANNE, opponent, 0);
    }

    function _create(address account, address opponent, uint48 rematchOf) internal {
        Terms memory t = terms;
        uint256 value = _ether(t);
        vm.prank(account);
        uint48 created =
            game.create{value: value}(opponent, t.cubes, t.ruleset, t.token, t.stake, t.rate, t.clock, rematchOf);
        if (created != 0) number = created; // after an expected revert, the call returns 0
    }

    function _join() internal {
        _join(BOB, terms);
    }

    function _join(address account, Terms memory t) internal {
        uint256 value = _ether(t);
        vm.prank(account);
        game.join{value: value}(number, t.cubes, t.ruleset, t.token, t.stake, t.rate, t.clock);
    }

    /// @dev Starts a match with `terms`.
    function _begin() internal {
        _create(NOBODY);
        _join();
    }

    /// @dev Starts a match without a stake.
    function _begin(uint8 cubes, uint8 ruleset) internal {
        (terms.cubes, terms.ruleset, terms.stake, terms.rate) = (cubes, ruleset, 0, 0);
        _begin();
    }

    /// @dev Starts a match with one cube per player and the stake of the example.
    function _beginWithStake() internal {
        (terms.stake, terms.rate) = (STAKE, RATE);
        _begin();
    }

    /// @dev Rolls or hops as the player to move.
    function _move(uint8 from, uint8 to) internal {
        _move(from, to, "");
    }

    /// @dev Rolls or hops as the player to move. Expects an error if `revertData` is not empty.
    function _move(uint8 from, uint8 to, bytes memory revertData) internal {
        IDeblockle.BoardView memory board = _board();
        if (revertData.length != 0) vm.expectRevert(revertData);
        vm.prank(board.mover);
        game.makeMove(number, board.ply, from >> 4, from & 15, to >> 4, to & 15);
    }

    /// @dev Plays the plies of the example match from `first` to `last`, counted from 1.
    function _play(uint256 first, uint256 last) internal {
        for (uint256 i = first; i <= last; ++i) {
            _move(uint8(EXAMPLE[2 * i - 2]), uint8(EXAMPLE[2 * i - 1]));
        }
    }

    function _pass() internal {
        IDeblockle.BoardView memory board = _board();
        vm.prank(board.mover);
        game.passMove(number, board.ply);
    }

    function _resign(uint8 seat) internal {
        vm.prank(players[seat]);
        game.resign(number);
    }

    /// @dev Claims the timeout, at the deadline or now, whichever is later.
    function _timeout() internal {
        uint256 deadline = _board().deadline;
        if (block.timestamp < deadline) vm.warp(deadline);
        game.claimTimeout(number);
    }

    function _withdraw(uint8 seat) internal {
        vm.prank(players[seat]);
        game.withdraw(number);
    }

    function _wait(uint256 duration) internal {
        vm.warp(block.timestamp + duration);
    }

    // ---- positions

    /// @dev A cube on a square, as `_setPosition` expects it.
    function _cube(uint8 square, uint8 up, uint8 front) internal pure returns (uint256) {
        uint256 rank; // among the faces that can be in front
        for (uint8 face = 1; face < front; ++face) {
            if (face != up && face != 7 - up) ++rank;
        }
        return 7 * (uint256(square & 15) - 1) + (square >> 4) - 1 + ((4 * (uint256(up) - 1) + rank) << 6);
    }

    /// @dev Writes a position of the match into the contract's storage.
    /// @param cubes the cubes by id; all four cubes of each player are in the match
    /// @param hopper the cube that can hop, or NO_CUBE in the phase Roll
    function _setPosition(uint256[8] memory cubes, uint8 seat, uint8 hopper) internal {
        uint256 position;
        for (uint256 id; id < 8; ++id) {
            position |= cubes[id] << (11 * id);
        }
        if (hopper != NO_CUBE) position |= (2 * uint256(hopper) + 1) << _HOPPER_SHIFT;
        bytes32 slot = keccak256(abi.encode(number, _STATES_SLOT));
        uint256 state = uint256(vm.load(address(game), slot));
        state &= ~((uint256(type(uint8).max) << _MOVER_SHIFT) | (((1 << 92) - 1) << _GAME_SHIFT));
        vm.store(address(game), slot, bytes32(state | (uint256(seat) << _MOVER_SHIFT) | (position << _GAME_SHIFT)));
    }

    /// @dev A position with one cube of each player.
    function _setPosition(uint256 annes, uint256 bobs, uint8 seat, uint8 hopper) internal {
        _setPosition([annes, REMOVED, REMOVED, REMOVED, bobs, REMOVED, REMOVED, REMOVED], seat, hopper);
    }

    /// @dev Returns a bitboard with these squares: bit 7 * (y - 1) + x - 1.
    function _mask(bytes memory squares) internal pure returns (uint64 mask) {
        for (uint256 i; i < squares.length; ++i) {
            mask |= uint64(1) << (7 * (uint8(squares[i]) & 15) + (uint8(squares[i]) >> 4) - 8);
        }
    }

    function _square(uint256 cell) internal pure returns (uint8) {
        return uint8(16 * (cell % 7 + 1) + cell / 7 + 1);
    }

    /// @dev Returns the square of a cube, or 0 if the cube is not on the board.
    function _squareOf(IDeblockle.BoardView memory board, uint8 id) internal pure returns (uint8) {
        for (uint256 i; i < board.left.length; ++i) {
            if (board.left[i].id == id) return 16 * board.left[i].x + board.left[i].y;
        }
        return 0;
    }

    /// @dev Returns the adjacent square in the direction 0 forward (y - 1), 1 right (x + 1), 2
    /// backward (y + 1) or 3 left (x - 1). The coordinates can be off the board.
    function _beside(uint8 square, uint256 direction) internal pure returns (uint8) {
        if (direction == 0) return square - 1;
        if (direction == 1) return square + 16;
        return direction == 2 ? square + 1 : square - 16;
    }

    function _star(uint256 seat) internal pure returns (uint8) {
        return seat == 0 ? 0x42 : 0x46;
    }

    // ---- views

    function _board() internal view returns (IDeblockle.BoardView memory) {
        return game.board(number);
    }

    /// @dev Returns the amounts that the players can withdraw now.
    function _due() internal view returns (uint128[2] memory due) {
        (,,,, due) = game.status(number);
    }

    function _assertDue(uint256 annes, uint256 bobs) internal view {
        vm.assertEq(_due()[0], annes, "due to ANNE");
        vm.assertEq(_due()[1], bobs, "due to BOB");
    }

    /// @dev Withdraws for a seat, and checks the paid amount of ether.
    function _assertPaid(uint8 seat, uint256 amount) internal {
        uint256 before = players[seat].balance;
        _withdraw(seat);
        vm.assertEq(players[seat].balance - before, amount, "paid amount");
    }

    function _assertNothingDue(uint8 seat) internal {
        vm.expectRevert(_nothingDue(players[seat]));
        _withdraw(seat);
    }

    /// @dev Checks the seconds of finished turns.
    function _assertSeconds(uint256 annes, uint256 bobs) internal view {
        vm.assertEq(_board().streamed[0], annes, "ANNE's seconds");
        vm.assertEq(_board().streamed[1], bobs, "BOB's seconds");
    }

    function _assertStreamed(uint256 annes, uint256 bobs) internal view {
        uint256[2] memory amounts = game.streamed(number);
        vm.assertEq(amounts[0], annes, "streamed back to ANNE");
        vm.assertEq(amounts[1], bobs, "streamed back to BOB");
    }

    function _assertEnded(address winner, IMatch.Reason reason) internal view {
        IDeblockle.BoardView memory board = _board();
        _assertEnd(board.status, board.reason, reason);
        vm.assertEq(board.winner, winner);
        vm.assertEq(board.mover, NOBODY);
        vm.assertEq(board.deadline, 0, "deadline");
        vm.assertEq(uint8(board.phase), uint8(IDeblockle.Phase.End), "phase");
        vm.assertEq(board.hopper, NO_CUBE, "hopper");
        vm.assertEq(board.rolls, 0, "rolls");
        vm.assertEq(board.hops, 0, "hops");
    }

    // ---- errors

    function _nothingDue(address account) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IDeblockle.NothingDue.selector, number, account);
    }

    function _notExpired(uint256 deadline) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IMatch.NotExpired.selector, block.timestamp, deadline);
    }

    function _notYourTurn(address account, address mover) internal view returns (bytes memory) {
        return abi.encodeWithSelector(ITurnBased.NotYourTurn.selector, number, account, mover);
    }

    /// @dev An error whose only values are the coordinates of a square.
    function _at(bytes4 selector, uint8 square) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, square >> 4, square & 15);
    }

    /// @dev An error whose values are the top face and the coordinates of a square.
    function _at(bytes4 selector, uint8 up, uint8 square) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, up, square >> 4, square & 15);
    }

    function _ether(Terms memory t) private pure returns (uint256) {
        return t.token == NOBODY ? t.stake : 0;
    }
}
