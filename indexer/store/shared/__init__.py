"""What the processes of one database share beside the chain's data: the writer and any number of gateways."""
