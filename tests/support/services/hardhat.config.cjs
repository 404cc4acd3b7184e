// The configuration of a Hardhat node with the default settings.
module.exports = { solidity: "0.8.28" };
