// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IDeblockle} from "../../src/games/deblockle/IDeblockle.sol";
import {vm} from "../Vm.sol";
import {HostileToken} from "../tokens/HostileToken.sol";
import {TokenFixture} from "../tokens/TokenFixture.sol";
import {RandomMoves} from "./support/RandomMoves.sol";

/// @title Plays random matches with stakes in ether, in a good token and in a hostile token
/// @notice After each call, the test computes the streams itself, and compares the amounts.
contract ConservationTest is RandomMoves, TokenFixture {
    /// @dev A match, and the seconds for which the deposits have streamed in finished turns.
    struct Record {
        uint48 number;
        Terms terms;
        address mover;
        uint256 turnStart;
        uint256[2] elapsed;
    }

    uint256 private constant CURRENCIES = 3;
    uint256 private constant STEPS = 60;

    Record[] private _records;
    uint256 private _seed;
    uint96[2][5] private _stakes =
        [[uint96(60), 1], [uint96(1000), 3], [uint96(1001), 2], [uint96(1 ether + 7), 1e16], [type(uint96).max, 1e27]];

    function setUp() public override {
        super.setUp();
        _deployTokens(players, address(game), type(uint128).max);
    }

    // It should owe each player what the rules say, and hold at least what it owes in each currency
    // It should have paid exactly what was deposited when all matches have ended
    /// forge-config: default.fuzz.runs = 50
    function testFuzz_Matches(uint256 seed) public {
        _seed = seed;
        for (uint256 i; i < CURRENCIES; ++i) {
            terms.token = i == 0 ? NOBODY : i == 1 ? address(goodToken) : address(badToken);
            _beginAtRandom();
        }
        for (uint256 i; i < STEPS; ++i) {
            _stepAtRandom(_records[_random(CURRENCIES)]);
        }
        _behave(GOOD);
        for (uint256 i; i < CURRENCIES; ++i) {
            _finish(_records[i]);
        }
        for (uint256 i; i < CURRENCIES; ++i) {
            vm.assertEq(_held(_records[i].terms.token), 0, "the contract's balance");
        }
    }

    function _beginAtRandom() private {
        uint96[2] memory stake = _stakes[_random(5)];
        (terms.stake, terms.rate) = (stake[0], stake[1]);
        (terms.cubes, terms.ruleset) = (uint8(1 + _random(4)), uint8(_random(2)));
        terms.clock = _random(2) == 0 ? 60 : 600;
        _begin();
        Record storage match_ = _records.push();
        (match_.number, match_.terms, match_.mover, match_.turnStart) = (number, terms, ANNE, block.timestamp);
    }

    /// @dev Makes a call that can fail.
    function _stepAtRandom(Record storage match_) private {
        number = match_.number;
        _wait(_random(2) * _random(40));
        uint256 choice = _random(10);
        IDeblockle.BoardView memory board = _board();
        if (choice == 9) {
            bytes memory calling = abi.encodeCall(game.withdraw, (number));
            badToken.behave(HostileToken.Manner(_random(18)), address(game), calling);
        } else if (choice > 6 || board.status != IMatch.Status.Playing) {
            vm.prank(players[_random(2)]);
            try game.withdraw(number) {} catch {}
        } else if (choice == 6) {
            vm.prank(board.mover);
            try game.passMove(number, board.ply) {} catch {}
        } else if (choice == 5) {
            try game.claimTimeout(number) {} catch {}
        } else {
            _moveAtRandom(_random(64));
        }
        _assertAmounts(match_);
    }

    /// @dev Ends a match that is in progress, and withdraws all amounts.
    function _finish(Record storage match_) private {
        number = match_.number;
        if (_board().status == IMatch.Status.Playing) {
            if (_random(2) == 0) _timeout();
            else _resign(uint8(_random(2)));
        }
        _assertAmounts(match_);
        uint128[2] memory due = _due();
        for (uint8 seat; seat < 2; ++seat) {
            if (due[seat] != 0) _withdraw(seat);
        }
        uint128[2] memory withdrawn = _board().withdrawn;
        vm.assertEq(withdrawn[0] + withdrawn[1], 2 * uint256(match_.terms.stake), "paid amounts");
    }

    /// @dev Checks the amounts of a match after a call.
    function _assertAmounts(Record storage match_) private {
        IDeblockle.BoardView memory board = _board();
        if (board.mover != match_.mover) {
            if (match_.mover != NOBODY) {
                match_.elapsed[match_.mover == ANNE ? 1 : 0] += block.timestamp - match_.turnStart;
            }
            (match_.mover, match_.turnStart) = (board.mover, block.timestamp);
        }
        uint128[2] memory due = _due();
        uint256 owed;
        for (uint8 seat; seat < 2; ++seat) {
            vm.assertEq(due[seat] + board.withdrawn[seat], _earned(match_, board, seat), "earned amount");
            owed += due[seat];
        }
        // Each currency has one match.
        uint256 left = 2 * uint256(match_.terms.stake) - board.withdrawn[0] - board.withdrawn[1];
        vm.assertEq(_held(match_.terms.token), left, "the contract's balance");
        vm.assertLe(owed, left, "owed amounts");
        if (board.status == IMatch.Status.Finished) vm.assertEq(owed, left, "owed amounts");
    }

    function _earned(Record storage match_, IDeblockle.BoardView memory board, uint8 seat)
        private
        view
        returns (uint256)
    {
        if (board.reason == IMatch.Reason.Draw) return match_.terms.stake;
        if (board.winner == players[seat]) return 2 * uint256(match_.terms.stake) - _refunded(match_, 1 - seat);
        return _refunded(match_, seat);
    }

    function _refunded(Record storage match_, uint8 seat) private view returns (uint256) {
        uint256 elapsed = match_.elapsed[seat];
        if (match_.mover == players[1 - seat]) elapsed += block.timestamp - match_.turnStart;
        uint256 amount = elapsed * match_.terms.rate;
        return amount < match_.terms.stake ? amount : match_.terms.stake;
    }

    function _held(address token) private view returns (uint256) {
        if (token == NOBODY) return address(game).balance;
        return token == address(badToken) ? badToken.ledger(address(game)) : goodToken.balanceOf(address(game));
    }

    /// @dev Returns the next random number below `limit`.
    function _random(uint256 limit) private returns (uint256) {
        _seed = uint256(keccak256(abi.encode(_seed)));
        return _seed % limit;
    }
}
