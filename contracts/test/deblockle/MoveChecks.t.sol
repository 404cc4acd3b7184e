// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {DeblockleFixture} from "./support/DeblockleFixture.sol";

/// @title Tests the checks of `makeMove`
contract MoveChecksTest is DeblockleFixture {
    // It should check the match, the player, the turn, the cube and the target, in this order
    function test_ChecksOfAMoveComeInOrder() public {
        terms.cubes = 4;
        _create(NOBODY);
        _assertReverts(CAROL, 7, 0x00, 0x00, abi.encodeWithSelector(IDeblockle.NotStarted.selector, number));
        _join();
        _assertReverts(CAROL, 7, 0x00, 0x00, _notAPlayer(number, CAROL));
        _assertReverts(ANNE, 7, 0x00, 0x00, _staleMove(0, 7));
        _assertReverts(BOB, 7, 0x00, 0x00, _staleMove(0, 7));
        _assertReverts(BOB, 0, 0x00, 0x00, _notYourTurn(BOB, ANNE));
        _assertReverts(ANNE, 0, 0x98, 0x89, _at(IDeblockle.OffBoard.selector, 0x98));
        _assertReverts(ANNE, 0, 0x44, 0x89, _at(IDeblockle.OffBoard.selector, 0x89));
        _assertReverts(ANNE, 0, 0x44, 0x46, _at(IDeblockle.EmptySquare.selector, 0x44));
        _assertReverts(ANNE, 0, 0x53, 0x46, _at(IDeblockle.NotYourCube.selector, 0x53));
        _assertReverts(ANNE, 0, 0x35, 0x46, _at(IDeblockle.RivalsStar.selector, 0x46));
        _assertReverts(ANNE, 0, 0x35, 0x37, _at(IDeblockle.SquareTaken.selector, 0x37));
        _assertReverts(ANNE, 0, 0x35, 0x42, _at(IDeblockle.NotBeside.selector, 0x42));
        _move(0x35, 0x36);
        _assertReverts(ANNE, 1, 0x53, 0x46, _at(IDeblockle.NotYourCube.selector, 0x53));
        _assertReverts(ANNE, 1, 0x55, 0x46, _at(IDeblockle.RivalsStar.selector, 0x46));
        _assertReverts(ANNE, 1, 0x55, 0x57, _at(IDeblockle.WrongPhase.selector, 0x36));
        _assertReverts(ANNE, 1, 0x36, 0x46, _at(IDeblockle.RivalsStar.selector, 0x46));
        _assertReverts(ANNE, 1, 0x36, 0x33, _at(IDeblockle.SquareTaken.selector, 0x33));
        _assertReverts(ANNE, 1, 0x36, 0x25, _at(IDeblockle.BadHop.selector, 3, 0x25));
        _resign(1);
        _assertReverts(CAROL, 7, 0x00, 0x00, _wrongStatus(number, IMatch.Status.Finished, IMatch.Status.Playing));
        number = 99;
        _assertReverts(CAROL, 7, 0x00, 0x00, _noSuchMatch(99));
    }

    // It should revert with StaleMove
    function testFuzz_RevertWhen_ThePlyIsStale(uint32 ply) public {
        vm.assume(ply != 1);
        _begin(4, NEAR);
        _move(0x35, 0x36);
        _assertReverts(ANNE, ply, 0x36, 0x34, _staleMove(1, ply));
        _assertReverts(BOB, ply, 0x53, 0x54, _staleMove(1, ply));
        vm.expectRevert(_staleMove(1, ply));
        vm.prank(ANNE);
        game.passMove(number, ply);
    }

    // It should revert with NotYourTurn
    function test_RevertWhen_TheTurnIsOver() public {
        _begin(4, NEAR);
        _move(0x35, 0x36);
        _move(0x36, 0x34);
        _assertReverts(ANNE, 2, 0x34, 0x35, _notYourTurn(ANNE, BOB));
        vm.expectRevert(_notYourTurn(ANNE, BOB));
        vm.prank(ANNE);
        game.passMove(number, 2);
    }

    // It should revert with WrongPhase if another cube hops
    function test_RevertWhen_AnotherCubeHops() public {
        _begin(4, NEAR);
        _move(0x35, 0x36);
        uint8[2][3] memory hops = [[0x55, 0x54], [0x55, 0x44], [0x57, 0x67]];
        for (uint256 i; i < 3; ++i) {
            _assertReverts(ANNE, 1, hops[i][0], hops[i][1], _at(IDeblockle.WrongPhase.selector, 0x36));
        }
    }

    // It should revert with OffBoard
    function testFuzz_RevertWhen_ASquareIsOffTheBoard(uint8 x, uint8 y) public {
        vm.assume(x == 0 || x > 7 || y == 0 || y > 7);
        _begin(1, NEAR);
        bytes memory revertData = abi.encodeWithSelector(IDeblockle.OffBoard.selector, x, y);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.makeMove(number, 0, x, y, 3, 7);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.makeMove(number, 0, 4, 7, x, y);
    }

    // It should revert with NotBeside if the roll leads around the edge of the board
    function test_RevertWhen_ARollLeadsAroundTheEdge() public {
        _begin(1, NEAR);
        uint8[2][6] memory rolls = [[0x14, 0x73], [0x73, 0x14], [0x11, 0x17], [0x17, 0x11], [0x11, 0x71], [0x77, 0x17]];
        for (uint256 i; i < 6; ++i) {
            _setPosition(_cube(rolls[i][0], 2, 6), _cube(0x44, 2, 6), 0, NO_CUBE);
            _assertReverts(ANNE, 0, rolls[i][0], rolls[i][1], _at(IDeblockle.NotBeside.selector, rolls[i][1]));
        }
    }

    // It should revert with StarOffSquare
    function test_RevertWhen_StarIsOnAnotherSquare() public {
        _begin(1, NEAR);
        _assertReverts(ANNE, 0, 0x47, 0x46, _at(IDeblockle.RivalsStar.selector, 0x46));
        _assertReverts(ANNE, 0, 0x47, 0x57, _at(IDeblockle.StarOffSquare.selector, 1, 0x57));
        _setPosition(_cube(0x43, 2, 4), _cube(0x11, 2, 6), 0, NO_CUBE);
        _assertReverts(ANNE, 0, 0x43, 0x42, _at(IDeblockle.StarOffSquare.selector, 3, 0x42));
    }

    function _assertReverts(address account, uint32 ply, uint8 from, uint8 to, bytes memory revertData) private {
        vm.expectRevert(revertData);
        vm.prank(account);
        game.makeMove(number, ply, from >> 4, from & 15, to >> 4, to & 15);
    }
}
