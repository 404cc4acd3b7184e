"""The data, other than the chain's, that the writer and all gateways of one database share."""
