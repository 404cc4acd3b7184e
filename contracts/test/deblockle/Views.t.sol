// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests `cubeState`, `gameState`, `status` and `matchRange`
contract ViewsTest is DeblockleFixture {
    // It should return the cube's owner, its faces and its net
    function test_CubeState() public {
        _begin();
        _assertCube(0x41, 1, IDeblockle.Cube(4, 4, 1, 5, 3, 1), " L\nPTS\n H\n X");
        _play(1, 7);
        _assertCube(0x54, 0, IDeblockle.Cube(0, 5, 4, 2, 6, 4), " P\nLXH\n S\n T");
    }

    function _assertCube(uint8 square, uint8 owner, IDeblockle.Cube memory expected, string memory expectedNet)
        private
        view
    {
        (uint8 seat, IDeblockle.Cube memory cube, string memory net) = game.cubeState(number, square >> 4, square & 15);
        vm.assertEq(seat, owner, "seat");
        vm.assertEq(abi.encode(cube), abi.encode(expected));
        vm.assertEq(bytes(net), bytes(expectedNet));
    }

    // It should revert with OffBoard or EmptySquare
    function testFuzz_RevertWhen_NoCubeIsOnTheSquare(uint8 x, uint8 y) public {
        vm.assume(x != 4 || (y != 1 && y != 7));
        _begin();
        bool exists = x > 0 && x < 8 && y > 0 && y < 8;
        bytes4 selector = exists ? IDeblockle.EmptySquare.selector : IDeblockle.OffBoard.selector;
        vm.expectRevert(abi.encodeWithSelector(selector, x, y));
        game.cubeState(number, x, y);
    }

    // It should revert with OffBoard or EmptySquare
    function test_RevertWhen_ASquareIsEmpty() public {
        _begin();
        for (uint8 cell; cell < 49; ++cell) {
            uint8 square = _square(cell);
            if (square == 0x41 || square == 0x47) continue;
            vm.expectRevert(_at(IDeblockle.EmptySquare.selector, square));
            game.cubeState(number, square >> 4, square & 15);
        }
    }

    // It should return the phase, the seat to move and the cubes
    function test_GameState() public {
        _create(NOBODY);
        _assertGameState(IDeblockle.Phase.Roll, 0);
        _join();
        _assertGameState(IDeblockle.Phase.Roll, 0);
        _play(1, 1);
        _assertGameState(IDeblockle.Phase.Roll, 1);
        _play(2, 3);
        _assertGameState(IDeblockle.Phase.Hop, 0);
        _resign(0);
        _assertGameState(IDeblockle.Phase.End, 1); // the winner's seat
        _create(NOBODY);
        vm.prank(ANNE);
        game.cancel(number);
        _assertGameState(IDeblockle.Phase.End, 0);
    }

    function _assertGameState(IDeblockle.Phase expected, uint8 expectedSeat) private view {
        (IDeblockle.Phase phase, uint8 seat, IDeblockle.Cube[] memory cubes) = game.gameState(number);
        vm.assertEq(uint8(phase), uint8(expected), "phase");
        vm.assertEq(uint8(_board().phase), uint8(expected), "the board's phase");
        vm.assertEq(seat, expectedSeat, "seat");
        vm.assertEq(abi.encode(cubes), abi.encode(_board().left));
    }

    // It should return the deposits of the players who have joined
    function test_Status() public {
        (terms.stake, terms.rate) = (STAKE, RATE);
        _create(BOB);
        _assertStatus(STAKE, 0, 0, 0);
        _join();
        _wait(10);
        _assertStatus(STAKE, STAKE, 0, 20);
        _withdraw(1);
        _assertStatus(STAKE, STAKE, 0, 0);
        _resign(1);
        _assertStatus(STAKE, STAKE, 2 * STAKE - 20, 0);
        _create(BOB);
        vm.prank(ANNE);
        game.cancel(number);
        _assertStatus(STAKE, 0, STAKE, 0);
        _withdraw(0);
        _assertStatus(STAKE, 0, 0, 0);
    }

    function _assertStatus(uint96 annes, uint96 bobs, uint128 dueToAnne, uint128 dueToBob) private view {
        (address[2] memory seats, address token, uint96 rate, uint96[2] memory deposits, uint128[2] memory due) =
            game.status(number);
        vm.assertEq(seats[0], ANNE);
        vm.assertEq(seats[1], BOB);
        vm.assertEq(token, NOBODY);
        vm.assertEq(rate, RATE, "rate");
        vm.assertEq(deposits[0], annes, "ANNE's deposit");
        vm.assertEq(deposits[1], bobs, "BOB's deposit");
        vm.assertEq(due[0], dueToAnne, "due to ANNE");
        vm.assertEq(due[1], dueToBob, "due to BOB");
    }

    // It should count the matches from the first number on
    function test_MatchRange() public {
        for (uint48 count = 1; count < 4; ++count) {
            (uint48 first, uint48 next) = game.matchRange();
            vm.assertEq(first, 1, "the first match");
            vm.assertEq(next, count, "the next match");
            _create(NOBODY);
            vm.assertEq(number, count, "the match's number");
        }
    }

    // It should revert with NoSuchMatch
    function testFuzz_RevertWhen_TheMatchDoesNotExist(uint48 other) public {
        _begin();
        vm.assume(other != number);
        bytes[13] memory calls = [
            abi.encodeCall(game.board, (other)),
            abi.encodeCall(game.gameState, (other)),
            abi.encodeCall(game.cubeState, (other, 4, 7)),
            abi.encodeCall(game.status, (other)),
            abi.encodeCall(game.streamed, (other)),
            abi.encodeCall(game.seqOf, (other)),
            abi.encodeCall(game.join, (other, 1, NEAR, NOBODY, 0, 0, CLOCK)),
            abi.encodeCall(game.cancel, (other)),
            abi.encodeCall(game.makeMove, (other, 0, 4, 7, 3, 7)),
            abi.encodeCall(game.passMove, (other, 0)),
            abi.encodeCall(game.resign, (other)),
            abi.encodeCall(game.claimTimeout, (other)),
            abi.encodeCall(game.withdraw, (other))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(ANNE, address(game), calls[i], _noSuchMatch(other));
        }
    }
}
