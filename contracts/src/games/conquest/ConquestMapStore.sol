// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IConquest} from "./IConquest.sol";
import {LandGraph} from "./rules/LandGraph.sol";
import {LandSet} from "./rules/LandSet.sol";

/// @title Checks maps and stores each of them as the code of a contract
/// @dev Map contracts are created in the order of their matches. Their addresses follow from the
/// match numbers, so the game doesn't store the addresses. The code of each map contract starts
/// with STOP, so that nobody can run the map as code.
contract ConquestMapStore {
    using LandGraph for bytes;
    using LandSet for uint256;

    uint8 private constant _LENGTH = 1;
    uint8 private constant _LANDS = 2;
    uint8 private constant _BODIES = 3;
    uint8 private constant _BIT_BEYOND_LANDS = 4;
    uint8 private constant _SELF_BORDER = 5;
    uint8 private constant _ONE_SIDED = 6;
    uint8 private constant _EMPTY_BODY = 7;
    uint8 private constant _TYPE = 8;
    uint8 private constant _SOLDIERS = 9;
    uint8 private constant _UNREACHABLE = 10;

    /// @dev The minimum number of lands on a map per player.
    uint256 private constant _LANDS_PER_PLAYER = 4;
    uint256 private constant _MAX_SOLDIERS = 100;
    /// @dev Two masks that find all bytes above 100 at once. Adding the second mask sets the
    /// highest bit in bytes from 101 to 127. In larger bytes, this bit is already set. The first
    /// mask selects it.
    uint256 private constant _HIGH_BITS = 0x8080808080808080808080808080808080808080808080808080808080808080;
    uint256 private constant _ABOVE_MAX_SOLDIERS = 0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b;

    /// @dev The init code, which deploys everything after it: PUSH2 size, DUP1, PUSH1 10,
    /// RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN. Then comes STOP, the first byte of the
    /// deployed code.
    uint256 private constant _INIT_CODE = 0x61_0000_80_600a_3d_39_3d_f3_00;
    uint256 private constant _CODE_SIZE_SHIFT = 64;

    address private immutable _OWNER = msg.sender;

    /// @notice Only the game may store maps in this contract.
    error NotTheGame();

    // The size of a map fits in two bytes.
    // forge-lint: disable-next-item(unsafe-typecast)
    /// @notice Stores the map of the next match. Reverts with IConquest.BadMap if the map is
    /// invalid, and without data if the gas runs out.
    function keep(bytes calldata graph, uint256 players) external {
        if (msg.sender != _OWNER) revert NotTheGame();
        check(graph, players);
        bytes memory code = abi.encodePacked(uint88(_INIT_CODE | ((graph.length + 1) << _CODE_SIZE_SHIFT)), graph);
        assembly ("memory-safe") {
            if iszero(create(0, add(code, 0x20), mload(code))) {
                revert(0, 0)
            }
        }
    }

    /// @notice Reverts with IConquest.BadMap if the graph is invalid or has too few lands for the
    /// number of players.
    function check(bytes memory graph, uint256 players) public pure {
        if (graph.length < 2) revert IConquest.BadMap(_LENGTH, graph.length);
        uint256 lands = graph.lands();
        uint256 bodies = graph.bodies();
        if (lands > LandGraph.MAX_LANDS || lands == 0 || lands < _LANDS_PER_PLAYER * players) {
            revert IConquest.BadMap(_LANDS, lands);
        }
        if (bodies > LandGraph.MAX_BODIES) revert IConquest.BadMap(_BODIES, bodies);
        if (graph.length != LandGraph.size(lands, bodies)) revert IConquest.BadMap(_LENGTH, graph.length);
        unchecked {
            for (uint256 index; index < lands + bodies + LandGraph.EXTRA_ROWS; ++index) {
                if (graph.row(index) >> lands != 0) revert IConquest.BadMap(_BIT_BEYOND_LANDS, index);
            }
        }
        _checkBorders(graph, lands);
        _checkContent(graph, lands, bodies);
        _checkConnected(graph, lands);
    }

    /// @dev Checks that every border is mutual and that no land borders itself. The function
    /// follows only the borders to lands with higher numbers. All borders are mutual if these
    /// are mutual and just as numerous as the borders to lands with lower numbers.
    function _checkBorders(bytes memory graph, uint256 lands) private pure {
        unchecked {
            uint256 wrong = 0;
            uint256 later = 0;
            uint256 all = 0;
            for (uint256 land; land < lands; ++land) {
                uint256 row = graph.row(land);
                wrong |= (row >> land) & 1;
                all += row.size();
                for (row = (row >> land) << land; row != 0; row &= row - 1) {
                    wrong |= ~(graph.row(row.lowest()) >> land) & 1;
                    ++later;
                }
            }
            if (wrong != 0 || all != 2 * later) _rejectBorders(graph, lands);
        }
    }

    /// @dev Reverts with BadMap for the lowest land that borders itself or, if there is none, for
    /// the lowest land with a one-sided border.
    function _rejectBorders(bytes memory graph, uint256 lands) private pure {
        for (uint256 land; land < lands; ++land) {
            if ((graph.row(land) >> land) & 1 == 1) revert IConquest.BadMap(_SELF_BORDER, land);
        }
        for (uint256 land; land < lands; ++land) {
            for (uint256 row = graph.row(land); row != 0; row &= row - 1) {
                if ((graph.row(row.lowest()) >> land) & 1 == 0) revert IConquest.BadMap(_ONE_SIDED, land);
            }
        }
    }

    function _checkContent(bytes memory graph, uint256 lands, uint256 bodies) private pure {
        unchecked {
            for (uint256 body; body < bodies; ++body) {
                if (graph.row(lands + body) == 0) revert IConquest.BadMap(_EMPTY_BODY, body);
            }
            uint256 index = lands + bodies;
            (uint256 low, uint256 middle, uint256 high) = (graph.row(index), graph.row(index + 1), graph.row(index + 2));
            uint256 wrong = (~(low | middle | high) & ((1 << lands) - 1)) | (high & middle);
            if (wrong != 0) revert IConquest.BadMap(_TYPE, wrong.lowest());
            for (uint256 first; first < lands; first += 32) {
                uint256 soldiers = graph.soldiersFrom(first);
                if (lands - first < 32) soldiers &= type(uint256).max << (256 - 8 * (lands - first));
                uint256 many = ((soldiers + _ABOVE_MAX_SOLDIERS) | soldiers) & _HIGH_BITS;
                if (many != 0) revert IConquest.BadMap(_SOLDIERS, _firstWithTooMany(graph, first));
            }
        }
    }

    /// @return land the first land with too many soldiers; the search starts at the given land
    function _firstWithTooMany(bytes memory graph, uint256 land) private pure returns (uint256) {
        while (graph.soldiersFrom(land) >> 248 <= _MAX_SOLDIERS) ++land;
        return land;
    }

    /// @dev Checks that all lands can be reached from land 0, across borders or bodies of water.
    function _checkConnected(bytes memory graph, uint256 lands) private pure {
        unchecked {
            uint256 reached = 1;
            uint256 visited = 0;
            uint256 bodies = graph.bodies();
            while (reached != visited) {
                uint256 land = (reached & ~visited).lowest();
                visited |= 1 << land;
                reached |= graph.row(land);
                if (reached != visited) continue;
                for (uint256 body; body < bodies; ++body) {
                    uint256 shore = graph.row(lands + body);
                    if (shore & visited != 0) reached |= shore;
                }
            }
            uint256 missed = ~reached & ((1 << lands) - 1);
            if (missed != 0) revert IConquest.BadMap(_UNREACHABLE, missed.lowest());
        }
    }
}
