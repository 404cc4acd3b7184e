// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {ISessions} from "./ISessions.sol";

/// @title The registry of session keys, shared by all games
contract Sessions is ISessions, EIP712 {
    /// @dev The last link of a key. `generation` counts the key's links. A new link increases this
    /// number, which removes the permission for the games in the earlier link.
    struct Link {
        address account;
        uint40 until;
        uint48 generation;
        bool live;
    }

    /// @notice The maximum number of games that a link can name.
    uint256 public constant MAX_GAMES = 16;

    bytes32 private constant _LINK_TYPEHASH =
        keccak256("Link(address account,address key,address[] games,uint40 until,uint256 nonce,uint40 deadline)");

    /// @inheritdoc ISessions
    mapping(address account => uint256 nonce) public nonceOf;

    mapping(address key => Link link) private _links;
    mapping(address key => mapping(uint48 generation => mapping(address game => bool named))) private _games;
    mapping(address account => mapping(address key => bytes32 terms)) private _offers;
    mapping(address account => uint256 keys) private _keyCounts;

    constructor() EIP712("Chainboard Sessions", "1") {}

    /// @inheritdoc ISessions
    function link(address account, address[] calldata games, uint40 until, uint40 deadline, bytes calldata signature)
        external
    {
        if (deadline < block.timestamp) revert Expired(deadline, uint40(block.timestamp));
        bytes32 structHash = keccak256(
            abi.encode(
                _LINK_TYPEHASH,
                account,
                msg.sender,
                keccak256(abi.encodePacked(games)),
                until,
                nonceOf[account]++,
                deadline
            )
        );
        if (!_isSignedBy(account, _hashTypedDataV4(structHash), signature)) revert BadSignature(account);
        _link(account, msg.sender, games, until);
    }

    /// @inheritdoc ISessions
    function offer(address key, address[] calldata games, uint40 until) external {
        _requireValidLink(msg.sender, key, games, until);
        _offers[msg.sender][key] = keccak256(abi.encode(games, until));
        emit Offered(msg.sender, key, games, until);
    }

    /// @inheritdoc ISessions
    function accept(address account, address[] calldata games, uint40 until) external {
        if (_offers[account][msg.sender] != keccak256(abi.encode(games, until))) revert NoOffer(account, msg.sender);
        delete _offers[account][msg.sender];
        _link(account, msg.sender, games, until);
    }

    /// @inheritdoc ISessions
    function revoke(address key) external {
        nonceOf[msg.sender]++;
        delete _offers[msg.sender][key];
        Link storage current = _links[key];
        if (current.account == msg.sender && current.live) {
            current.live = false;
            current.generation++;
            _keyCounts[msg.sender]--;
        }
        emit Revoked(msg.sender, key);
    }

    /// @inheritdoc ISessions
    function accountOf(address key, address game) external view returns (address) {
        Link memory current = _links[key];
        if (current.account == address(0)) return key;
        if (!_games[key][current.generation][game]) revert NotLinked(key, game);
        if (current.until <= block.timestamp) revert Expired(current.until, uint40(block.timestamp));
        return current.account;
    }

    /// @dev Returns true if the account made this signature. Checks the account's own key first,
    /// because this key keeps full control even if the account has code (EIP-7702). The code might
    /// not support ERC-1271.
    function _isSignedBy(address account, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && signer == account) return true;
        return
            account.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(account, digest, signature);
    }

    function _link(address account, address key, address[] calldata games, uint40 until) private {
        _requireValidLink(account, key, games, until);
        Link memory current = _links[key];
        if (!current.live) _keyCounts[account]++;
        uint48 generation = current.generation + 1;
        _links[key] = Link(account, until, generation, true);
        for (uint256 i; i < games.length; ++i) {
            _games[key][generation][games[i]] = true;
        }
        emit Linked(account, key, games, until);
    }

    /// @dev Reverts unless the account may have this key. Keys can't form a chain: a key has no
    /// keys itself, and an account with keys can't be a key.
    function _requireValidLink(address account, address key, address[] calldata games, uint40 until) private view {
        if (games.length > MAX_GAMES) revert TooManyGames(games.length, MAX_GAMES);
        if (until <= block.timestamp) revert Expired(until, uint40(block.timestamp));
        if (key == account || key == address(0) || _keyCounts[key] != 0) revert BadKey(key);
        if (_links[account].account != address(0)) revert BadKey(account);
        address owner = _links[key].account;
        if (owner != address(0) && owner != account) revert KeyTaken(key, owner);
    }
}
