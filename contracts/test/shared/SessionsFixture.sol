// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISessions} from "../../src/ISessions.sol";
import {Fixture} from "../Fixture.sol";
import {vm} from "../Vm.sol";

/// @title An account, and a session key for it
abstract contract SessionsFixture is Fixture {
    address internal constant GAME = address(0x6A3E);
    address internal constant OTHER_GAME = address(0x6A3E2);
    uint256 internal constant PRIVATE_KEY = 0xACC0;
    uint256 internal constant STRANGERS_PRIVATE_KEY = 0xBAD;

    address internal _account;
    address[] internal _games;
    /// @dev The time when the links expire, and the last time when signatures are valid.
    uint40 internal _until;
    uint40 internal _deadline;

    function setUp() public {
        sessions = ISessions(_deploy("Sessions", ""));
        _account = vm.addr(PRIVATE_KEY);
        _games.push(GAME);
        _until = uint40(block.timestamp + 1 hours);
        _deadline = _until - 10 minutes;
    }

    function _link(bytes memory signature) internal {
        vm.prank(KEY);
        sessions.link(_account, _games, _until, _deadline, signature);
    }

    function _offer(address account, address key) internal {
        vm.prank(account);
        sessions.offer(key, _games, _until);
    }

    function _accept() internal {
        vm.prank(KEY);
        sessions.accept(_account, _games, _until);
    }

    /// @dev Returns the EIP-712 hash that the account signs. The link expires at `_until`, and the
    /// deadline is `_deadline`.
    function _digest(address key, uint256 nonce, uint256 chainId, address registry) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Chainboard Sessions"),
                keccak256("1"),
                chainId,
                registry
            )
        );
        bytes32 terms = keccak256(
            abi.encode(
                keccak256(
                    "Link(address account,address key,address[] games,uint40 until,uint256 nonce,uint40 deadline)"
                ),
                _account,
                key,
                keccak256(abi.encodePacked(_games)),
                _until,
                nonce,
                _deadline
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, terms));
    }

    function _sign(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function _badSignature(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISessions.BadSignature.selector, account);
    }

    function _badKey(address key) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISessions.BadKey.selector, key);
    }

    function _notLinked(address game) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISessions.NotLinked.selector, KEY, game);
    }

    function _noOffer() internal view returns (bytes memory) {
        return abi.encodeWithSelector(ISessions.NoOffer.selector, _account, KEY);
    }

    function _expired(uint40 until) internal view returns (bytes memory) {
        return abi.encodeWithSelector(ISessions.Expired.selector, until, block.timestamp);
    }
}
