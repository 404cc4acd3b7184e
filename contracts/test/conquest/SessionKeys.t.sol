// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IConquest} from "../../src/games/conquest/IConquest.sol";
import {vm} from "../Vm.sol";
import {ConquestFixture} from "./support/ConquestFixture.sol";
import {Graphs} from "./support/Graphs.sol";

/// @title Tests how a session key plays for an account
contract SessionKeysTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    uint40 private _until;
    bytes private _graph = Graphs.row(12).encode();

    function setUp() public override {
        super.setUp();
        _until = uint40(block.timestamp + 30 days);
        _linkKey(BOB, KEY, address(game), _until);
    }

    /// @dev Opens a match for three players. Seats 1 and 2 are reserved, unless the addresses are
    /// zero.
    function _create(address sender, address first, address second) private {
        address[] memory invited = new address[](2);
        (invited[0], invited[1]) = (first, second);
        vm.prank(sender);
        number = game.create("a map", GRAIN, 3, invited, CLOCK, 0, _graph);
    }

    function _join(address account) private {
        vm.prank(account);
        game.join(number);
    }

    function _assertPlayers(address first, address second, address third) private view {
        address[] memory found = _board().players;
        vm.assertEq(found[0], first);
        vm.assertEq(found[1], second);
        vm.assertEq(found[2], third);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyOpensAndLeaves() public {
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, BOB, NOBODY, CLOCK, 0);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(1, 2, BOB, 0);
        _create(KEY, NOBODY, NOBODY);
        vm.expectEmit(address(game));
        emit IConquest.PlayerLeft(1, 5, BOB, 0);
        vm.prank(KEY);
        game.leave(number);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyJoinsAndPlays() public {
        _create(ANNE, NOBODY, NOBODY);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(1, 5, BOB, 1);
        _join(KEY);
        _join(CAROL);
        _settleLate();
        players[1] = KEY;
        _chooseCapital(0);
        _chooseCapital(2);
        _chooseCapital(4);
        _settle();
        _pass();
        _settle();
        _reinforce(2);
        _capture(2, 3);
        _pass();
        _settle();
        _pass();
        _settle();
        _pass();
        _settle();
        _expectCommand(4, "");
        _expectOut(1, NONE, IMatch.Reason.Resigned);
        _surrender();
        _assertPlayers(ANNE, BOB, CAROL);
    }

    // It should not play against its account
    function test_RevertWhen_TheKeyPlaysAgainstItsAccount() public {
        _create(BOB, NOBODY, NOBODY);
        vm.expectRevert(_samePlayer(BOB));
        _join(KEY);
        address[] memory invited = new address[](1);
        invited[0] = BOB;
        vm.expectRevert(_samePlayer(BOB));
        vm.prank(KEY);
        game.create("a map", GRAIN, 2, invited, CLOCK, 0, _graph);
    }

    // It should play for its account, and not take the seat for itself
    function test_TheKeyItselfIsInvited() public {
        _create(ANNE, NOBODY, KEY);
        _join(KEY);
        _assertPlayers(ANNE, BOB, NOBODY);
        vm.expectRevert(_samePlayer(BOB));
        _join(KEY);
        vm.prank(KEY);
        game.leave(number);
        _assertPlayers(ANNE, NOBODY, NOBODY);
        _join(BOB);
        vm.prank(KEY);
        game.leave(number);
        _assertPlayers(ANNE, NOBODY, NOBODY);

        _create(ANNE, CAROL, KEY);
        vm.expectRevert(_notInvited(number, BOB, CAROL));
        _join(KEY);
        _join(CAROL);
        vm.expectRevert(_notInvited(number, BOB, KEY));
        _join(KEY);
    }

    // It should revert with the error of the registry
    function test_RevertWhen_TheLinkWasRevokedOrHasExpired() public {
        for (uint256 way; way < 2; ++way) {
            uint256 snapshot = vm.snapshotState();
            _create(ANNE, NOBODY, NOBODY);
            _join(BOB);
            if (way == 0) {
                vm.prank(BOB);
                sessions.revoke(KEY);
            } else {
                vm.warp(_until);
            }
            bytes memory revertData = way == 0
                ? abi.encodeWithSelector(ISessions.NotLinked.selector, KEY, address(game))
                : abi.encodeWithSelector(ISessions.Expired.selector, _until, _until);
            vm.expectRevert(revertData);
            _join(KEY);
            vm.expectRevert(revertData);
            vm.prank(KEY);
            game.leave(number);
            _join(CAROL);
            _settleLate();
            _chooseCapital(0);
            vm.expectRevert(revertData);
            vm.prank(KEY);
            game.chooseCapital(number, 1, 0, 1);
            vm.expectRevert(revertData);
            _create(KEY, NOBODY, NOBODY);
            vm.revertToState(snapshot);
        }
    }
}
