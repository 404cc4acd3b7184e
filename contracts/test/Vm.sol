// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The cheatcodes of Forge that the tests use
/// @notice Forge answers the calls to this interface. Its book documents each function.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function accesses(address account) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function addr(uint256 privateKey) external pure returns (address);
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external pure;
    function cool(address account) external;
    function deal(address account, uint256 balance) external;
    function envOr(string calldata name, string calldata value) external view returns (string memory);
    function envOr(string calldata name, uint256 value) external view returns (uint256);
    function etch(address account, bytes calldata code) external;
    function expectEmit(address emitter) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function expectRevert(bytes calldata revertData) external;
    function expectRevert(bytes4 selector) external;
    function getCode(string calldata artifact) external view returns (bytes memory);
    function getNonce(address account) external view returns (uint64);
    function getRecordedLogs() external returns (Log[] memory);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function load(address account, bytes32 slot) external view returns (bytes32);
    function parseBytes(string calldata hexadecimal) external pure returns (bytes memory);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonKeys(string calldata json, string calldata key) external pure returns (string[] memory);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonUintArray(string calldata json, string calldata key) external pure returns (uint256[] memory);
    function parseUint(string calldata number) external pure returns (uint256);
    function prank(address sender) external;
    function prevrandao(uint256 randao) external;
    function readFile(string calldata path) external view returns (string memory);
    function record() external;
    function recordLogs() external;
    function replace(string calldata text, string calldata from, string calldata to)
        external
        pure
        returns (string memory);
    function revertToState(uint256 snapshot) external returns (bool);
    function roll(uint256 blockNumber) external;
    function setBlockhash(uint256 blockNumber, bytes32 blockHash) external;
    function setNonce(address account, uint64 nonce) external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function skip(bool skipTest) external;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gas);
    function snapshotState() external returns (uint256 snapshot);
    function store(address account, bytes32 slot, bytes32 value) external;
    function toString(uint256 value) external pure returns (string memory);
    function toString(address value) external pure returns (string memory);
    function warp(uint256 timestamp) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
