// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Builds maps of Conquest
/// @notice The event IConquest.Map defines the format of the bytes.
library Graphs {
    uint8 internal constant MEADOW = 5;

    /// @param borders the neighbours of each land, as a set of lands
    /// @param waters the shores of each body of water, as a set of lands
    /// @param types the type of each land
    /// @param forts the lands with a fort
    /// @param soldiers the soldiers on each land
    struct Graph {
        uint256[] borders;
        uint256[] waters;
        uint8[] types;
        uint256 forts;
        uint8[] soldiers;
    }

    /// @return graph a map without water, in which each land borders the next land. Each land is a
    /// meadow with 10 soldiers
    function row(uint256 lands) internal pure returns (Graph memory graph) {
        (graph.borders, graph.types, graph.soldiers) = (new uint256[](lands), new uint8[](lands), new uint8[](lands));
        for (uint256 land; land < lands; ++land) {
            if (land != 0) connect(graph, land - 1, land);
            graph.types[land] = MEADOW;
            graph.soldiers[land] = 10;
        }
    }

    function connect(Graph memory graph, uint256 one, uint256 other) internal pure {
        graph.borders[one] |= 1 << other;
        graph.borders[other] |= 1 << one;
    }

    function disconnect(Graph memory graph, uint256 one, uint256 other) internal pure {
        graph.borders[one] &= ~(1 << other);
        graph.borders[other] &= ~(1 << one);
    }

    function addWater(Graph memory graph, bytes memory shores) internal pure {
        uint256[] memory waters = new uint256[](graph.waters.length + 1);
        for (uint256 body; body < graph.waters.length; ++body) {
            waters[body] = graph.waters[body];
        }
        waters[graph.waters.length] = setOf(shores);
        graph.waters = waters;
    }

    function encode(Graph memory graph) internal pure returns (bytes memory data) {
        uint256 lands = graph.types.length;
        data = abi.encodePacked(uint8(lands), uint8(graph.waters.length));
        for (uint256 land; land < lands; ++land) {
            data = bytes.concat(data, bytes12(uint96(graph.borders[land])));
        }
        for (uint256 body; body < graph.waters.length; ++body) {
            data = bytes.concat(data, bytes12(uint96(graph.waters[body])));
        }
        for (uint256 plane; plane < 3; ++plane) {
            uint256 set = 0;
            for (uint256 land; land < lands; ++land) {
                set |= ((uint256(graph.types[land]) >> plane) & 1) << land;
            }
            data = bytes.concat(data, bytes12(uint96(set)));
        }
        data = bytes.concat(data, bytes12(uint96(graph.forts)));
        for (uint256 land; land < lands; ++land) {
            data = bytes.concat(data, bytes1(graph.soldiers[land]));
        }
    }

    /// @param lands the lands, one byte per land
    /// @return set the same lands as a set: bit i is land i
    function setOf(bytes memory lands) internal pure returns (uint256 set) {
        for (uint256 index; index < lands.length; ++index) {
            set |= 1 << uint8(lands[index]);
        }
    }
}
