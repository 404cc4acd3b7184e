/** The EIP-712 domain of what accounts sign for the gateways of a chain. @param {number} chainId */
export const chainboardDomain = (chainId) => ({ name: "Chainboard", version: "1", chainId });
