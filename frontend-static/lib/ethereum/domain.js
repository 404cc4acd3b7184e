/** Return the EIP-712 domain for data that accounts sign for gateways rather than for contracts. @param {number} chainId */
export const chainboardDomain = (chainId) => ({ name: "Chainboard", version: "1", chainId });
