// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDuel} from "../../src/IDuel.sol";
import {IMatch} from "../../src/IMatch.sol";
import {ISessions} from "../../src/ISessions.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {Vm, vm} from "../Vm.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {Handler} from "./Handler.sol";

/// @title Makes random calls to a game with stakes, and follows the money
/// @notice The currencies are ether, a good token, a token that takes a fee, and a token whose
/// behaviour changes at random. The functions, events and errors of IDeblockle that it uses are the
/// same in IBattleship.
abstract contract MoneyHandler is Handler {
    uint256 internal constant ETHER = 0;
    uint256 internal constant GOOD = 1;
    uint256 internal constant FEE = 2;
    uint256 internal constant HOSTILE = 3;

    address[4] internal currencies;

    /// @dev The amount that came in for a match, minus the amount that went out, in its currency.
    mapping(uint48 matchId => uint256) private _held;
    /// @dev The amounts that the call must have added to the game's balance and taken from it, by
    /// currency.
    uint256[4] private _came;
    uint256[4] private _went;
    address private _caller;

    constructor() {
        currencies = [address(0), address(new HostileToken()), address(new HostileToken()), address(new HostileToken())];
        _hostile(FEE).behave(HostileToken.Manner.FeeOnTransfer, address(0), "");
        for (uint256 i; i < 4; ++i) {
            vm.deal(accounts[i], 1e40);
            vm.deal(keys[i], 1e40);
            for (uint256 currency = 1; currency < 4; ++currency) {
                _hostile(currency).mint(accounts[i], 1e40);
                vm.prank(accounts[i]);
                _hostile(currency).approve(GAME, type(uint256).max);
            }
        }
    }

    function _act() internal override {
        uint256 kind = _draw(16);
        if (kind > 2 || newest == 0) return super._act();
        if (kind == 0) return _behave();
        uint48 matchId = _match();
        _withdraw(_sender(_players(matchId)[_draw(2)]), matchId);
    }

    /// @dev Changes the behaviour of the hostile token, or lets a wallet reject ether. During a
    /// transfer, the token can call the game.
    function _behave() private {
        if (_draw(4) == 0) return vm.etch(accounts[_draw(4)], _draw(2) == 0 ? bytes("") : bytes(hex"5f5ffd"));
        bytes4[4] memory functions = [
            IDeblockle.withdraw.selector, IDuel.claimTimeout.selector, IDeblockle.cancel.selector, IMatch.seqOf.selector
        ];
        bytes memory data = abi.encodeWithSelector(functions[_draw(4)], _match());
        uint256 manners = uint256(type(HostileToken.Manner).max) + 1;
        HostileToken.Manner manner = HostileToken.Manner(_draw(2) == 0 ? 0 : _draw(manners));
        if (manner == HostileToken.Manner.BurnsGas) return; // a call would use up Forge's gas limit
        address target = manner == HostileToken.Manner.Reenters ? GAME : accounts[_draw(4)];
        _hostile(HOSTILE).behave(manner, target, data);
    }

    function _withdraw(address sender, uint48 matchId) private {
        _pay(sender, 0, matchId, abi.encodeCall(IDeblockle.withdraw, (matchId)));
    }

    /// @notice Ends all matches and pays everybody, first while the hostile token and the wallets
    /// still misbehave. Checks that the game has no money left.
    function endAll() external override {
        _payAll();
        _hostile(HOSTILE).behave(HostileToken.Manner.Good, address(0), "");
        for (uint256 i; i < 4; ++i) {
            vm.etch(accounts[i], "");
        }
        _payAll();
        uint256[4] memory left = _balances();
        for (uint256 currency; currency < 4; ++currency) {
            if (left[currency] != 0) _fail("the game still has money after the end of all matches");
        }
    }

    function _payAll() private {
        for (uint48 matchId = 1; matchId <= newest; ++matchId) {
            timeOut(matchId);
            address[2] memory players = _players(matchId);
            (address token,) = _terms(matchId);
            _pay(players[0], 0, matchId, abi.encodeCall(IDeblockle.cancel, (matchId)));
            for (uint256 seat; seat < 2; ++seat) {
                address player = players[seat];
                if (player == address(0)) continue;
                _withdraw(player, matchId);
                if (succeeded || lastError == IDeblockle.NothingDue.selector) continue;
                bool isBlocked = token == address(0) ? player.code.length != 0 : token == currencies[HOSTILE];
                if (!isBlocked) _fail("somebody else's token or wallet has blocked a withdrawal");
            }
        }
    }

    /// @dev Makes a call, and checks that the money moves as the events and the rules say.
    function _pay(address sender, uint256 value, uint48 matchId, bytes memory data) internal {
        uint256[4] memory before = _balances();
        (_came, _went) = ([uint256(0), 0, 0, 0], [uint256(0), 0, 0, 0]);
        uint48 last = newest;
        _caller = sender;
        _call(sender, value, matchId, data);
        uint256[4] memory now_ = _balances();
        for (uint256 currency; currency < 4; ++currency) {
            if (now_[currency] + _went[currency] != before[currency] + _came[currency]) {
                _fail("the game's balance differs from what the events say");
            }
        }
        if (newest != last) matchId = newest;
        if (matchId == 0 || matchId > newest) return;
        if (_held[matchId] != _owed(matchId)) _fail("what came in is not what went out plus what is owed");
    }

    function _onEvent(uint48 matchId, Vm.Log memory log) internal virtual override {
        if (log.topics[0] == IMatch.PlayerJoined.selector) {
            (address token, uint256 stake) = _terms(matchId);
            _came[_currencyOf(token)] += stake;
            _held[matchId] += stake;
            if (_isKey(_caller) && stake != 0) _fail("a session key joined with a stake");
        } else if (log.topics[0] == IDeblockle.Withdrawn.selector) {
            (, address token, uint256 amount) = abi.decode(log.data, (uint32, address, uint256));
            address account = address(uint160(uint256(log.topics[2])));
            address[2] memory players = _players(matchId);
            if (account != players[0] && account != players[1]) _fail("somebody else was paid");
            if (_isKey(_caller)) _fail("a session key moved money");
            if (amount > _held[matchId]) _fail("a match has paid more than it holds");
            else _held[matchId] -= amount;
            _went[_currencyOf(token)] += amount;
        }
    }

    function _balances() internal view returns (uint256[4] memory balances) {
        balances[ETHER] = GAME.balance;
        for (uint256 currency = 1; currency < 4; ++currency) {
            balances[currency] = _hostile(currency).ledger(GAME);
        }
    }

    function _hostile(uint256 currency) internal view returns (HostileToken) {
        return HostileToken(currencies[currency]);
    }

    /// @dev Returns a random currency, rarely the token with a fee, because both games reject it.
    function _currency() internal returns (uint256) {
        uint256 kind = _draw(16);
        return kind == 0 ? FEE : kind < 4 ? HOSTILE : kind < 9 ? GOOD : ETHER;
    }

    /// @dev Returns a random stake of any magnitude.
    function _stake() internal returns (uint96) {
        return uint96(_draw(4) == 0 ? 0 : _draw(2 ** (1 + _draw(96))));
    }

    /// @dev Returns the ether to send with a deposit, once in 16 times too much.
    function _value(address token, uint96 stake) internal returns (uint256) {
        return (token == address(0) ? stake : 0) + (_draw(16) == 0 ? 1 : 0);
    }

    function _currencyOf(address token) internal view returns (uint256 currency) {
        while (currencies[currency] != token) ++currency;
    }

    function _players(uint48 matchId) internal view virtual returns (address[2] memory);
    function _terms(uint48 matchId) internal view virtual returns (address token, uint256 stake);
    /// @dev Returns the amount that the match owes to its players by the rules, due or not.
    function _owed(uint48 matchId) internal virtual returns (uint256);
}
