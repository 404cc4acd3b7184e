// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Session keys: keys that play for an account, in named games and for a limited time
/// @notice A link needs the consent of both the account and the key. Either the key submits the
/// account's EIP-712 signature, or the account offers the link and the key accepts it. Without the
/// key's consent, anybody could name your address as their key and take a seat that you pay for. A
/// key can only ever serve one account. After its first link, the key never acts for itself again.
interface ISessions {
    /// @notice Emitted when `key` is linked to `account`. The key can act for the account in
    /// `games` until the time `until` (seconds since 1970).
    event Linked(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice Emitted when `account` offers a link to `key`. The link starts when the key accepts
    /// it.
    event Offered(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice Emitted when an account revokes its link to `key`. The account's earlier signatures
    /// become void unless a key has already used them.
    event Revoked(address indexed account, address indexed key);

    /// @notice The key is already linked to another account.
    error KeyTaken(address key, address account);
    /// @notice The address can't be a key, or the account can't have keys. An account can't be its
    /// own key, a key can't have keys, and an account with keys can't be a key.
    error BadKey(address key);
    /// @notice The link has expired, or the deadline of the signature has passed. Times are in
    /// seconds since 1970.
    error Expired(uint40 until, uint40 now_);
    /// @notice The key can't act in `game`, because the account revoked the link, or the link
    /// doesn't include the game.
    error NotLinked(address key, address game);
    /// @notice The signature is not the account's signature of exactly this link.
    error BadSignature(address account);
    /// @notice The account has not offered the key a link with these games and this expiry.
    error NoOffer(address account, address key);
    /// @notice The link names more games than `allowed`, the maximum number.
    error TooManyGames(uint256 given, uint256 allowed);

    /// @notice Links the caller, a key, to an account that has signed `Link(address account,address
    /// key,address[] games,uint40 until,uint256 nonce,uint40 deadline)`. The `nonce` is
    /// `nonceOf(account)`, and times are in seconds since 1970. An account with code signs with its
    /// own key if it has one (EIP-7702), otherwise through ERC-1271.
    function link(address account, address[] calldata games, uint40 until, uint40 deadline, bytes calldata signature)
        external;

    /// @notice Offers a link from the calling account to a key.
    function offer(address key, address[] calldata games, uint40 until) external;

    /// @notice Accepts the offer of `account` to the calling key. The key repeats `games` and
    /// `until`, so that it accepts exactly these terms.
    function accept(address account, address[] calldata games, uint40 until) external;

    /// @notice Revokes the link between the calling account and a key. Also withdraws the account's
    /// offer to the key, and voids the account's signatures unless a key has already used them.
    function revoke(address key) external;

    /// @notice Returns the account that `key` acts for in `game`. For an address that was never
    /// linked, returns the address itself. Reverts with Expired if the link has expired, and with
    /// NotLinked if the link was revoked or doesn't include the game.
    function accountOf(address key, address game) external view returns (address);

    /// @notice Returns the nonce that the account's next signature must contain.
    function nonceOf(address account) external view returns (uint256);
}
