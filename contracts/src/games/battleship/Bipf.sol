// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Computes the commitment to a fleet: the SHA-256 hash of the BIPF list [ships, nonce]
/// @dev A BIPF value is the varint `(length in bytes << 3) | type`, followed by the body. The
/// format is specified at https://github.com/ssbc/bipf-spec
library Bipf {
    uint256 private constant _LIST = 4;
    /// @dev The varint at the start of a buffer with 32 bytes: (32 << 3) | 1.
    bytes2 private constant _NONCE_TAG = 0x8102;

    /// @dev Returns the commitment to a fleet, which is the hash of its BIPF list.
    /// @param ships the fleet string, at most 255 bytes long
    function seal(string calldata ships, bytes32 nonce) internal pure returns (bytes32) {
        uint256 length = bytes(ships).length;
        bytes memory tag = _varint(length << 3);
        uint256 body = tag.length + length + _NONCE_TAG.length + nonce.length;
        return sha256(bytes.concat(_varint((body << 3) | _LIST), tag, bytes(ships), _NONCE_TAG, nonce));
    }

    // Both bytes fit, because the number is below 2^14.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @dev Encodes a number below 2^14 as a varint, with seven bits per byte and the lowest bits
    /// first. The highest bit of a byte is set if another byte follows.
    function _varint(uint256 number) private pure returns (bytes memory) {
        if (number < 0x80) return bytes.concat(bytes1(uint8(number)));
        return bytes.concat(bytes1(uint8(number | 0x80)), bytes1(uint8(number >> 7)));
    }
}
