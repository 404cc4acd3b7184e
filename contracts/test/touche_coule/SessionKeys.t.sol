// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests how a session key plays for an account
contract SessionKeysTest is ToucheCouleFixture {
    uint40 private _until;

    function setUp() public override {
        super.setUp();
        _until = uint40(block.timestamp + 1 hours);
    }

    function _link() private {
        _linkKey(ANNE, KEY, address(game), _until);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyPlaysForItsAccount() public {
        _link();
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, ANNE, NOBODY, 0, 0);
        vm.prank(KEY);
        number = game.create(43, 6, true);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 3, ANNE, 0);
        vm.expectEmit(true, true, true, false, address(game));
        emit IToucheCoule.Registered(number, 0, 1, ANNE, 0, 0, NOBODY);
        _register(KEY);
        _register(ANNE);
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.ShipLimit.selector, ANNE, 2));
        _register(KEY);
        _registerCaptain(BOB);

        uint32 seq = game.seqOf(number);
        vm.expectEmit(address(game));
        emit IToucheCoule.TurnPlayed(number, seq + 2, ANNE, 0, 0, 0);
        vm.prank(KEY);
        game.turn(number, 0);
        for (uint256 i; i < 4; ++i) {
            _turn(KEY);
        }
        vm.expectEmit(true, true, true, false, address(game));
        emit IToucheCoule.Communicated(number, 0, ANNE, 0, 0);
        vm.prank(KEY);
        game.communicate(number);
        _rollToDraw();
        vm.expectEmit(true, true, true, false, address(game));
        emit IToucheCoule.Moved(number, 0, 1, ANNE, 0, 0, 0, 0, 0, 0);
        vm.prank(KEY);
        game.changePosition(number);
    }

    // It should make every call for the account, and all events should name the account
    function test_KeyRegistersACaptain() public {
        _link();
        _open(12, 12, 0, 1);
        _registerCaptain(KEY);
        vm.assertEq(_ship(2).owner, ANNE);
    }

    // It should not be a second player
    function test_KeyAndAccountAreOnePlayer() public {
        _link();
        _open(12, 12, 1, 0);
        _register(KEY);
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.TooFewOwners.selector, 1, 2));
        _start();
    }

    // It should revert with the error of the registry
    function test_RevertWhen_TheLinkHasExpired() public {
        _link();
        _open(12, 12, 1, 1);
        vm.warp(_until);
        _assertKeyReverts(abi.encodeWithSelector(ISessions.Expired.selector, _until, _until));
    }

    // It should revert with the error of the registry
    function test_RevertWhen_TheLinkWasRevokedOrNamesAnotherGame() public {
        _link();
        _open(12, 12, 1, 1);
        vm.prank(ANNE);
        sessions.revoke(KEY);
        bytes memory revertData = abi.encodeWithSelector(ISessions.NotLinked.selector, KEY, address(game));
        _assertKeyReverts(revertData);
        _linkKey(ANNE, KEY, address(0x6A3E), _until);
        _assertKeyReverts(revertData);
        _link();
        vm.prank(KEY);
        game.turn(number, 0);
    }

    // It should play without the registry
    function test_SeatOfTheKeyItself() public {
        _open(12, 12, 1, 0);
        _register(KEY);
        _link();
        vm.etch(address(sessions), hex"5f5ffd"); // revert(0, 0)
        vm.expectEmit(true, true, false, false, address(game));
        emit IToucheCoule.TurnPlayed(number, 0, KEY, 0, 0, 0);
        vm.prank(KEY);
        game.turn(number, 0);
    }

    /// @dev Checks that each call by the key reverts with this error, before and after the start.
    function _assertKeyReverts(bytes memory revertData) private {
        uint256 before = vm.snapshotState();
        address captain = address(new HostileCaptain());
        bytes[4] memory open = [
            abi.encodeCall(game.create, (12, 12, true)),
            abi.encodeWithSignature("register(uint48)", number),
            abi.encodeWithSignature("register(uint48,address)", number, captain),
            abi.encodeCall(game.turn, (number, 0))
        ];
        bytes[3] memory playing = [
            abi.encodeCall(game.turn, (number, 1)),
            abi.encodeCall(game.changePosition, (number)),
            abi.encodeCall(game.communicate, (number))
        ];
        for (uint256 i; i < 7; ++i) {
            if (i == 4) _start();
            _assertReverts(KEY, address(game), i < 4 ? open[i] : playing[i - 4], revertData);
        }
        vm.revertToState(before);
    }
}
