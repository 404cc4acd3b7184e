// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {ITurnBased} from "../../src/ITurnBased.sol";
import {ITicTacToe} from "../../src/games/tic_tac_toe/ITicTacToe.sol";
import {vm} from "../Vm.sol";
import {TicTacToeFixture} from "./TicTacToeFixture.sol";

/// @title Tests how a session key plays for an account
contract SessionKeysTest is TicTacToeFixture {
    uint40 private _until;

    function setUp() public override {
        super.setUp();
        _until = uint40(block.timestamp + 1 hours);
        _linkKey(ANNE, KEY, address(game), _until);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyPlaysForItsAccount() public {
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(2, 1, ANNE, CAROL, 0, 0);
        number = _create(KEY, CAROL, 0);
        vm.prank(CAROL);
        game.accept(number);
        for (uint32 ply; ply < hostWins.length; ++ply) {
            if (ply % 2 == 0) {
                vm.expectEmit(true, true, false, false, address(game));
                emit ITicTacToe.Moved(number, 0, 0, ANNE, 0, 0, 0);
            }
            vm.prank(ply % 2 == 0 ? KEY : CAROL);
            game.move(number, ply, uint8(hostWins[ply]) / 3, uint8(hostWins[ply]) % 3);
        }
        _assertEnded(ANNE, IMatch.Reason.Won);

        vm.prank(KEY);
        uint48 next = game.rematch(number);
        vm.assertEq(game.board(next).challenger, ANNE);
        vm.prank(CAROL);
        game.accept(next);
        vm.expectRevert(abi.encodeWithSelector(ITurnBased.NotYourTurn.selector, next, ANNE, CAROL));
        vm.prank(KEY);
        game.move(next, 0, 0, 0);
        vm.prank(KEY);
        game.resign(next);
        vm.assertEq(game.board(next).winner, CAROL);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyJoinsRestartsAndCloses() public {
        number = _create(CAROL, ANNE, 0);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 3, ANNE, 1);
        vm.prank(KEY);
        game.accept(number);
        vm.expectEmit(address(game));
        emit ITicTacToe.RestartOffered(number, 5, ANNE, 0);
        vm.prank(KEY);
        game.offerRestart(number);
        vm.prank(CAROL);
        number = game.acceptRestart(number, 0);
        vm.prank(CAROL);
        game.offerRestart(number);
        vm.prank(KEY);
        game.acceptRestart(number, 0);

        number = _create(KEY, NOBODY, 0);
        vm.prank(KEY);
        game.close(number);
        _assertEnded(NOBODY, IMatch.Reason.Cancelled);
    }

    // It should not play against its account
    function test_RevertWhen_TheKeyPlaysAgainstItsAccount() public {
        number = _create(ANNE, NOBODY, 0);
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(KEY);
        game.accept(number);
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(KEY);
        game.create(ANNE, 0);
    }

    // It should not take the seat
    function test_RevertWhen_TheKeyItselfIsInvited() public {
        number = _create(CAROL, KEY, 0);
        vm.expectRevert(_notInvited(number, ANNE, KEY));
        vm.prank(KEY);
        game.accept(number);
        number = _create(ANNE, KEY, 0);
        vm.expectRevert(_samePlayer(ANNE));
        vm.prank(KEY);
        game.accept(number);
        vm.prank(KEY);
        game.close(number);
    }

    // It should revert with the error of the registry
    function test_RevertWhen_TheLinkHasExpired() public {
        (uint48 open, uint48 invited) = (_create(CAROL, NOBODY, 0), _create(CAROL, KEY, 0));
        vm.warp(_until);
        _assertKeyReverts(open, invited, abi.encodeWithSelector(ISessions.Expired.selector, _until, _until));
    }

    // It should revert with the error of the registry
    function test_RevertWhen_TheLinkWasRevoked() public {
        (uint48 open, uint48 invited) = (_create(CAROL, NOBODY, 0), _create(CAROL, KEY, 0));
        vm.prank(ANNE);
        sessions.revoke(KEY);
        _assertKeyReverts(open, invited, abi.encodeWithSelector(ISessions.NotLinked.selector, KEY, address(game)));
    }

    // It should play its own seat, even if the registry fails
    function test_KeyHasItsOwnSeat() public {
        _linkKey(CAROL, BOB, address(game), _until);
        vm.etch(address(sessions), hex"fe");
        _move(4);
        vm.expectEmit(true, true, false, false, address(game));
        emit ITicTacToe.Moved(number, 0, 0, BOB, 0, 0, 0);
        vm.prank(BOB);
        game.move(number, 1, 0, 0);
    }

    /// @dev Checks that each call by the key reverts with this error.
    function _assertKeyReverts(uint48 open, uint48 invited, bytes memory revertData) private {
        bytes[6] memory calls = [
            abi.encodeCall(game.move, (number, 0, 0, 0)),
            abi.encodeCall(game.offerRestart, (number)),
            abi.encodeCall(game.resign, (number)),
            abi.encodeCall(game.accept, (open)),
            abi.encodeCall(game.accept, (invited)),
            abi.encodeCall(game.create, (NOBODY, 0))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(KEY, address(game), calls[i], revertData);
        }
    }
}
