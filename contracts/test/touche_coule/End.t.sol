// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Vm, vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests how a match ends
contract EndTest is ToucheCouleFixture {
    HostileCaptain[] private _captains;

    /// @dev Starts a match in which each ship has a captain. Ship i + 1 belongs to `owners[i]`.
    function _beginWithCaptains(address[] memory owners) private {
        _open(12, 12, 0, 0);
        delete _captains;
        for (uint256 i; i < owners.length; ++i) {
            _captains.push(_registerCaptain(owners[i]));
        }
        _start();
    }

    function _aim(uint16 ship, uint16 at_) private {
        _captains[ship - 1].behave(HostileCaptain.Manner.Fires, _cell(at_));
    }

    // It should let the last owner with a ship afloat win
    function test_Won() public {
        _beginWithCaptains(_owners(ANNE, ANNE, BOB, NOBODY));
        _aim(2, 3);
        _rollToDraw();
        uint32 seq = game.seqOf(number);
        vm.expectEmit(true, false, false, false, address(game));
        emit IToucheCoule.Fired(number, 0, "");
        vm.expectEmit(true, true, false, false, address(game));
        emit IToucheCoule.Touched(number, 0, 3, 0, 0, 0);
        vm.expectEmit(address(game));
        emit IToucheCoule.TurnPlayed(number, seq + 3, BOB, 1, uint40(block.number - 1), blockhash(block.number - 1));
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, seq + 4, ANNE, IMatch.Reason.Won);
        vm.prank(BOB);
        game.turn(number, 1);
        _assertEnded(ANNE, IMatch.Reason.Won);
        vm.assertEq(_board().seq, seq + 4, "seq");
        _assertOver(IMatch.Status.Finished);
    }

    // It should let the last owner with a ship afloat win
    function test_WonWithOneOfTwoShips() public {
        for (uint16 sunk = 1; sunk < 3; ++sunk) {
            _beginWithCaptains(_owners(ANNE, ANNE, BOB, NOBODY));
            _aim(3, sunk);
            _aim(3 - sunk, 3);
            _turn(BOB);
            _assertEnded(ANNE, IMatch.Reason.Won);
            vm.assertTrue(_ship(3 - sunk).afloat, "afloat");
        }
    }

    // It should go on while two owners have ships afloat
    function test_TwoOwnersAreLeft() public {
        _beginWithCaptains(_owners(ANNE, BOB, BOB, CAROL));
        _aim(2, 4);
        _turn(ANNE);
        _assertStatus(IMatch.Status.Playing);
        vm.assertEq(_board().winner, NOBODY);
        _aim(1, 2);
        _turn(ANNE);
        _assertStatus(IMatch.Status.Playing);
        _aim(1, 3);
        _turn(BOB);
        _assertEnded(ANNE, IMatch.Reason.Won);
    }

    // It should end the match as a draw
    function test_Draw() public {
        _beginWithCaptains(_owners(ANNE, BOB, CAROL, NOBODY));
        _aim(1, 2);
        _aim(2, 3);
        _aim(3, 1);
        _rollToDraw();
        uint32 seq = game.seqOf(number);
        vm.recordLogs();
        vm.prank(ANNE);
        game.turn(number, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(_countLogs(logs, IToucheCoule.Touched.selector), 3, "sunk ships");
        vm.assertEq(logs[5].topics[0], IMatch.MatchEnded.selector);
        vm.assertEq(logs[5].data, abi.encode(seq + 6, IMatch.Reason.Draw));
        _assertEnded(NOBODY, IMatch.Reason.Draw);
        _assertOver(IMatch.Status.Finished);
    }

    // It should cancel the match, whoever calls
    // It should revert with NotExpired
    function testFuzz_Expire(address anybody, uint16 plies) public {
        _beginWithCaptains(_owners(ANNE, BOB, NOBODY, NOBODY));
        for (uint256 i; i < plies % 3; ++i) {
            vm.warp(block.timestamp + 1 hours);
            _turn(ANNE);
        }
        uint40 deadline = _board().deadline;
        vm.assertEq(deadline, block.timestamp + 1 days, "deadline");
        vm.warp(deadline - 1);
        vm.expectRevert(abi.encodeWithSelector(IMatch.NotExpired.selector, deadline - 1, deadline));
        game.expire(number);
        vm.warp(deadline);
        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IMatch.MatchEnded(number, seq + 1, NOBODY, IMatch.Reason.Cancelled);
        vm.prank(anybody);
        game.expire(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
        vm.assertEq(_board().seq, seq + 1, "seq");
        _assertOver(IMatch.Status.Cancelled);
    }

    // It should accept the turn
    function test_TurnAfterTheDeadline() public {
        _beginWithCaptains(_owners(ANNE, BOB, NOBODY, NOBODY));
        vm.warp(_board().deadline + 1000 days);
        _turn(ANNE);
        vm.assertEq(_board().deadline, block.timestamp + 1 days, "deadline");
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchHasNotBegun() public {
        _open(12, 12, 2, 1);
        vm.warp(block.timestamp + 1000 days);
        bytes[3] memory calls = [
            abi.encodeCall(game.changePosition, (number)),
            abi.encodeCall(game.communicate, (number)),
            abi.encodeCall(game.expire, (number))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(
                ANNE, address(game), calls[i], _wrongStatus(number, IMatch.Status.Open, IMatch.Status.Playing)
            );
        }
    }

    /// @dev Checks that no call can change the match any more.
    function _assertOver(IMatch.Status status) private {
        bytes[4] memory calls = [
            abi.encodeCall(game.turn, (number, _board().ply)),
            abi.encodeCall(game.changePosition, (number)),
            abi.encodeCall(game.communicate, (number)),
            abi.encodeCall(game.expire, (number))
        ];
        vm.roll(block.number + 10);
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(ANNE, address(game), calls[i], _wrongStatus(number, status, IMatch.Status.Playing));
        }
    }

    /// @dev Returns these owners without the zero addresses at the end.
    function _owners(address a, address b, address c, address d) private pure returns (address[] memory owners) {
        owners = new address[](c == NOBODY ? 2 : d == NOBODY ? 3 : 4);
        (owners[0], owners[1]) = (a, b);
        if (owners.length > 2) owners[2] = c;
        if (owners.length > 3) owners[3] = d;
    }
}
