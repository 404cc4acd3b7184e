// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../../src/IMatch.sol";
import {IConquest} from "../../../src/games/conquest/IConquest.sol";
import {vm} from "../../Vm.sol";
import {ConquestFixture} from "../support/ConquestFixture.sol";
import {Graphs} from "../support/Graphs.sol";

/// @title Fights the battles of the test vectors of other implementations
/// @notice In each battle, seat 0 attacks land 1 from land 0. The map has two more lands than the
/// battle. The first of these, `_spare`, borders only land 0, belongs to seat 1 and has no
/// soldiers, so that other attacks can target it. The second borders all lands.
contract VectorsTest is ConquestFixture {
    using Graphs for Graphs.Graph;

    string private _json = vm.readFile("../tests/fixtures/vectors/conquest.json");
    string private _battle;
    uint8 private _spare;

    // It should fight the battles of other implementations with the same result
    function test_BattlesOfTheVectors() public {
        uint256 index;
        for (; vm.keyExistsJson(_json, string.concat(".battles[", vm.toString(index), "]")); ++index) {
            _battle = string.concat(".battles[", vm.toString(index), "].");
            _beginBattle();
            _launch();
            if (!_bool("expected.allowed")) continue;
            uint8 hero = _board().heroes[1];
            _resolve();
            if (_bool("expected['victim hero died']") || _bool("expected['victim out']")) hero = NONE;
            vm.assertEq(_board().heroes[1], hero, "the victim's hero");
        }
        vm.assertEq(index, 20, "battles");
    }

    function _beginBattle() private {
        _spare = uint8(vm.parseJsonUintArray(_json, _path("soldiers")).length);
        _begin(2, _graph());
        bytes memory own = _lands("attacker");
        bytes memory victims = _lands("victim");
        _setLands(0, own);
        _setLands(1, bytes.concat(victims, bytes1(_spare)));
        _setCapital(0, uint8(own[own.length - 1]));
        _setCapital(1, _bool("capital") ? 1 : _lastExceptOne(victims));
        _setPorts(_lands("ports"));
        if (_bool("full")) _setUsed(2);
        uint256[] memory soldiers = vm.parseJsonUintArray(_json, _path("soldiers"));
        for (uint256 land; land < _board().soldiers.length; ++land) {
            _setSoldiers(land, land < soldiers.length ? soldiers[land] : 0);
        }
        for (uint8 seat; seat < 2; ++seat) {
            // A seat without a hero has null, which is not a number.
            try vm.parseJsonUint(_json, _path(string.concat("heroes[", vm.toString(seat), "]"))) returns (
                uint256 land
            ) {
                _setHero(seat, land);
            } catch {}
        }
    }

    function _graph() private view returns (bytes memory) {
        Graphs.Graph memory graph = Graphs.row(_spare + 2 < 8 ? 8 : _spare + 2);
        for (uint256 land; land + 1 < graph.types.length; ++land) {
            graph.disconnect(land, land + 1);
        }
        bytes memory near = _lands("near");
        for (uint256 i; i < near.length; ++i) {
            graph.connect(1, uint8(near[i]));
        }
        graph.connect(0, _spare);
        for (uint256 land; land < graph.types.length; ++land) {
            if (land != _spare + 1) graph.connect(_spare + 1, land);
        }
        bytes memory shore = _lands("shore");
        if (shore.length != 0) graph.addWater(shore);
        return graph.encode();
    }

    function _lastExceptOne(bytes memory lands) private pure returns (uint8) {
        uint8 last = uint8(lands[lands.length - 1]);
        return last == 1 ? uint8(lands[lands.length - 2]) : last;
    }

    /// @dev Launches the attacks, or expects that the contract rejects them.
    function _launch() private {
        (uint256 attack20, uint256 defence20) = game.powers(number, 0, 1);
        vm.assertEq(attack20, _number("expected.attack20"), "attack strength");
        vm.assertEq(defence20, _number("expected.defence20"), "defence strength");
        vm.assertEq(game.connection(number, 0, 1), _bool("expected['by sea']") ? 1 : 2, "connection");
        bytes memory pairs = hex"0001";
        for (uint256 count = _number("launched"); count > 1; --count) {
            pairs = abi.encodePacked(pairs, hex"00", _spare);
        }
        if (!_bool("expected.allowed")) {
            // The battles that are not allowed have one attack by land.
            vm.expectRevert(abi.encodeWithSelector(IConquest.NotStronger.selector, 0, attack20, defence20));
        }
        _attack(pairs);
    }

    function _resolve() private {
        bytes32 seed = _seedOfLuck(_number("luck"), 0);
        _expectDrawn(BATTLE, seed);
        uint32 seq = _expect();
        emit IConquest.BattleResolved(
            number,
            seq,
            0,
            1,
            uint48(_number("expected.attack20")),
            uint48(_number("expected.needed20")),
            uint8(_number("luck")),
            uint32(_number("expected.damage")),
            _bool("expected.conquered")
        );
        _settle(seed);
        IConquest.BoardView memory board = _board();
        uint256[] memory soldiers = vm.parseJsonUintArray(_json, _path("expected['soldiers after']"));
        for (uint256 land; land < soldiers.length; ++land) {
            vm.assertEq(board.soldiers[land], soldiers[land], "soldiers");
        }
        uint256 known = (1 << _spare) - 1;
        vm.assertEq(board.owned[0] & known, Graphs.setOf(_lands("expected['attacker owns']")), "attacker's lands");
        vm.assertEq(board.owned[1] & known, Graphs.setOf(_lands("expected['victim owns']")), "victim's lands");
        bool out = uint8(board.status) == uint8(IMatch.Status.Finished);
        vm.assertTrue(out == _bool("expected['victim out']"), "victim out");
    }

    // ---- the values of a battle

    function _path(string memory key) private view returns (string memory) {
        return string.concat(_battle, key);
    }

    function _lands(string memory key) private view returns (bytes memory lands) {
        uint256[] memory numbers = vm.parseJsonUintArray(_json, _path(key));
        for (uint256 i; i < numbers.length; ++i) {
            lands = bytes.concat(lands, bytes1(uint8(numbers[i])));
        }
    }

    function _number(string memory key) private view returns (uint256) {
        return vm.parseJsonUint(_json, _path(key));
    }

    function _bool(string memory key) private view returns (bool) {
        return vm.parseJsonBool(_json, _path(key));
    }
}
