// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A wallet that calls a contract when it receives ether
contract ReentrantWallet {
    bytes4 public answer;
    address private _target;
    bytes private _data;

    function prepare(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    receive() external payable {
        (, bytes memory result) = _target.call(_data);
        answer = bytes4(result);
    }
}
