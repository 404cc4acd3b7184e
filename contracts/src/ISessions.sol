// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Session keys: a key plays for an account, in named games, until a given time
/// @notice The account and the key must both agree to a link. Either the key submits the account's
/// EIP-712 signature, or the account offers the link and the key accepts it. Without this rule,
/// somebody could name your address as their key, and take a seat that you pay for. A key serves a
/// single account forever. Once linked, it never acts for itself again.
interface ISessions {
    /// @notice `key` plays for `account` in `games` until `until` (seconds since 1970).
    event Linked(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice `account` offers a link to `key`, which has to accept it.
    event Offered(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice The link between `key` and `account` is over. Earlier signatures of the account are
    /// void.
    event Revoked(address indexed account, address indexed key);

    /// @notice The key already serves another account.
    error KeyTaken(address key, address account);
    /// @notice An account can't be its own key. An account that has a key can't be a key for
    /// another account.
    error BadKey(address key);
    /// @notice `until` or the signature's deadline has passed.
    error Expired(uint40 until, uint40 now_);
    /// @notice The key's link was revoked, or doesn't include this game.
    error NotLinked(address key, address game);
    /// @notice The signature isn't from the account, or isn't for exactly this link.
    error BadSignature(address account);
    /// @notice The account has not made this offer to the key, or the terms differ.
    error NoOffer(address account, address key);
    /// @notice A link includes at most `allowed` games.
    error TooManyGames(uint256 given, uint256 allowed);

    /// @notice Links the caller, a key, to an account. The account has signed `Link(address
    /// account,address key,address[] games,uint40 until,uint256 nonce,uint40 deadline)`, where
    /// `nonce` is `nonceOf(account)`. An account with code signs with its own key if it has one
    /// (EIP-7702), otherwise by ERC-1271.
    function link(
        address account,
        address[] calldata games,
        uint40 until,
        uint40 deadline,
        bytes calldata signature
    ) external;

    /// @notice Offers a link to a key. The account calls this function.
    function offer(address key, address[] calldata games, uint40 until) external;

    /// @notice Accepts the offer of `account`. The key calls this function, and repeats `games` and
    /// `until` to agree to exactly these terms.
    function accept(address account, address[] calldata games, uint40 until) external;

    /// @notice Revokes the key's link, withdraws an offer to the key, and voids unused signatures.
    /// The account calls this function.
    function revoke(address key) external;

    /// @notice Returns the account that `key` acts for in `game`: its account, or the key itself if
    /// it was never linked. Reverts with Expired if the link has expired, or with NotLinked if it
    /// was revoked or doesn't include the game.
    function accountOf(address key, address game) external view returns (address);

    /// @notice Returns the nonce that the account's next signature must carry.
    function nonceOf(address account) external view returns (uint256);
}
