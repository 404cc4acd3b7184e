export * from "ethers";
