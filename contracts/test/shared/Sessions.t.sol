// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISessions} from "../../src/ISessions.sol";
import {vm} from "../Vm.sol";
import {SessionsFixture} from "./SessionsFixture.sol";

/// @title Answers each ERC-1271 question with the same value
contract Signer {
    bytes4 private immutable _ANSWER;

    constructor(bytes4 answer) {
        _ANSWER = answer;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return _ANSWER;
    }
}

contract SessionsTest is SessionsFixture {
    // ---- link

    // It should link the key to the account in the named games
    // It should accept the signature only once
    // It should return the account
    function test_Link() public {
        bytes memory signature = _sign(PRIVATE_KEY, _digest(KEY, 0, block.chainid, address(sessions)));
        vm.expectRevert(_badSignature(_account));
        vm.prank(CAROL);
        sessions.link(_account, _games, _until, _deadline, signature);

        vm.expectEmit(address(sessions));
        emit ISessions.Linked(_account, KEY, _games, _until);
        _link(signature);
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
        vm.assertEq(sessions.nonceOf(_account), 1, "nonce");
        vm.expectRevert(_badSignature(_account));
        _link(signature);
    }

    // It should revert with BadSignature
    function testFuzz_RevertWhen_TheSignatureIsForSomethingElse(
        address key,
        uint256 nonce,
        uint256 chainId,
        address registry,
        uint256 privateKey
    ) public {
        privateKey = 1 + (privateKey % (type(uint256).max >> 2));
        vm.assume(privateKey != PRIVATE_KEY && key != KEY && nonce != 0);
        vm.assume(chainId != block.chainid && registry != address(sessions));
        bytes32[5] memory digests = [
            _digest(key, 0, block.chainid, address(sessions)),
            _digest(KEY, nonce, block.chainid, address(sessions)),
            _digest(KEY, 0, chainId, address(sessions)),
            _digest(KEY, 0, block.chainid, registry),
            _digest(KEY, 0, block.chainid, address(sessions))
        ];
        for (uint256 i; i < digests.length; ++i) {
            bytes memory signature = _sign(i == 4 ? privateKey : PRIVATE_KEY, digests[i]);
            vm.expectRevert(_badSignature(_account));
            _link(signature);
        }
    }

    // It should ask the contract whether the signature is valid (ERC-1271)
    function test_LinkAContract() public {
        address no = address(new Signer(0xffffffff));
        vm.expectRevert(_badSignature(no));
        vm.prank(KEY);
        sessions.link(no, _games, _until, _deadline, "any");
        address yes = address(new Signer(Signer.isValidSignature.selector));
        vm.prank(KEY);
        sessions.link(yes, _games, _until, _deadline, "any");
        vm.assertEq(sessions.accountOf(KEY, GAME), yes);
    }

    // It should accept a signature by the account's private key
    function test_LinkADelegatedAccount() public {
        // The code stops, reverts or returns 0.
        bytes[3] memory codes = [bytes(hex"00"), hex"5f5ffd", hex"5f5f5260205ff3"];
        for (uint256 i; i < codes.length; ++i) {
            uint256 before = vm.snapshotState();
            vm.etch(CAROL, codes[i]);
            vm.etch(_account, bytes.concat(hex"ef0100", bytes20(CAROL)));
            bytes32 digest = _digest(KEY, 0, block.chainid, address(sessions));
            bytes memory signature = _sign(STRANGERS_PRIVATE_KEY, digest);
            vm.expectRevert(_badSignature(_account));
            _link(signature);
            _link(_sign(PRIVATE_KEY, digest));
            vm.assertEq(sessions.accountOf(KEY, GAME), _account);
            vm.revertToState(before);
        }
    }

    // It should revert with Expired
    function test_RevertWhen_TheDeadlineHasPassed() public {
        bytes memory signature = _sign(PRIVATE_KEY, _digest(KEY, 0, block.chainid, address(sessions)));
        vm.warp(_deadline + 1);
        vm.expectRevert(_expired(_deadline));
        _link(signature);
        vm.warp(_deadline);
        _link(signature);
    }

    // It should revert with Expired
    function test_RevertWhen_TheSignedLinkHasExpired() public {
        _deadline = _until;
        bytes memory signature = _sign(PRIVATE_KEY, _digest(KEY, 0, block.chainid, address(sessions)));
        vm.warp(_until);
        vm.expectRevert(_expired(_until));
        _link(signature);
    }

    // ---- offer, accept

    // It should link the key to the account in the named games
    // It should accept the offer only once
    // It should revert with NoOffer
    // It should return the key itself
    function test_Accept() public {
        vm.expectEmit(address(sessions));
        emit ISessions.Offered(_account, KEY, _games, _until);
        _offer(_account, KEY);
        vm.assertEq(sessions.accountOf(KEY, GAME), KEY);
        vm.expectRevert(_noOffer());
        vm.prank(KEY);
        sessions.accept(_account, _games, _until + 1);
        address[] memory others = new address[](1);
        others[0] = OTHER_GAME;
        vm.expectRevert(_noOffer());
        vm.prank(KEY);
        sessions.accept(_account, others, _until);

        vm.expectEmit(address(sessions));
        emit ISessions.Linked(_account, KEY, _games, _until);
        _accept();
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
        vm.expectRevert(_noOffer());
        _accept();
    }

    // It should revert with KeyTaken
    function test_RevertWhen_AnotherAccountHasUsedTheKey() public {
        _linkKey(_account, KEY, GAME, _until);
        for (uint256 i; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ISessions.KeyTaken.selector, KEY, _account));
            _offer(CAROL, KEY);
            address thief = address(new Signer(Signer.isValidSignature.selector));
            vm.expectRevert(abi.encodeWithSelector(ISessions.KeyTaken.selector, KEY, _account));
            vm.prank(KEY);
            sessions.link(thief, _games, _until, _deadline, "any");
            vm.prank(_account);
            sessions.revoke(KEY);
        }
    }

    // It should revert with BadKey
    function test_RevertWhen_TheKeyCannotBeAKey() public {
        _linkKey(_account, KEY, GAME, _until);
        vm.expectRevert(_badKey(KEY));
        _offer(KEY, CAROL);
        vm.expectRevert(_badKey(_account));
        _offer(CAROL, _account);
        vm.expectRevert(_badKey(_account));
        _offer(_account, _account);
        vm.expectRevert(_badKey(NOBODY));
        _offer(_account, NOBODY);
    }

    // It should revert with Expired
    function test_RevertWhen_TheOfferedLinkHasExpired() public {
        _offer(_account, KEY);
        vm.warp(_until);
        vm.expectRevert(_expired(_until));
        _offer(_account, KEY);
        vm.expectRevert(_expired(_until));
        _accept();
    }

    // It should revert with TooManyGames
    function test_RevertWhen_TheLinkNamesTooManyGames() public {
        for (uint160 i = 1; i < 16; ++i) {
            _games.push(address(i));
        }
        _offer(_account, KEY);
        _games.push(OTHER_GAME);
        vm.expectRevert(abi.encodeWithSelector(ISessions.TooManyGames.selector, 17, 16));
        _offer(_account, KEY);
    }

    // ---- revoke, accountOf

    // It should end the link in all games
    // It should revert with NotLinked
    // It should link the key only in the new games
    function test_Revoke() public {
        _games.push(OTHER_GAME);
        _offer(_account, KEY);
        _accept();
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
        vm.assertEq(sessions.accountOf(KEY, OTHER_GAME), _account);
        vm.expectEmit(address(sessions));
        emit ISessions.Revoked(_account, KEY);
        vm.prank(_account);
        sessions.revoke(KEY);
        vm.expectRevert(_notLinked(GAME));
        sessions.accountOf(KEY, GAME);
        vm.expectRevert(_notLinked(OTHER_GAME));
        sessions.accountOf(KEY, OTHER_GAME);

        _linkKey(_account, KEY, OTHER_GAME, _until);
        vm.assertEq(sessions.accountOf(KEY, OTHER_GAME), _account);
        vm.expectRevert(_notLinked(GAME));
        sessions.accountOf(KEY, GAME);
    }

    // It should link the key only in the new games
    function test_NewLinkReplacesTheOldOne() public {
        _linkKey(_account, KEY, GAME, _until);
        _linkKey(_account, KEY, OTHER_GAME, _until);
        vm.assertEq(sessions.accountOf(KEY, OTHER_GAME), _account);
        vm.expectRevert(_notLinked(GAME));
        sessions.accountOf(KEY, GAME);
        // The two links count as one key. After `revoke`, the account can therefore become a key.
        vm.prank(_account);
        sessions.revoke(KEY);
        _linkKey(CAROL, _account, GAME, _until);
    }

    // It should void the unused signatures and offers
    function test_RevokeVoidsWhatIsUnused() public {
        bytes memory signature = _sign(PRIVATE_KEY, _digest(KEY, 0, block.chainid, address(sessions)));
        _offer(_account, KEY);
        vm.prank(_account);
        sessions.revoke(KEY);
        vm.expectRevert(_badSignature(_account));
        _link(signature);
        vm.expectRevert(_noOffer());
        _accept();
    }

    // It should leave the link unchanged
    function testFuzz_RevokeByAnybodyElse(address stranger) public {
        vm.assume(stranger != _account);
        _linkKey(_account, KEY, GAME, _until);
        vm.prank(stranger);
        sessions.revoke(KEY);
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
    }

    // It should return the account
    // It should revert with Expired
    function testFuzz_AccountOf(uint16 left, uint32 late) public {
        _linkKey(_account, KEY, GAME, _until);
        vm.warp(_until - 1 - left % 1 hours);
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
        vm.warp(_until - 1);
        vm.assertEq(sessions.accountOf(KEY, GAME), _account);
        vm.warp(_until);
        vm.expectRevert(_expired(_until));
        sessions.accountOf(KEY, GAME);
        vm.warp(uint256(_until) + late);
        vm.expectRevert(_expired(_until));
        sessions.accountOf(KEY, GAME);
    }
}
