"""The command line. It connects the chain, the indexer, the gateway and the computer players."""
