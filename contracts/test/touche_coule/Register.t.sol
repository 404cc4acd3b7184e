// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMatch} from "../../src/IMatch.sol";
import {IToucheCoule} from "../../src/games/touche_coule/IToucheCoule.sol";
import {Vm, vm} from "../Vm.sol";
import {HostileCaptain} from "./HostileCaptain.sol";
import {ToucheCouleFixture} from "./ToucheCouleFixture.sol";

/// @title Tests `create` and `register`, and the views of a match before its first turn
contract RegisterTest is ToucheCouleFixture {
    // ---- create

    // It should open a match with this board
    function testFuzz_Create(uint8 width, uint8 height, bool captains) public {
        (width, height) = (2 + width % 63, 2 + height % 63);
        vm.expectEmit(address(game));
        emit IMatch.MatchCreated(1, 1, ANNE, NOBODY, 0, 0);
        vm.expectEmit(address(game));
        emit IToucheCoule.Size(1, 2, width, height, captains);
        vm.prank(ANNE);
        number = game.create(width, height, captains);

        IToucheCoule.BoardView memory board = _board();
        vm.assertEq(board.width, width, "width");
        vm.assertEq(board.height, height, "height");
        vm.assertTrue(board.captains == captains, "captains");
        vm.assertEq(board.seq, 2, "seq");
        vm.assertEq(game.seqOf(1), 2, "seq");
        vm.assertEq(board.ply + board.anchor + board.deadline + board.ships.length, 0, "nothing else");
        _assertStatus(IMatch.Status.Open);
        (uint48 first, uint48 next) = game.matchRange();
        vm.assertEq(first, 1, "first");
        vm.assertEq(next, 2, "next");
    }

    // It should revert with BadSize
    function testFuzz_RevertWhen_ASideIsTooShortOrTooLong(uint8 width, uint8 height) public {
        vm.assume(width < 2 || width > 64 || height < 2 || height > 64);
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.BadSize.selector, width, height));
        game.create(width, height, true);
    }

    // It should revert with BadSize
    function test_RevertWhen_ASideIsJustOutOfRange() public {
        uint8[2][4] memory sizes = [[uint8(1), 64], [uint8(65), 2], [uint8(64), 1], [uint8(2), 65]];
        for (uint256 i; i < 4; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IToucheCoule.BadSize.selector, sizes[i][0], sizes[i][1]));
            game.create(sizes[i][0], sizes[i][1], true);
        }
        _open(2, 64, 0, 0);
        _open(64, 2, 0, 0);
    }

    // ---- register

    // It should place the ship on a free cell that the previous block decides
    // It should give an account a seat with its first ship
    function testFuzz_Register(uint16 height, uint256 randao) public {
        vm.roll(1_000 + uint256(height));
        vm.prevrandao(randao);
        _open(7, 4, 0, 0);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 3, ANNE, 0);
        _assertRegistered(ANNE, 4);
        _assertRegistered(ANNE, 5);
        vm.expectEmit(address(game));
        emit IMatch.PlayerJoined(number, 6, BOB, 1);
        _assertRegistered(BOB, 7);
        vm.assertEq(_board().seq, 7, "seq");
    }

    function _assertRegistered(address account, uint32 seq) private {
        uint16 ship = uint16(_board().ships.length) + 1;
        bytes32 seed = keccak256(abi.encode(blockhash(block.number - 1), block.prevrandao, number, ship));
        uint16 cell = _draw(_occupied(), seed);
        vm.expectEmit(address(game));
        emit IToucheCoule.Registered(number, seq, ship, account, uint8(cell % 7), uint8(cell / 7), NOBODY);
        vm.assertEq(_register(account), ship, "ship");
        vm.assertEq(_ship(ship).owner, account);
        vm.assertEq(_ship(ship).captain, NOBODY);
        vm.assertEq(_ship(ship).cell, cell, "cell");
        vm.assertTrue(_ship(ship).afloat, "afloat");
        vm.assertEq(_ship(ship).readyAt, 5, "readyAt");
        vm.assertTrue(_occupied()[cell] == 0x01, "occupied");
    }

    // It should place the ship on a free cell that the previous block decides
    function test_LaterBlocksDecideOtherCells() public {
        _open(64, 64, 0, 0);
        uint16 last = NO_CELL;
        for (uint256 i; i < 6; ++i) {
            vm.roll(2_000 + i);
            uint256 before = vm.snapshotState();
            _register(ANNE);
            uint16 cell = _cell(1);
            vm.assertTrue(cell != last, "two blocks decide the same cell");
            last = cell;
            vm.revertToState(before);
        }
    }

    // It should fill the board, and count x along the width
    // It should revert with NoFreeCell
    function test_EveryCellCanBeTaken() public {
        uint8[2][4] memory sizes = [[uint8(2), 2], [uint8(7), 4], [uint8(4), 7], [uint8(10), 10]];
        for (uint256 i; i < sizes.length; ++i) {
            _assertEveryCellIsTaken(sizes[i][0], sizes[i][1]);
        }
    }

    function _assertEveryCellIsTaken(uint8 width, uint8 height) private {
        _open(width, height, 0, 0);
        uint256 cells = uint256(width) * height;
        for (uint160 i; i < cells; ++i) {
            vm.recordLogs();
            uint16 ship = _register(address(0x1000 + i / 2));
            Vm.Log[] memory logs = vm.getRecordedLogs();
            (, uint256 x, uint256 y,) = abi.decode(logs[logs.length - 1].data, (uint32, uint8, uint8, address));
            vm.assertTrue(x < width && y < height, "the coordinates are outside the board");
            vm.assertEq(y * width + x, _cell(ship), "cell");
        }
        vm.assertEq(_countFree(_occupied(), 0), 0, "free cells");
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.NoFreeCell.selector, cells));
        _register(CAROL);
    }

    // It should let this contract control the ship
    function test_RegisterACaptain() public {
        _open(12, 12, 1, 0);
        HostileCaptain captain = new HostileCaptain();
        vm.expectEmit(true, true, true, false, address(game));
        emit IToucheCoule.Registered(number, 0, 2, BOB, 0, 0, NOBODY);
        vm.recordLogs();
        _register(BOB, address(captain));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        (,,, address named) = abi.decode(logs[1].data, (uint32, uint8, uint8, address));
        vm.assertEq(named, address(captain));
        vm.assertEq(_ship(2).captain, address(captain));
        vm.assertEq(game.shipAddress(number, 2), address(captain));
    }

    // It should revert with CaptainsNotAllowed
    function test_RevertWhen_TheMatchIsForBuiltInShips() public {
        number = game.create(12, 12, false);
        address captain = address(new HostileCaptain());
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.CaptainsNotAllowed.selector, number));
        _register(ANNE, captain);
        _register(ANNE);
    }

    // It should revert with NoCode
    function testFuzz_RevertWhen_TheCaptainHasNoCode(address captain) public {
        vm.assume(captain.code.length == 0);
        _open(12, 12, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IToucheCoule.NoCode.selector, captain));
        _register(ANNE, captain);
    }

    // It should revert with ShipLimit, and cost little gas
    function test_RevertWhen_TheAccountHasTwoShips() public limitsGas {
        _open(50, 50, 2, 0);
        bytes memory revertData = abi.encodeWithSelector(IToucheCoule.ShipLimit.selector, ANNE, 2);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.register{gas: 30_000 - INTRINSIC_GAS}(number);
        vm.expectRevert(revertData);
        vm.prank(ANNE);
        game.register{gas: 30_000 - INTRINSIC_GAS}(number, address(game));
    }

    // It should revert with MatchFull
    function test_RevertWhen_TheMatchHas256Ships() public {
        _open(64, 64, 0, 0);
        address captain = address(new HostileCaptain());
        for (uint160 i; i < 256; ++i) {
            _register(address(0x1000 + i / 2), captain);
        }
        bytes memory revertData = abi.encodeWithSelector(IToucheCoule.MatchFull.selector, 256);
        vm.expectRevert(revertData);
        _register(CAROL);
        vm.expectRevert(revertData);
        _register(CAROL, captain);
    }

    // It should revert with WrongStatus
    function test_RevertWhen_TheMatchHasBegun() public {
        _begin(12, 12, 1, 1);
        address captain = address(new HostileCaptain());
        for (uint256 i; i < 2; ++i) {
            IMatch.Status status = _board().status;
            vm.expectRevert(_wrongStatus(number, status, IMatch.Status.Open));
            _register(CAROL);
            vm.expectRevert(_wrongStatus(number, status, IMatch.Status.Open));
            _register(CAROL, captain);
            if (i == 0) vm.warp(_board().deadline);
            if (i == 0) game.expire(number);
        }
        vm.assertEq(_board().ships.length, 2, "ships");
    }

    // It should revert with NoSuchMatch
    function testFuzz_RevertWhen_TheMatchDoesNotExist(uint48 matchId) public {
        _open(12, 12, 1, 1);
        vm.assume(matchId != number);
        bytes[8] memory calls = [
            abi.encodeWithSignature("register(uint48)", matchId),
            abi.encodeWithSignature("register(uint48,address)", matchId, address(game)),
            abi.encodeCall(game.turn, (matchId, 0)),
            abi.encodeCall(game.changePosition, (matchId)),
            abi.encodeCall(game.communicate, (matchId)),
            abi.encodeCall(game.expire, (matchId)),
            abi.encodeCall(game.board, (matchId)),
            abi.encodeCall(game.mapOf, (matchId, 1))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _assertReverts(ANNE, address(game), calls[i], _noSuchMatch(matchId));
        }
    }

    // ---- views

    // It should return the ship's own cell as 1, its ally's as 3 and its shots as 2
    function test_MapOf() public {
        _open(7, 4, 2, 1);
        _put(1, 3);
        _put(2, 27);
        _put(3, 0);
        _setFired(1, 0, 1 << 5 | 1 << 20);
        vm.assertEq(game.mapOf(number, 1), hex"00000001000200000000000000000000000000000200000000000003");
        vm.assertEq(game.mapOf(number, 2), hex"00000003000000000000000000000000000000000000000000000001");
        vm.assertEq(game.mapOf(number, 3), hex"01000000000000000000000000000000000000000000000000000000");
    }

    // It should revert with NoMap
    function test_RevertWhen_TheShipHasNoMap() public {
        _open(12, 12, 1, 0);
        _registerCaptain(BOB);
        uint16[3] memory ships = [uint16(0), 2, 3];
        for (uint256 i; i < 3; ++i) {
            vm.expectRevert(_noMap(ships[i]));
            game.mapOf(number, ships[i]);
            if (ships[i] == 2) continue;
            vm.expectRevert(_noMap(ships[i]));
            game.shipAddress(number, ships[i]);
        }
    }

    // It should return the occupied cells, and none outside the board
    function test_Occupied() public {
        _open(64, 64, 1, 1);
        _put(1, 4095);
        _put(2, 256);
        for (uint16 word; word < 256; ++word) {
            uint256 expected = word == 15 ? 1 << 255 : word == 1 ? 1 : 0;
            vm.assertEq(game.occupied(number, uint8(word)), expected, "cells");
        }
        vm.assertEq(game.occupied(number + 1, 1), 0, "another match");
    }
}
