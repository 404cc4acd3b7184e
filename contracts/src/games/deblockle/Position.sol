// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A position of Deblockle, packed into 104 bits
/// @dev The fields are, from the lowest bits up: eight cubes of 11 bits by id (six bits for the
/// cell, five for the orientation); one bit for the phase Hop; three bits for the hopper; the
/// number of passes in a row; the number of plies since the last removal; the ruleset; and whether
/// there is a stake. A position fits in the match's slot, so a move writes only that slot.
library Position {
    /// @dev The cell number of a cube that is not on the board.
    uint256 internal constant NO_CELL = 63;
    /// @dev The id that means no cube.
    uint256 internal constant NO_CUBE = 255;
    /// @dev The maximum number of cubes per player. It is also the first cube id of seat 1.
    uint256 internal constant CUBES = 4;

    uint256 private constant _CUBE_BITS = 11;
    uint256 private constant _CUBE_MASK = 0x7ff;
    uint256 private constant _ORIENTATION_SHIFT = 6;
    uint256 private constant _ORIENTATION_MASK = 31;
    uint256 private constant _HOPPER_SHIFT = 88;
    uint256 private constant _HOPPER_MASK = 15;
    uint256 private constant _PASSES_SHIFT = 92;
    uint256 private constant _PASSES_MASK = 7;
    uint256 private constant _QUIET_SHIFT = 95;
    uint256 private constant _QUIET_MASK = 127;
    uint256 private constant _RULESET_SHIFT = 102;
    uint256 private constant _STAKED_SHIFT = 103;

    /// @dev The starting positions with 1 to 4 cubes per player. A cube that is not used in the
    /// match has all bits set. A removed cube differs from an unused cube, because a removed cube
    /// keeps its orientation.
    uint256 private constant _SETUP_1 = 0xffffffffc43ffffffff96d;
    uint256 private constant _SETUP_2 = 0xfffffd82442fffffd9716c;
    uint256 private constant _SETUP_3 = 0xfff64582442ffec7d9716c;
    uint256 private constant _SETUP_4 = 0x8a4540a25825dc1b0b015e;
    /// @dev The ids of the cubes in the order of the starting position, eight bits each. In a match
    /// with three cubes, the third cube of each player comes last.
    uint256 private constant _SETUP_ORDER = 0x0706030205040100;
    uint256 private constant _SETUP_ORDER_4 = 0x0706050403020100;

    function setUp(uint256 cubes, bool isStrict, bool isStaked) internal pure returns (uint256 position) {
        position = cubes == 1 ? _SETUP_1 : cubes == 2 ? _SETUP_2 : cubes == 3 ? _SETUP_3 : _SETUP_4;
        if (isStrict) position |= 1 << _RULESET_SHIFT;
        if (isStaked) position |= 1 << _STAKED_SHIFT;
    }

    // ---- cubes

    /// @return the cube's cell, or NO_CELL if the cube is not on the board
    function cellOf(uint256 position, uint256 id) internal pure returns (uint256) {
        unchecked {
            return (position >> (_CUBE_BITS * id)) & NO_CELL;
        }
    }

    /// @return the number of the cube's orientation, as DeblockleRules defines it
    function orientationOf(uint256 position, uint256 id) internal pure returns (uint256) {
        unchecked {
            return (position >> (_CUBE_BITS * id + _ORIENTATION_SHIFT)) & _ORIENTATION_MASK;
        }
    }

    function placeCube(uint256 position, uint256 id, uint256 cell, uint256 orientation)
        internal
        pure
        returns (uint256)
    {
        unchecked {
            uint256 cube = cell | (orientation << _ORIENTATION_SHIFT);
            return (position & ~(_CUBE_MASK << (_CUBE_BITS * id))) | (cube << (_CUBE_BITS * id));
        }
    }

    /// @return id the id of the cube on the cell, or NO_CUBE if there is none
    function cubeOn(uint256 position, uint256 cell) internal pure returns (uint256 id) {
        unchecked {
            for (; id < 2 * CUBES; ++id) {
                if (position & NO_CELL == cell) return id;
                position >>= _CUBE_BITS;
            }
        }
        return NO_CUBE;
    }

    /// @return cells the cells with a cube: bit i is cell i. If a cube is not on the board, the bit
    /// NO_CELL is set
    function occupied(uint256 position) internal pure returns (uint256 cells) {
        unchecked {
            for (uint256 id; id < 2 * CUBES; ++id) {
                cells |= 1 << (position & NO_CELL);
                position >>= _CUBE_BITS;
            }
        }
    }

    /// @return left the number of the seat's cubes that are still on the board
    function cubesLeft(uint256 position, uint256 seat) internal pure returns (uint256 left) {
        unchecked {
            for (uint256 id = CUBES * seat; id < CUBES * (seat + 1); ++id) {
                if (cellOf(position, id) != NO_CELL) ++left;
            }
        }
    }

    /// @return cubes the number of cubes per player at the start
    function cubesPerPlayer(uint256 position) internal pure returns (uint256 cubes) {
        while (cubes < CUBES && orientationOf(position, cubes) != _ORIENTATION_MASK) ++cubes;
    }

    /// @return the id of the cube at this index, 0 to 7, in the order of the starting position
    function idInSetup(uint256 position, uint256 index) internal pure returns (uint256) {
        return ((cubesPerPlayer(position) == CUBES ? _SETUP_ORDER_4 : _SETUP_ORDER) >> (8 * index)) & 255;
    }

    // ---- hopper, counters and terms

    /// @return the id of the cube that can hop, or NO_CUBE in the phase Roll
    function hopper(uint256 position) internal pure returns (uint256) {
        uint256 bits = (position >> _HOPPER_SHIFT) & _HOPPER_MASK;
        return bits == 0 ? NO_CUBE : bits >> 1;
    }

    /// @param id the id of the cube that can hop, or NO_CUBE for the phase Roll
    function setHopper(uint256 position, uint256 id) internal pure returns (uint256) {
        uint256 bits = id == NO_CUBE ? 0 : (id << 1) | 1;
        return (position & ~(_HOPPER_MASK << _HOPPER_SHIFT)) | (bits << _HOPPER_SHIFT);
    }

    function passes(uint256 position) internal pure returns (uint256) {
        return (position >> _PASSES_SHIFT) & _PASSES_MASK;
    }

    function quiet(uint256 position) internal pure returns (uint256) {
        return (position >> _QUIET_SHIFT) & _QUIET_MASK;
    }

    function setCounts(uint256 position, uint256 passes_, uint256 quiet_) internal pure returns (uint256) {
        uint256 others = position & ~((_PASSES_MASK << _PASSES_SHIFT) | (_QUIET_MASK << _QUIET_SHIFT));
        return others | (passes_ << _PASSES_SHIFT) | (quiet_ << _QUIET_SHIFT);
    }

    /// @return true for the ruleset Board, false for the ruleset Near
    function strict(uint256 position) internal pure returns (bool) {
        return (position >> _RULESET_SHIFT) & 1 == 1;
    }

    function staked(uint256 position) internal pure returns (bool) {
        return (position >> _STAKED_SHIFT) & 1 == 1;
    }
}
