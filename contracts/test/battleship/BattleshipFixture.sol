// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {Bipf} from "../../src/games/battleship/Bipf.sol";
import {IBattleship} from "../../src/games/battleship/IBattleship.sol";
import {Fixture} from "../Fixture.sol";
import {vm} from "../Vm.sol";

/// @title A match between ANNE (seat 0) and BOB (seat 1), who fires first
/// @notice Each player has sealed the fleet in `ships`, and answers a shot as a hit if the tile is
/// in `answers`. These are the tiles of FLEET_0 and FLEET_1, even if a test seals other fleets.
abstract contract BattleshipFixture is Fixture {
    uint24 internal constant CLOCK = 1 hours;
    uint96 internal constant STAKE = 1 ether;
    uint8 internal constant NO_TILE = 255;

    string internal constant FLEET_0 = "PH12 SH81 DV7 BV51 CH40";
    string internal constant FLEET_1 = "PV0 SV8 DH90 BH36 CV49";
    /// @dev A valid fleet that doesn't match the answers of either player.
    string internal constant OTHER_FLEET = "PH0 SH9 DH18 BH27 CH36";

    IBattleship internal game;
    uint48 internal number;
    address[2] internal players = [ANNE, BOB];
    string[2] internal ships = [FLEET_0, FLEET_1];
    bytes32[2] internal nonces;
    bytes[2] internal answers;

    function setUp() public virtual {
        game = IBattleship(_deployGame("Battleship"));
        answers[0] = hex"070c0d101928292a2b2c333c454e515253";
        answers[1] = hex"000809111a24252627313a434c555a5b5c";
        vm.deal(ANNE, 100 ether);
        vm.deal(BOB, 100 ether);
    }

    // ---- calls

    /// @dev Opens a match as ANNE, with a stake in this token. The zero address means ether.
    function _invite(address opponent, uint24 clock, address token, uint96 stake) internal {
        nonces = [bytes32(uint256(2 * number + 1)), bytes32(uint256(2 * number + 2))];
        bytes32 commitment = this.seal(ships[0], nonces[0]);
        vm.prank(ANNE);
        number = game.invite{value: token == NOBODY ? stake : 0}(opponent, commitment, clock, token, stake);
    }

    /// @dev Accepts the match as BOB, who fires at this tile.
    function _accept(uint8 tile) internal {
        IBattleship.BoardView memory board = _board();
        bytes32 commitment = this.seal(ships[1], nonces[1]);
        vm.prank(BOB);
        game.accept{value: board.token == NOBODY ? board.stake : 0}(number, commitment, tile);
    }

    /// @dev Answers the pending shot truthfully and fires at `tile`, as the player to move.
    function _move(uint8 tile) internal {
        IBattleship.BoardView memory board = _board();
        _move(_contains(answers[board.mover == ANNE ? 0 : 1], board.pending), tile);
    }

    function _move(bool hit, uint8 tile) internal {
        IBattleship.BoardView memory board = _board();
        vm.prank(board.mover);
        game.move(number, board.ply, board.pending, hit, tile);
    }

    /// @dev Accepts the match, and plays until BOB or ANNE has hit all tiles of the fleet in the
    /// seat `loser`. The loser's shots all miss.
    function _sink(uint8 loser) internal {
        bytes memory targets = answers[loser];
        (uint256 next, uint8 water) = (0, 0);
        for (bool accepted; !_board().revealing;) {
            uint8 shooter = accepted ? (_board().mover == ANNE ? 0 : 1) : 1;
            uint8 tile = NO_TILE;
            if (shooter == loser) {
                while (_contains(answers[1 - loser], water)) {
                    ++water;
                }
                tile = water++;
            } else if (next < targets.length) {
                tile = uint8(targets[next++]);
            }
            if (accepted) _move(tile);
            else _accept(tile);
            accepted = true;
        }
    }

    function _surrender(uint8 seat) internal {
        vm.prank(players[seat]);
        game.surrender(number, ships[seat], nonces[seat], "");
    }

    function _reveal(uint8 seat) internal {
        vm.prank(players[seat]);
        game.reveal(number, ships[seat], nonces[seat], "");
    }

    /// @dev Claims the timeout at the deadline.
    function _timeout() internal {
        vm.warp(_board().deadline);
        game.claimTimeout(number);
    }

    function _withdraw(uint8 seat) internal {
        vm.prank(players[seat]);
        game.withdraw(number);
    }

    // ---- views

    function _board() internal view returns (IBattleship.BoardView memory) {
        return game.board(number);
    }

    function _assertEnded(address winner, IMatch.Reason reason) internal view {
        IBattleship.BoardView memory board = _board();
        _assertEnd(board.status, board.reason, reason);
        vm.assertEq(board.winner, winner);
        vm.assertEq(board.mover, NOBODY);
        vm.assertEq(board.deadline, 0, "deadline");
        vm.assertFalse(board.revealing, "revealing");
    }

    /// @dev Returns the commitment to a fleet, computed by the contract's own library. `test_Seal`
    /// compares the library with other implementations.
    function seal(string calldata fleet, bytes32 nonce) external pure returns (bytes32) {
        return Bipf.seal(fleet, nonce);
    }

    function _contains(bytes memory tiles, uint8 tile) internal pure returns (bool) {
        for (uint256 i; i < tiles.length; ++i) {
            if (uint8(tiles[i]) == tile) return true;
        }
        return false;
    }

    function _nothingDue(address account) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IBattleship.NothingDue.selector, number, account);
    }
}
