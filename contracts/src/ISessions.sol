// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Session keys: a key that plays for an account, in named games, until a time
/// @notice A link needs both sides: the account's EIP-712 signature handed in by the key itself, or the
/// account's offer and the key's acceptance. Otherwise somebody could name your address as their key and take the seat
/// you pay for. A key serves one account for ever; once linked it never acts for itself again.
interface ISessions {
    /// @notice `key` plays for `account` in `games` until `until` (seconds since 1970).
    event Linked(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice `account` offers `key` a link; it waits for the key's acceptance.
    event Offered(address indexed account, address indexed key, address[] games, uint40 until);

    /// @notice The link is over. Signatures that the account gave before are void.
    event Revoked(address indexed account, address indexed key);

    /// @notice The key serves another account already.
    error KeyTaken(address key, address account);
    /// @notice An account can't be its own key, nor be a key for others while it has one.
    error BadKey(address key);
    /// @notice `until` or the signature's deadline has passed.
    error Expired(uint40 until, uint40 now_);
    /// @notice The link was revoked, or doesn't name this game.
    error NotLinked(address key, address game);
    /// @notice The signature is not the account's for exactly this link.
    error BadSignature(address account);
    /// @notice No such offer is waiting.
    error NoOffer(address account, address key);
    /// @notice At most this many games a link.
    error TooManyGames(uint256 given, uint256 allowed);

    /// @notice Called by the key, with the account's signature over
    /// `Link(address account,address key,address[] games,uint40 until,uint256 nonce,uint40 deadline)`,
    /// where `nonce` is `nonceOf(account)`. Accounts with code sign by their own key, where they have
    /// one (EIP-7702), or by ERC-1271.
    function link(
        address account,
        address[] calldata games,
        uint40 until,
        uint40 deadline,
        bytes calldata signature
    ) external;

    /// @notice Called by the account: offers the link to a key.
    function offer(address key, address[] calldata games, uint40 until) external;

    /// @notice Called by the key: accepts what `account` offered. `games` and `until` repeat the offer, so that
    /// the key agrees to exactly these.
    function accept(address account, address[] calldata games, uint40 until) external;

    /// @notice Called by the account: ends the link, withdraws an offer, and voids unused signatures.
    function revoke(address key) external;

    /// @notice For whom `key` acts in `game`: its account, or itself when it was never linked.
    /// Reverts with Expired or NotLinked when there was a link that doesn't hold (any more).
    function accountOf(address key, address game) external view returns (address);

    /// @notice The nonce that the account's next signature must carry.
    function nonceOf(address account) external view returns (uint256);
}
