/** Return the EIP-712 domain of the data that accounts sign for a chain's gateways. @param {number} chainId */
export const chainboardDomain = (chainId) => ({ name: "Chainboard", version: "1", chainId });
