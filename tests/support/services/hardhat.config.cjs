// A Hardhat node as people run one, with its default settings.
module.exports = { solidity: "0.8.28" };
