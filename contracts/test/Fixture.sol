// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../src/IMatch.sol";
import {ISessions} from "../src/ISessions.sol";
import {ITurnBased} from "../src/ITurnBased.sol";
import {vm} from "./Vm.sol";

/// @title Deploys the contracts for the tests, and names the accounts
/// @notice The tests run the compiled code in `artifacts/`, which is also the code that
/// `chainboard deploy` sends. The environment variable ARTIFACTS names another folder, for example
/// one with a planted defect. With `ARTIFACTS=forge`, the tests run the code that Forge compiled:
/// Forge needs this to measure the coverage.
abstract contract Fixture {
    address internal constant ANNE = address(0xA11E);
    address internal constant BOB = address(0xB0B);
    address internal constant CAROL = address(0xCA201);
    address internal constant NOBODY = address(0);
    /// @dev An account that the tests use as a session key.
    address internal constant KEY = address(0x5E55);

    ISessions internal sessions;

    /// @dev Deploys the registry of session keys and a game whose first match has the number 1.
    function _deployGame(string memory name) internal returns (address) {
        sessions = ISessions(_deploy("Sessions", ""));
        return _deploy(name, abi.encode(sessions, uint48(1)));
    }

    /// @dev Deploys a contract and the libraries that it calls.
    /// @param arguments the constructor's arguments, ABI-encoded
    function _deploy(string memory name, bytes memory arguments) internal returns (address created) {
        bytes memory creation = bytes.concat(_creationCode(name), arguments);
        assembly ("memory-safe") {
            created := create(0, add(creation, 0x20), mload(creation))
        }
        vm.assertTrue(created != address(0), string.concat("the constructor of ", name, " reverted"));
    }

    function _creationCode(string memory name) private returns (bytes memory) {
        string memory folder = vm.envOr("ARTIFACTS", string("artifacts"));
        if (keccak256(bytes(folder)) == keccak256("forge")) return vm.getCode(string.concat(name, ".sol:", name));
        string memory artifact = vm.readFile(string.concat(folder, "/", name, ".json"));
        string memory code = vm.parseJsonString(artifact, ".bytecode");
        string[] memory libraries = vm.parseJsonKeys(artifact, ".libraries");
        for (uint256 i; i < libraries.length; ++i) {
            string memory placeholder = vm.parseJsonString(artifact, string.concat(".libraries.", libraries[i]));
            string memory digits = vm.replace(vm.toString(_deploy(libraries[i], "")), "0x", "");
            code = vm.replace(code, placeholder, digits);
        }
        return vm.parseBytes(code);
    }

    /// @dev Links a session key to an account for one game.
    function _linkKey(address account, address key, address game, uint40 until) internal {
        address[] memory games = new address[](1);
        games[0] = game;
        vm.prank(account);
        sessions.offer(key, games, until);
        vm.prank(key);
        sessions.accept(account, games, until);
    }

    // ---- checks

    /// @dev Calls a contract as an account, and checks that the call reverts with this data.
    function _assertReverts(address account, address target, bytes memory data, bytes memory revertData) internal {
        _assertReverts(account, target, 0, data, revertData);
    }

    function _assertReverts(address account, address target, uint256 value, bytes memory data, bytes memory revertData)
        internal
    {
        vm.prank(account);
        (bool success, bytes memory result) = target.call{value: value}(data);
        vm.assertFalse(success, "the call must revert");
        vm.assertEq(result, revertData);
    }

    /// @dev Checks the status and the reason of a match that has ended.
    function _assertEnd(IMatch.Status status, IMatch.Reason current, IMatch.Reason expected) internal pure {
        bool isCancelled = expected == IMatch.Reason.Cancelled;
        vm.assertEq(uint8(status), uint8(isCancelled ? IMatch.Status.Cancelled : IMatch.Status.Finished), "status");
        vm.assertEq(uint8(current), uint8(expected), "reason");
    }

    // ---- errors that all games share

    function _noSuchMatch(uint48 matchId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IMatch.NoSuchMatch.selector, matchId);
    }

    function _notAPlayer(uint48 matchId, address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IMatch.NotAPlayer.selector, matchId, account);
    }

    function _wrongStatus(uint48 matchId, IMatch.Status current, IMatch.Status needed)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(IMatch.WrongStatus.selector, matchId, current, needed);
    }

    function _staleMove(uint32 current, uint32 given) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IMatch.StaleMove.selector, current, given);
    }

    function _samePlayer(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITurnBased.SamePlayer.selector, account);
    }

    function _notInvited(uint48 matchId, address account, address invited) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITurnBased.NotInvited.selector, matchId, account, invited);
    }
}
