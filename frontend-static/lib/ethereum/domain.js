/** Return the domain (EIP-712) of data that accounts sign for gateways, not for contracts. @param {number} chainId */
export const chainboardDomain = (chainId) => ({ name: "Chainboard", version: "1", chainId });
