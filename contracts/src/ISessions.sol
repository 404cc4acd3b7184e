// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Session keys: a key plays for an account, in named games, until a given time
/// @notice Both sides must agree to a link. Either the key submits the account's EIP-712 signature,
/// or the account offers the link and the key accepts it. Otherwise somebody could name your
/// address as their key and take the seat that you pay for. A key serves a single account forever.
/// Once linked, it never acts for itself again.
interface ISessions {
    /// @notice `key` plays for `account` in `games` until `until` (seconds since 1970).
    event Linked(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice `account` offers a link to `key`, which has to accept it.
    event Offered(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice The link is over. Earlier signatures of the account are void.
    event Revoked(address indexed account, address indexed key);

    /// @notice The key already serves another account.
    error KeyTaken(address key, address account);
    /// @notice An account can't be its own key. It can't be a key for others while it has a key
    /// itself.
    error BadKey(address key);
    /// @notice `until` or the signature's deadline has passed.
    error Expired(uint40 until, uint40 now_);
    /// @notice The link was revoked, or doesn't include this game.
    error NotLinked(address key, address game);
    /// @notice The signature is not the account's signature for exactly this link.
    error BadSignature(address account);
    /// @notice The account has not made this offer to the key, or the terms differ.
    error NoOffer(address account, address key);
    /// @notice A link names at most `allowed` games.
    error TooManyGames(uint256 given, uint256 allowed);

    /// @notice Links the caller, a key, to an account. The account has signed
    /// `Link(address account,address key,address[] games,uint40 until,uint256 nonce,uint40
    /// deadline)`,
    /// where `nonce` is `nonceOf(account)`. Accounts with code sign with their own key if they have
    /// one (EIP-7702), or by ERC-1271.
    function link(
        address account,
        address[] calldata games,
        uint40 until,
        uint40 deadline,
        bytes calldata signature
    ) external;

    /// @notice Offers a link to a key. The account calls it.
    function offer(address key, address[] calldata games, uint40 until) external;

    /// @notice Accepts the offer of `account`. The key calls it and repeats `games` and `until`, so
    /// that it agrees to exactly these.
    function accept(address account, address[] calldata games, uint40 until) external;

    /// @notice Revokes the link, withdraws an offer and voids unused signatures. The account calls
    /// this.
    function revoke(address key) external;

    /// @notice Returns the account that `key` acts for in `game`: its account, or itself if it was
    /// never linked.
    /// Reverts with Expired or NotLinked if the link is no longer valid, or doesn't include the
    /// game.
    function accountOf(address key, address game) external view returns (address);

    /// @notice Returns the nonce that the account's next signature must carry.
    function nonceOf(address account) external view returns (uint256);
}
