// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Fixture} from "../Fixture.sol";
import {vm} from "../Vm.sol";
import {BattleshipHandler} from "./BattleshipHandler.sol";
import {ConquestHandler} from "./ConquestHandler.sol";
import {DeblockleHandler} from "./DeblockleHandler.sol";
import {Handler} from "./Handler.sol";
import {TicTacToeHandler} from "./TicTacToeHandler.sol";
import {ToucheCouleHandler} from "./ToucheCouleHandler.sol";

/// @title Checks what must hold for every game after every call
/// @notice The rules and what shows them: docs/explanation/trust.md.
abstract contract InvariantsTest is Fixture {
    /// @dev Forge's name for the functions of a contract that it may call.
    struct FuzzSelector {
        address target;
        bytes4[] selectors;
    }

    Handler internal handler;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), new bytes4[](1));
        targets[0].selectors[0] = Handler.step.selector;
    }

    function invariant_EveryRuleHolds() external view {
        _assertNoFailure();
    }

    /// @notice Runs after the last call of each run.
    function afterInvariant() external {
        handler.endAll();
        _assertNoFailure();
    }

    /// @notice Brings matches from random positions to their end without any player, and prints the
    /// longest wait. POSITIONS is the number of positions.
    function test_EveryMatchEndsWithoutItsPlayers() external {
        uint256 positions = vm.envOr("POSITIONS", uint256(100));
        (uint256 longest, uint256 allowed) = (0, 1);
        for (uint256 random = 1; positions != 0; ++random) {
            handler.step(uint256(keccak256(abi.encode(random))));
            if (random % 8 != 0 || handler.newest() < 3) continue;
            (uint256 waited, uint256 promised) = handler.timeOut(uint48(handler.newest() - (random / 8) % 3));
            if (waited == 0) continue; // the match was not running, or its clock had run out before
            --positions;
            if (waited * allowed > longest * promised) (longest, allowed) = (waited, promised);
        }
        _assertNoFailure();
        _print("longest wait, in seconds:", longest);
        _print("longest wait that the rules allow in this match:", allowed);
    }

    function _assertNoFailure() private view {
        vm.assertTrue(bytes(handler.failure()).length == 0, handler.failure());
    }

    /// @dev Prints a line if Forge runs with `-vv`.
    function _print(string memory what, uint256 number) private view {
        address console = 0x000000000000000000636F6e736F6c652e6c6f67;
        (bool success,) = console.staticcall(abi.encodeWithSignature("log(string,uint256)", what, number));
        vm.assertTrue(success, "the console must answer");
    }
}

contract TicTacToeInvariantsTest is InvariantsTest {
    function setUp() external {
        handler = new TicTacToeHandler(_deployGame("TicTacToe"), sessions);
    }
}

contract BattleshipInvariantsTest is InvariantsTest {
    function setUp() external {
        handler = new BattleshipHandler(_deployGame("Battleship"), sessions);
    }
}

contract DeblockleInvariantsTest is InvariantsTest {
    function setUp() external {
        handler = new DeblockleHandler(_deployGame("Deblockle"), sessions);
    }
}

contract ToucheCouleInvariantsTest is InvariantsTest {
    function setUp() external {
        handler = new ToucheCouleHandler(_deployGame("ToucheCoule"), sessions);
    }
}

contract ConquestInvariantsTest is InvariantsTest {
    function setUp() external {
        handler = new ConquestHandler(_deployGame("Conquest"), sessions);
    }
}
